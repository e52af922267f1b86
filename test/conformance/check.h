/*
 * Expectations. One that is not met ends the test and prints the call's source text, the expected
 * and the actual result, and the plugin's last error.
 */
#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* Source position and text of an expectation. */
typedef struct check_place {
  const char *file;
  int line;
  const char *text;
} check_place;

#define CHECK_PLACE(text) ((check_place){__FILE_NAME__, __LINE__, text})

/* Ends the test as failed. */
_Noreturn void check_fail(check_place place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the test as skipped; the runner prints the reason. */
_Noreturn void skip_test(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * With builds_only: ends the test with the outcome "built"; or records that outcome, where the test
 * goes on with checks that need no computed result. For the test's own thread.
 */
_Noreturn void end_as_built(void);
void note_built(void);

/*
 * Records for the coverage report why no test can give good (or bad) input to an entry, a number
 * PI_INDEX_..., on this device. The report uses the reason only if no test gave such input.
 */
void cannot_show(int entry, bool good, const char *reason);

void check_success(pi_result got, check_place place);
void check_error(pi_result expected, pi_result got, check_place place);
void check_refused(pi_result got, check_place place);
bool check_supported(pi_result got, check_place place);
void check_unsupported_feature(pi_result got, check_place place);
void check_no_such(pi_result got, check_place place);
void check_untouched(const void *value, size_t size, check_place place);
void check_equal(uint64_t expected, uint64_t got, check_place place);
void check_bytes(const void *expected, const void *got, size_t size, check_place place);

/* The call returns PI_SUCCESS: good input. */
#define expect_success(call) check_success((call), CHECK_PLACE(#call))

/* The call fails with exactly this code: bad input. */
#define expect_error(code, call) check_error((code), (call), CHECK_PLACE(#call))

/* The call fails with any code: bad input for which several codes are right. */
#define expect_refused(call) check_refused((call), CHECK_PLACE(#call))

/* As the two above; also, the call leaves untouched the output, which is filled with a pattern. */
#define expect_error_keeps(code, output, call)                                                     \
  do {                                                                                             \
    memset(&(output), UNTOUCHED_BYTE, sizeof(output));                                             \
    check_error((code), (call), CHECK_PLACE(#call));                                               \
    check_untouched(&(output), sizeof(output), CHECK_PLACE(#call));                                \
  } while (0)
#define expect_refused_keeps(output, call)                                                         \
  do {                                                                                             \
    memset(&(output), UNTOUCHED_BYTE, sizeof(output));                                             \
    check_refused((call), CHECK_PLACE(#call));                                                     \
    check_untouched(&(output), sizeof(output), CHECK_PLACE(#call));                                \
  } while (0)

/*
 * True when the call returns PI_SUCCESS, false when it returns PI_ERROR_UNSUPPORTED_FEATURE;
 * both are right answers to good input. Anything else fails the test.
 */
#define is_supported(call) check_supported((call), CHECK_PLACE(#call))

/* The call returns PI_ERROR_UNSUPPORTED_FEATURE, which is a right answer to good input. */
#define expect_unsupported(call) check_unsupported_feature((call), CHECK_PLACE(#call))

/* The same for calls on objects that the backend cannot create. The call may also refuse the object
 * as invalid. */
#define expect_no_such(call) check_no_such((call), CHECK_PLACE(#call))

/* The condition holds. If not, the other arguments are the message's format and its arguments. */
#define expect(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition))                                                                              \
      check_fail(CHECK_PLACE(#condition), __VA_ARGS__);                                            \
  } while (0)

/* Two integers or two pointers are the same. */
#define expect_equal(expected, got)                                                                \
  check_equal((uint64_t)(expected), (uint64_t)(got), CHECK_PLACE(#got))
#define expect_same(expected, got)                                                                 \
  check_equal((uint64_t)(uintptr_t)(expected), (uint64_t)(uintptr_t)(got), CHECK_PLACE(#got))

#define expect_bytes(expected, got, size) check_bytes((expected), (got), (size), CHECK_PLACE(#got))

enum { UNTOUCHED_BYTE = 0x5a };

#endif
