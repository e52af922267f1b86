/*
 * Errors of libspecpi: a code and one message per thread, which specpiGetLastError returns and
 * SPECPI_TRACE=errors prints.
 */
#ifndef SPECPI_ERROR_H
#define SPECPI_ERROR_H

#include <specpi/specpi.h>

#include "../plugins/base/nearest.h"

/*
 * Records the message for this thread and returns code. Rules as for the plugins: it says what was
 * wrong with which value, has no full stop, is cut at 1023 bytes. Control characters, line breaks
 * among them, become question marks. Never allocates.
 */
specpi_result error_set(specpi_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* The message about a name that nothing has, in the making. Starts as {.given = name}. */
typedef struct error_names {
  const char *given;
  nearest_word nearest;
  char list[400]; /* as many of the names that there are as fit */
  size_t used;
  size_t left_out;
} error_names;

/* Takes a name that there is, perhaps again; it stays valid until error_set_unknown. */
void error_names_offer(error_names *names, const char *name);

/*
 * As error_set. The message is: message, "no kernel is called" for instance, the given name, the
 * name that was probably meant, and all existing names.
 */
specpi_result error_set_unknown(specpi_result code, const char *sentence, const error_names *names)
    __attribute__((cold));

/* The failure of an allocation. */
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

/* The same for what every function that lists is called with, see specpi.h: (capacity, list,
 * count). */
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
