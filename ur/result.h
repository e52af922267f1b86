/*
 * Failures of UR's entries: a result and one message, which urAdapterGetLastError returns. The
 * objects below use PI's codes (base/error.h), which become UR's here.
 */
#ifndef UR_RESULT_H
#define UR_RESULT_H

#include "../plugins/base/error.h"

#include <ur/ur.h>

/* UR's result for a result of PI; UR_RESULT_ERROR_UNKNOWN if there is no equivalent. */
ur_result_t face_result(pi_result result);

/* Records the message for this thread, as plugin_error does, and returns code. */
ur_result_t face_error(ur_result_t code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Returns from the calling function with a result and a message unless the condition holds. */
#define UR_REQUIRE(condition, code, ...)                                                           \
  do {                                                                                             \
    if (__builtin_expect(!(condition), 0)) {                                                       \
      face_error((code), __VA_ARGS__);                                                             \
      return (code);                                                                               \
    }                                                                                              \
  } while (0)

/* The same for a pointer that must not be NULL. */
#define UR_REQUIRE_POINTER(pointer)                                                                \
  UR_REQUIRE(pointer, UR_RESULT_ERROR_INVALID_NULL_POINTER, #pointer " is NULL")

/* UR_REQUIRE_FLAGS does the same for flags that must all be known. FLAGS_UP_TO has all flags up to
 * the last one. */
#define UR_REQUIRE_FLAGS(flags, known)                                                             \
  UR_REQUIRE(((flags) & ~(uint32_t)(known)) == 0, UR_RESULT_ERROR_INVALID_ENUMERATION,             \
             #flags " is 0x%x, which has bits outside of 0x%x", (flags), (uint32_t)(known))
#define FLAGS_UP_TO(last) ((uint32_t)(last)*2 - 1)

/* Returns from the calling function with UR's result if an expression with a PI result failed. */
#define UR_TRY(expression)                                                                         \
  do {                                                                                             \
    const pi_result tried = (expression);                                                          \
    if (__builtin_expect(tried != PI_SUCCESS, 0))                                                  \
      return face_result(tried);                                                                   \
  } while (0)

/* The same for an expression with a UR result. */
#define UR_PASS(expression)                                                                        \
  do {                                                                                             \
    const ur_result_t passed = (expression);                                                       \
    if (__builtin_expect(passed != UR_RESULT_SUCCESS, 0))                                          \
      return passed;                                                                               \
  } while (0)

#endif
