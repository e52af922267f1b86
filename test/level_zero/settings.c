/* The environment's settings for queues; each row of CMakeLists.txt is a process of its own. */
#include <stdlib.h>
#include <string.h>

#include "../../plugins/base/error.h"
#include "../../plugins/level_zero/settings.h"
#include "../support/tests.h"

/* The expected values are in the environment, too. */
static unsigned expected(const char *name) {
  const char *value = getenv(name);
  return value ? (unsigned)strtoul(value, NULL, 10) : UINT32_MAX;
}

TEST(settings_are_read) {
  const level_zero_settings *settings = level_zero_get_settings();
  assert_int_equal(settings->is_immediate, expected("EXPECT_IMMEDIATE"));
  assert_int_equal(settings->batch_size, expected("EXPECT_BATCH_SIZE"));
  assert_int_equal(settings->has_copy_engine, expected("EXPECT_COPY_ENGINE"));
  assert_ptr_equal(level_zero_get_settings(), settings);
  const char *note = NULL;
  assert_int_equal(plugin_error_last(&note), PI_SUCCESS);
  assert_int_equal(strstr(note, "counts as") != NULL, expected("EXPECT_NOTE"));
}
