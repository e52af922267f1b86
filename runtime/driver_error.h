/* Errors of libspecpi that come from a plugin or its driver. */
#ifndef SPECPI_DRIVER_ERROR_H
#define SPECPI_DRIVER_ERROR_H

#include "error.h"

/*
 * The plugin's message about this thread's latest call, which failed with code; "" if there is
 * none. A plugin that records no message for a failure still has an older message, which is
 * recognised by its code. Valid until the thread's next call.
 */
const char *driver_words(const pi_function_table *pi, pi_result code);

/*
 * Records that a call failed, and returns the code for it: SPECPI_ERROR_OUT_OF_MEMORY if host
 * memory is exhausted, SPECPI_ERROR_UNSUPPORTED if the plugin lacks the function, otherwise
 * SPECPI_ERROR_DRIVER. The message is the formatted text, which names the call and its object, then
 * PI's code, then the plugin's own message if there is one.
 */
specpi_result driver_error(const pi_function_table *pi, pi_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Returns from the calling function if code, a plugin call's result, is a failure. */
#define DRIVER_TRY(pi, code, ...)                                                                  \
  do {                                                                                             \
    const pi_result driver_try_code = (code);                                                      \
    if (driver_try_code != PI_SUCCESS)                                                             \
      return driver_error(pi, driver_try_code, __VA_ARGS__);                                       \
  } while (0)

#endif
