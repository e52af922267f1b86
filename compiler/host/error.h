/* Failures of the functions of this directory. */
#ifndef COMPILER_HOST_ERROR_H
#define COMPILER_HOST_ERROR_H

#include "host.h"

/*
 * Records the message for this thread, without a full stop, and returns the result. It is cut at
 * 1023 bytes; line breaks become spaces. Never allocates.
 */
host_result host_error(host_result result, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

static inline host_result host_error_memory(void) {
  host_error(HOST_ERROR_OUT_OF_MEMORY, "an allocation failed");
  return HOST_ERROR_OUT_OF_MEMORY;
}

/* Returns from the calling function with a result and a message unless the condition holds. */
#define HOST_REQUIRE(condition, result, ...)                                                       \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      host_error((result), __VA_ARGS__);                                                           \
      return (result);                                                                             \
    }                                                                                              \
  } while (0)

/* Returns from the calling function with the result of an expression that failed. */
#define HOST_TRY(expression)                                                                       \
  do {                                                                                             \
    const host_result host_try_result = (expression);                                              \
    if (host_try_result != HOST_SUCCESS)                                                           \
      return host_try_result;                                                                      \
  } while (0)

#endif
