/*
 * Errors of libspecpi: a code and one message per thread, which specpiGetLastError returns and
 * SPECPI_TRACE=errors prints.
 */
#ifndef SPECPI_ERROR_H
#define SPECPI_ERROR_H

#include <specpi/specpi.h>

#include "../plugins/base/nearest.h"

/*
 * Records the message for this thread and returns code. The message says what was wrong with which
 * value, has no full stop, and is cut at 1023 bytes, as in the plugins. Control characters,
 * including line breaks, become question marks. Never allocates.
 */
specpi_result error_set(specpi_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Collects the message about an unknown name. Starts as {.given = name}. */
typedef struct error_names {
  const char *given;
  nearest_word nearest;
  char list[400]; /* as many of the existing names as fit */
  size_t used;
  size_t left_out;
} error_names;

/* Adds an existing name; repetitions are allowed. It must stay valid until error_set_unknown. */
void error_names_offer(error_names *names, const char *name);

/*
 * As error_set. The message consists of a start, e.g. "no kernel is called", the unknown name, the
 * name that was probably meant, and all existing names.
 */
specpi_result error_set_unknown(specpi_result code, const char *sentence, const error_names *names)
    __attribute__((cold));

/* Records that an allocation failed. */
static inline specpi_result error_memory(void) {
  error_set(SPECPI_ERROR_OUT_OF_MEMORY, "an allocation failed");
  return SPECPI_ERROR_OUT_OF_MEMORY;
}

/*
 * Returns from the calling function with a code and a message. The code is named once more, so that
 * compilers and analyzers see that it is an error.
 */
#define ERROR_FAIL(code, ...)                                                                      \
  do {                                                                                             \
    error_set(code, __VA_ARGS__);                                                                  \
    return code;                                                                                   \
  } while (0)

/* The same with SPECPI_ERROR_INVALID_ARGUMENT unless the condition holds. */
#define ERROR_REQUIRE(condition, ...)                                                              \
  do {                                                                                             \
    if (!(condition))                                                                              \
      ERROR_FAIL(SPECPI_ERROR_INVALID_ARGUMENT, __VA_ARGS__);                                      \
  } while (0)

/* The same for the parameters (capacity, list, count) of functions that return lists, see specpi.h.
 */
#define ERROR_REQUIRE_LIST(list, capacity, count)                                                  \
  do {                                                                                             \
    ERROR_REQUIRE(count, #count " is NULL");                                                       \
    ERROR_REQUIRE((list) || (capacity) == 0, #list " is NULL and " #capacity " is %zu", capacity); \
  } while (0)

/* Returns from the calling function with the result of an expression that failed. */
#define ERROR_TRY(expression)                                                                      \
  do {                                                                                             \
    const specpi_result error_try_result = (expression);                                           \
    if (error_try_result != SPECPI_SUCCESS)                                                        \
      return error_try_result;                                                                     \
  } while (0)

#endif
