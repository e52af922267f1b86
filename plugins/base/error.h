/*
 * An error is a code and a message. piPluginGetLastError returns the message of a thread's latest
 * error. With SPECPI_TRACE=errors the messages are also written to stderr, because many runtimes
 * show only the code.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <pi/pi.h>

/* OpenCL's CL_INVALID_SPEC_ID. PI has no name for this code, but runtimes accept any number. */
#define PI_ERROR_INVALID_SPEC_ID ((pi_result)-71)

/*
 * End of the message if all later calls for the device will fail. The error's code is
 * PI_ERROR_PLUGIN_SPECIFIC_ERROR, because PI has no code for a lost device.
 */
#define PLUGIN_DEVICE_LOST "this process cannot use the device any more"

/*
 * Status that a plugin returns instead of PI_SUCCESS if it found no platform. The codes are notes,
 * not errors, and therefore positive. OLD: the driver's version is too old, or it lacks a function.
 * BROKEN: the driver would crash the process, so the plugin does not use it.
 */
enum { PI_NOTE_DRIVER_ABSENT = 1, PI_NOTE_DRIVER_OLD, PI_NOTE_DRIVER_BROKEN };

/*
 * Records a message for this thread and returns code, so that a check can fail in one statement:
 * return plugin_error(PI_ERROR_INVALID_VALUE, "size is 0").
 *
 * The message says what was wrong, with the expected and the given values. It has no prefix, full
 * stop or line break, and is truncated to 1023 bytes. Never allocates.
 */
pi_result plugin_error(pi_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/*
 * Records a message for a call that succeeds with a result that the user may not expect, such as no
 * platform. piPluginGetLastError returns the message with PI_SUCCESS until this thread's next
 * message. SPECPI_TRACE=errors prints it, too.
 */
void plugin_note(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Writes a line to stderr; the second function only with SPECPI_TRACE=cache. */
void plugin_say(const char *line);
void plugin_trace_cache(const char *line);

/*
 * Returns this thread's latest code; *message receives the message, which is valid until the next
 * one. Before the first message: PI_SUCCESS and "".
 */
pi_result plugin_error_last(const char **message);

/*
 * Sets a function that is called with every message, on the thread that records it; NULL for none.
 * For a note code is PI_SUCCESS or positive. The message is valid until listener returns.
 */
void plugin_error_listen(void (*listener)(pi_result code, const char *sentence));

/*
 * Returns from the calling function with a code and a message unless the condition holds. Does not
 * return plugin_error's result, so that compilers see the constant code.
 */
#define REQUIRE(condition, code, ...)                                                              \
  do {                                                                                             \
    if (__builtin_expect(!(condition), 0)) {                                                       \
      plugin_error((code), __VA_ARGS__);                                                           \
      return (code);                                                                               \
    }                                                                                              \
  } while (0)

/* REQUIRE for an allocation. The arguments after pointer say what the memory is for. */
#define REQUIRE_MEMORY(pointer, ...)                                                               \
  REQUIRE(pointer, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for " __VA_ARGS__)

/* Returns from the calling function with the expression's result if that is an error. */
#define TRY(expression)                                                                            \
  do {                                                                                             \
    const pi_result tried = (expression);                                                          \
    if (__builtin_expect(tried != PI_SUCCESS, 0))                                                  \
      return tried;                                                                                \
  } while (0)

#endif
