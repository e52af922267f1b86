/*
 * Errors: a code, and one sentence that says what was wrong. The sentence of a
 * thread's latest failure is what piPluginGetLastError hands out; with
 * SPECPI_TRACE=errors it also goes to stderr, which is how it reaches a person
 * whose runtime shows nothing but the code.
 */
#ifndef PI_BASE_ERROR_H
#define PI_BASE_ERROR_H

#include <pi/pi.h>

/* OpenCL's CL_INVALID_SPEC_ID: PI has no name for it, and runtimes take any number. */
#define PI_ERROR_INVALID_SPEC_ID ((pi_result)-71)

/*
 * What a plugin without a platform says of its driver, in place of PI_SUCCESS: codes of notes are
 * not negative. OLD: it lacks a function or is of a version that is too early. BROKEN: it is not
 * used, because it ends processes.
 */
enum { PI_NOTE_DRIVER_ABSENT = 1, PI_NOTE_DRIVER_OLD, PI_NOTE_DRIVER_BROKEN };

/*
 * Records the sentence for this thread and returns code, so that a failing check is
 * one statement: return pi_error(PI_ERROR_INVALID_VALUE, "size is 0").
 *
 * The sentence names what was wrong with the values that were expected and given; it
 * has no prefix, no full stop and no line break. Cut at 1023 bytes. Never allocates.
 */
pi_result pi_error(pi_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/*
 * Records a sentence without a failure: the reason of an answer that is right and yet not
 * what anybody hopes for, such as no platform. piPluginGetLastError then hands it out,
 * with PI_SUCCESS, until this thread's next failure; SPECPI_TRACE=errors prints it too.
 */
void pi_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/*
 * The latest code and sentence of this thread. *message receives a pointer that stays
 * valid until the thread fails again; it is "" and the code PI_SUCCESS before the
 * first failure.
 */
pi_result pi_error_last(const char **message);

/*
 * Returns from the calling function with a code and a sentence unless the condition holds.
 * The code is returned here, not by pi_error, so that compilers see that it is an error.
 */
#define PI_REQUIRE(condition, code, ...)                                                           \
  do {                                                                                             \
    if (__builtin_expect(!(condition), 0)) {                                                       \
      pi_error((code), __VA_ARGS__);                                                               \
      return (code);                                                                               \
    }                                                                                              \
  } while (0)

/* Returns from the calling function with the result of an expression that failed. */
#define PI_TRY(expression)                                                                         \
  do {                                                                                             \
    const pi_result pi_try_result = (expression);                                                  \
    if (__builtin_expect(pi_try_result != PI_SUCCESS, 0))                                          \
      return pi_try_result;                                                                        \
  } while (0)

#endif
