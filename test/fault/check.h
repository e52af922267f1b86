/* cmocka, with a check for PI calls that shows the sentence of a failure. */
#ifndef SPECPI_TEST_FAULT_CHECK_H
#define SPECPI_TEST_FAULT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../../plugins/common/error.h"
#include "../../plugins/common/names.h"

/* Fails the test with a text. */
#define fail_with(...)                                                                             \
  do {                                                                                             \
    fprintf(stderr, __VA_ARGS__);                                                                  \
    fputc('\n', stderr);                                                                           \
    fail();                                                                                        \
  } while (0)

#define must(call)                                                                                 \
  do {                                                                                             \
    const pi_result must_result = (call);                                                          \
    const char *must_sentence;                                                                     \
    if (must_result != PI_SUCCESS) {                                                               \
      pi_error_last(&must_sentence);                                                               \
      fail_with("%s:%d: %s: %s (%d): %s", __FILE__, __LINE__, #call,                               \
                pi_name("pi_result", must_result), (int)must_result, must_sentence);               \
    }                                                                                              \
  } while (0)

#endif
