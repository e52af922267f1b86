/*
 * Errors: a code, and one message that says what was wrong. piPluginGetLastError returns the
 * message of a thread's latest failure; with SPECPI_TRACE=errors it also goes to stderr, for people
 * whose runtime shows nothing but the code.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <pi/pi.h>

/* OpenCL's CL_INVALID_SPEC_ID: PI has no name for it, and runtimes take any number. */
#define PI_ERROR_INVALID_SPEC_ID ((pi_result)-71)

/*
 * End of the message, with PI_ERROR_PLUGIN_SPECIFIC_ERROR, for a failure after which all later
 * calls fail on a device: PI has no code for that.
 */
#define PLUGIN_DEVICE_LOST "this process cannot use the device any more"

/*
 * Status of a plugin without a platform, in place of PI_SUCCESS. Codes of notes are not negative.
 * OLD: the driver lacks a function or its version is too early. BROKEN: it is not used, because it
 * ends processes.
 */
enum { PI_NOTE_DRIVER_ABSENT = 1, PI_NOTE_DRIVER_OLD, PI_NOTE_DRIVER_BROKEN };

/*
 * Records the message for this thread and returns code, so that a failing check is one statement:
 * return plugin_error(PI_ERROR_INVALID_VALUE, "size is 0").
 *
 * The message names what was wrong with the values that were expected and given; it has no prefix,
 * no full stop and no line break. Cut at 1023 bytes. Never allocates.
 */
pi_result plugin_error(pi_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/*
 * Records a message without a failure: the reason of an answer that is right and yet not what
 * anybody hopes for, such as no platform. piPluginGetLastError then returns it, with PI_SUCCESS,
 * until this thread's next failure; SPECPI_TRACE=errors prints it too.
 */
void plugin_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Writes a line to stderr that is nobody's failure; and one of those of SPECPI_TRACE=cache. */
void plugin_say(const char *line);
void plugin_trace_cache(const char *line);

/*
 * The latest code and message of this thread. *message receives a pointer that stays valid until
 * the thread fails again; it is "" and the code PI_SUCCESS before the first failure.
 */
pi_result plugin_error_last(const char **message);

/*
 * Passes every message to listener, too, on the thread that recorded it; NULL: to nobody. code is
 * PI_SUCCESS or above for a note. The text is valid until listener returns.
 */
void plugin_error_listen(void (*listener)(pi_result code, const char *sentence));

/*
 * Returns from the calling function with a code and a message unless the condition holds. The code
 * is returned here, not by plugin_error, so that compilers see that it is an error.
 */
#define REQUIRE(condition, code, ...)                                                              \
  do {                                                                                             \
    if (__builtin_expect(!(condition), 0)) {                                                       \
      plugin_error((code), __VA_ARGS__);                                                           \
      return (code);                                                                               \
    }                                                                                              \
  } while (0)

/* The same for memory of the host: the message says what it was for. */
#define REQUIRE_MEMORY(pointer, ...)                                                               \
  REQUIRE(pointer, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for " __VA_ARGS__)

/* Returns from the calling function with the result of an expression that failed. */
#define TRY(expression)                                                                            \
  do {                                                                                             \
    const pi_result tried = (expression);                                                          \
    if (__builtin_expect(tried != PI_SUCCESS, 0))                                                  \
      return tried;                                                                                \
  } while (0)

#endif
