/* cmocka, and assertions of the unit tests. */
#ifndef SPECPI_TEST_UNIT_CHECK_H
#define SPECPI_TEST_UNIT_CHECK_H

#include "../../plugins/base/error.h"
#include "../support/tests.h"

/* Asserts that the call fails with this code and message. */
#define assert_failure(call, code, sentence)                                                       \
  do {                                                                                             \
    assert_int_equal((call), (code));                                                              \
    const char *assert_failure_sentence;                                                           \
    assert_int_equal(plugin_error_last(&assert_failure_sentence), (code));                         \
    assert_string_equal(assert_failure_sentence, (sentence));                                      \
  } while (0)

#define assert_success(call) assert_int_equal((call), PI_SUCCESS)

#endif
