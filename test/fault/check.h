/* cmocka, with a check for PI calls that shows the message of a failure. */
#ifndef SPECPI_TEST_FAULT_CHECK_H
#define SPECPI_TEST_FAULT_CHECK_H

#include <stdio.h>

#include "../../plugins/base/error.h"
#include "../../plugins/base/names.h"
#include "../support/tests.h"

/* Fails the test with a text. */
#define fail_with(...)                                                                             \
  do {                                                                                             \
    fprintf(stderr, __VA_ARGS__);                                                                  \
    fputc('\n', stderr);                                                                           \
    fail();                                                                                        \
  } while (0)

/* Fails the test, with the message, when a PI call fails. */
#define must(call) must_succeed((call), #call, __FILE__, __LINE__)

static inline void must_succeed(pi_result result, const char *call, const char *file, int line) {
  if (result == PI_SUCCESS)
    return;
  const char *sentence;
  plugin_error_last(&sentence);
  fprintf(stderr, "%s:%d: %s: %s (%d): %s\n", file, line, call,
          enumerator_name("pi_result", result), (int)result, sentence);
  _fail(file, line);
}

#endif
