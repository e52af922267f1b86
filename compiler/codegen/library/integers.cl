/*
 * Integer functions whose results are wrong or undefined at the limits of a type in libclc 15, or
 * that take long there.
 * test/codegen/exact compares all functions with exact results.
 */
#include "vectors.h"

/* X(type, its unsigned type). */
#define SIGNED(X) X(char, uchar) X(short, ushort) X(int, uint) X(long, ulong)

#define ABS(n, type, unsigned)                                                                     \
  unsigned##n API abs(type##n x) {                                                                 \
    const unsigned##n bits = as_##unsigned##n(x);                                                  \
    return x < (type)0 ? -bits : bits;                                                             \
  }
#define SUB_SAT(n, type)                                                                           \
  type##n API sub_sat(type##n x, type##n y) { return __builtin_elementwise_sub_sat(x, y); }
#define SIGNED_FUNCTIONS(type, unsigned)                                                           \
  ABS(, type, unsigned)                                                                            \
  COUNTS(ABS, type, unsigned)
SIGNED(SIGNED_FUNCTIONS)
SUB_SAT(, int)
SUB_SAT(, long)
COUNTS(SUB_SAT, int)
COUNTS(SUB_SAT, long)

/* libclc multiplies in parts. */
long product_high(long x, long y) __asm("llvm.nvvm.mulhi.ll");
ulong product_high_unsigned(ulong x, ulong y) __asm("llvm.nvvm.mulhi.ull");
long API mul_hi(long x, long y) {
  return product_high(x, y);
}
ulong API mul_hi(ulong x, ulong y) {
  return product_high_unsigned(x, y);
}
COUNTS(OF_TWO, mul_hi, long)
COUNTS(OF_TWO, mul_hi, ulong)

/* Computes the 128-bit sum in two halves. */
long API mad_sat(long x, long y, long z) {
  const ulong low = (ulong)x * (ulong)y, sum = low + (ulong)z;
  const long high = mul_hi(x, y) + (z >> 63) + (sum < low);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
#define MAD_SAT(n, unused)                                                                         \
  long##n API mad_sat(long##n x, long##n y, long##n z) {                                           \
    long##n made;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(long, made) = mad_sat(PART(long, x), PART(long, y), PART(long, z));                     \
    return made;                                                                                   \
  }
COUNTS(MAD_SAT, )
