/*
 * Errors of libspecpi-compiler: a code and one message per thread, which specpiCompilerGetLastError
 * returns.
 */
#ifndef COMPILER_ERROR_H
#define COMPILER_ERROR_H

#include <specpi/compiler.h>

/*
 * Records the message for this thread, and returns code. The message says what is wrong with which
 * value, without a full stop. It is truncated to 1023 bytes, and line breaks become spaces.
 * Never allocates.
 */
specpi_compiler_result compiler_error(specpi_compiler_result code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Records and returns the error of a failed allocation. */
static inline specpi_compiler_result compiler_error_memory(void) {
  compiler_error(SPECPI_COMPILER_ERROR_OUT_OF_MEMORY, "an allocation failed");
  return SPECPI_COMPILER_ERROR_OUT_OF_MEMORY;
}

/*
 * Returns from the calling function with a code and a message unless the condition holds.
 * It returns the code itself instead of compiler_error's result, so that compilers and analysers
 * see that the result is an error.
 */
#define COMPILER_REQUIRE(condition, code, ...)                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      compiler_error((code), __VA_ARGS__);                                                         \
      return (code);                                                                               \
    }                                                                                              \
  } while (0)

/* Returns from the calling function with the result of an expression that failed. */
#define COMPILER_TRY(expression)                                                                   \
  do {                                                                                             \
    const specpi_compiler_result compiler_try_result = (expression);                               \
    if (compiler_try_result != SPECPI_COMPILER_SUCCESS)                                            \
      return compiler_try_result;                                                                  \
  } while (0)

#endif
