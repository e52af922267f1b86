/* Variables, and the types that SPECPI_VALUE must find for them in C and in C++. */
#ifndef TEST_UNIT_VALUE_VARIABLES_H
#define TEST_UNIT_VALUE_VARIABLES_H

#include <specpi/value.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct value_pair {
  int first;
  float second;
} value_pair;

/* X(TYPE, type, name, suffix) */
#define VALUE_VARIABLES(X)                                                                         \
  X(BOOL, bool, flag, )                                                                            \
  X(I8, char, letter, )                                                                            \
  X(I8, int8_t, tiny, )                                                                            \
  X(I8, uint8_t, byte, )                                                                           \
  X(I16, int16_t, small, )                                                                         \
  X(I16, uint16_t, word, )                                                                         \
  X(I32, int, whole, )                                                                             \
  X(I32, unsigned, natural, )                                                                      \
  X(I64, int64_t, big, )                                                                           \
  X(I64, size_t, extent, )                                                                         \
  X(I64, long long, longer, )                                                                      \
  X(I64, unsigned long long, longest, )                                                            \
  X(F32, float, real, )                                                                            \
  X(F64, double, wide, )                                                                           \
  X(F32, float, weights, [3])                                                                      \
  X(I32, int, numbers, [1])                                                                        \
  X(BOOL, bool, flags, [2])                                                                        \
  X(NONE, long double, widest, )                                                                   \
  X(NONE, value_pair, pair, )                                                                      \
  X(NONE, value_pair, pairs, [2])

/* Counts the variables and constants for which SPECPI_VALUE is wrong. */
static size_t count_wrong_values(void) {
  size_t wrong = 0;
#define VALUE_VARIABLE(TYPE, type, variable, suffix)                                               \
  {                                                                                                \
    type variable suffix;                                                                          \
    memset((void *)&variable, 0, sizeof variable);                                                 \
    const specpi_value value = SPECPI_VALUE(#variable, variable);                                  \
    wrong += strcmp(value.name, #variable) != 0 || value.value != (const void *)&variable ||       \
             value.size != SPECPI_TYPED_SIZE(SPECPI_TYPE_##TYPE, sizeof variable);                 \
  }
  VALUE_VARIABLES(VALUE_VARIABLE)
#undef VALUE_VARIABLE
  static const float constant = 1;
  static const int16_t constants[2] = {1, 2};
  static const specpi_value values[] = {SPECPI_VALUE("constant", constant),
                                        SPECPI_VALUE("constants", constants)};
  wrong += values[0].size != SPECPI_TYPED_SIZE(SPECPI_TYPE_F32, 4);
  wrong += values[1].size != SPECPI_TYPED_SIZE(SPECPI_TYPE_I16, 4);
  return wrong;
}

#endif
