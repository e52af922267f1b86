#include "settings.h"

#include "../base/digits.h"
#include "../base/error.h"
#include "../base/os.h"

#include <pthread.h>
#include <string.h>

static level_zero_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Returns whether a variable has the first of two words, which is also the default. */
static bool is_first(const char *name, const char *first, const char *second) {
  const char *value = os_environment_safe(name);
  if (value && strcmp(value, second) == 0)
    return false;
  if (value && value[0] && strcmp(value, first) != 0)
    plugin_note("%s is \"%s\", neither %s nor %s; it counts as %s", name, value, first, second,
                first);
  return true;
}

static unsigned read_batch_size(void) {
  const char *name = "SPECPI_LEVEL_ZERO_BATCH_SIZE";
  const char *value = os_environment_safe(name);
  if (!value || !value[0])
    return 0;
  uint64_t size;
  if (!digits_are(value, LEVEL_ZERO_LARGEST_BATCH, &size)) {
    plugin_note("%s is \"%s\", not a number from 0 to %d; it counts as 0", name, value,
                LEVEL_ZERO_LARGEST_BATCH);
    return 0;
  }
  return (unsigned)size;
}

static void read_settings(void) {
  settings.is_immediate = is_first("SPECPI_LEVEL_ZERO_COMMAND_LISTS", "immediate", "batch");
  settings.batch_size = read_batch_size();
  settings.has_copy_engine = is_first("SPECPI_LEVEL_ZERO_COPY_ENGINE", "1", "0");
}

const level_zero_settings *level_zero_get_settings(void) {
  pthread_once(&once, read_settings);
  return &settings;
}
