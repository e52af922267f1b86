/*
 * Conversions that round or saturate, and those from and to half, which libclc lacks. Conversions
 * from half go through float, which is exact; those to half go through double, which keeps all
 * digits that matter for rounding.
 */
#include "device.h"

/* X(n, ...): numbers of elements of vectors; empty for a scalar. */
#define COUNTS(X, ...)                                                                             \
  X(, __VA_ARGS__)                                                                                 \
  X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)
/* X(suffix, ...): explicit rounding modes. */
#define ROUNDINGS(X, ...)                                                                          \
  X(_rte, __VA_ARGS__) X(_rtz, __VA_ARGS__) X(_rtp, __VA_ARGS__) X(_rtn, __VA_ARGS__)

/* ---- From integers, by the GPU's own roundings ---- */

/*
 * libclc rounds to nearest, and converts back to see which way it rounded. There the largest
 * integers saturate, so that they seem exact. Rounding towards zero is done by rounding up or down,
 * because InstCombine replaces LLVM's intrinsics for it by conversions that round to nearest.
 */

/* X(from, to, LLVM's name of the conversion). */
#define ROUNDED(X)                                                                                 \
  X(int, float, i2f)                                                                               \
  X(uint, float, ui2f)                                                                             \
  X(long, float, ll2f)                                                                             \
  X(ulong, float, ull2f)                                                                           \
  X(long, double, ll2d)                                                                            \
  X(ulong, double, ull2d)
#define ROUNDED_WHERE(n, from, to, name, suffix, up)                                               \
  to##n API convert_##to##n##suffix(from##n x) {                                                   \
    to##n made;                                                                                    \
    for (uint i = 0; i < ELEMENTS(n); i++) {                                                       \
      const from one = ((from *)&x)[i];                                                            \
      ((to *)&made)[i] = (up) ? name##_up(one) : name##_down(one);                                 \
    }                                                                                              \
    return made;                                                                                   \
  }
#define FROM_INTEGER(from, to, name)                                                               \
  to name##_up(from x) __asm("llvm.nvvm." #name ".rp");                                            \
  to name##_down(from x) __asm("llvm.nvvm." #name ".rm");                                          \
  COUNTS(ROUNDED_WHERE, from, to, name, _rtp, true)                                                \
  COUNTS(ROUNDED_WHERE, from, to, name, _rtn, false)                                               \
  COUNTS(ROUNDED_WHERE, from, to, name, _rtz, one < 0)
ROUNDED(FROM_INTEGER)

/* ---- From floats to integers, saturated ---- */

/*
 * PTX's conversions to 32 and 64 bits saturate. They turn NaN into 0 only if both types have 32
 * bits, so the code tests for NaN. Rounding to zero is a truncation first, because InstCombine
 * replaces LLVM's intrinsics for it by conversions that are undefined outside of the range.
 */

/* X(from, wide, LLVM's name of the conversion): conversions that PTX has. */
#define SATURATED(X)                                                                               \
  X(float, int, f2i)                                                                               \
  X(float, uint, f2ui)                                                                             \
  X(float, long, f2ll)                                                                             \
  X(float, ulong, f2ull)                                                                           \
  X(double, int, d2i)                                                                              \
  X(double, uint, d2ui)                                                                            \
  X(double, long, d2ll)                                                                            \
  X(double, ulong, d2ull)
#define SATURATE(from, wide, name)                                                                 \
  wide name##_near(from x) __asm("llvm.nvvm." #name ".rn");                                        \
  wide name##_up(from x) __asm("llvm.nvvm." #name ".rp");                                          \
  wide name##_down(from x) __asm("llvm.nvvm." #name ".rm");
SATURATED(SATURATE)

/* X(from, to, LLVM's name of a wider conversion, its result limited to the range of to). */
#define NARROWED(X)                                                                                \
  X(float, char, f2i, clamp(wide, CHAR_MIN, CHAR_MAX))                                             \
  X(float, uchar, f2ui, min(wide, (uint)UCHAR_MAX))                                                \
  X(float, short, f2i, clamp(wide, SHRT_MIN, SHRT_MAX))                                            \
  X(float, ushort, f2ui, min(wide, (uint)USHRT_MAX))                                               \
  X(double, char, d2i, clamp(wide, CHAR_MIN, CHAR_MAX))                                            \
  X(double, uchar, d2ui, min(wide, (uint)UCHAR_MAX))                                               \
  X(double, short, d2i, clamp(wide, SHRT_MIN, SHRT_MAX))                                           \
  X(double, ushort, d2ui, min(wide, (uint)USHRT_MAX))
#define SATURATED_WHERE(n, from, to, name, suffix, value, narrow)                                  \
  to##n API convert_##to##n##_sat##suffix(from##n x) {                                             \
    to##n made;                                                                                    \
    for (uint i = 0; i < ELEMENTS(n); i++) {                                                       \
      const from one = ((from *)&x)[i];                                                            \
      const __typeof(name##_near(one)) wide = value;                                               \
      ((to *)&made)[i] = one != one ? 0 : narrow;                                                  \
    }                                                                                              \
    return made;                                                                                   \
  }
#define FROM_FLOAT(from, to, name, narrow)                                                         \
  COUNTS(SATURATED_WHERE, from, to, name, , name##_near(__builtin_elementwise_trunc(one)), narrow) \
  COUNTS(SATURATED_WHERE, from, to, name, _rtz, name##_near(__builtin_elementwise_trunc(one)),     \
         narrow)                                                                                   \
  COUNTS(SATURATED_WHERE, from, to, name, _rte, name##_near(one), narrow)                          \
  COUNTS(SATURATED_WHERE, from, to, name, _rtp, name##_up(one), narrow)                            \
  COUNTS(SATURATED_WHERE, from, to, name, _rtn, name##_down(one), narrow)
#define FROM_FLOAT_WIDE(from, to, name) FROM_FLOAT(from, to, name, wide)
SATURATED(FROM_FLOAT_WIDE)
NARROWED(FROM_FLOAT)

/* ---- From double to float ---- */

#define DOUBLE_TO_FLOAT(n, suffix, mode)                                                           \
  float##n API convert_float##n##suffix(double##n x) {                                             \
    float##n made;                                                                                 \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((float *)&made)[i] = d2f_##mode(((double *)&x)[i]);                                         \
    return made;                                                                                   \
  }
#define DIRECTION(suffix, mode)                                                                    \
  float d2f_##mode(double x) __asm("llvm.nvvm.d2f." #mode);                                        \
  COUNTS(DOUBLE_TO_FLOAT, suffix, mode)
DIRECTION(_rtz, rz)
DIRECTION(_rtp, rp)
DIRECTION(_rtn, rm)

/* ---- From half ---- */

#define FROM(n, suffix, type)                                                                      \
  type##n API convert_##type##n##suffix(half##n x) {                                               \
    float##n whole;                                                                                \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((float *)&whole)[i] = (float)((half *)&x)[i];                                               \
    return convert_##type##n##suffix(whole);                                                       \
  }
#define FROM_ROUNDED(suffix, type) COUNTS(FROM, suffix, type)
#define FROM_SATURATED(suffix, type) COUNTS(FROM, _sat##suffix, type)
#define FROM_HALF(type) COUNTS(FROM, , type) ROUNDINGS(FROM_ROUNDED, type)
#define FROM_HALF_SATURATED(type)                                                                  \
  FROM_HALF(type) COUNTS(FROM, _sat, type) ROUNDINGS(FROM_SATURATED, type)
INTEGERS(FROM_HALF_SATURATED)
FROM_HALF(float)
FROM_HALF(double)

/* ---- To half ---- */

static inline half nearest_half(double x) {
  return (half)x;
}

/* Returns the next larger half if up, or else the next smaller one. */
static inline half next_half(half x, bool up) {
  const ushort bits = as_ushort(x);
  if ((bits & 0x7fff) == 0)
    return as_half((ushort)(up ? 1 : 0x8001));
  return as_half((ushort)((bits >> 15 == 0) == up ? bits + 1 : bits - 1));
}
static inline half half_rte(double x) {
  return nearest_half(x);
}
static inline half half_rtp(double x) {
  const half near = nearest_half(x);
  return (double)near < x ? next_half(near, true) : near;
}
static inline half half_rtn(double x) {
  const half near = nearest_half(x);
  return (double)near > x ? next_half(near, false) : near;
}
static inline half half_rtz(double x) {
  return x < 0 ? half_rtp(x) : half_rtn(x);
}

#define TO(n, suffix, type, as)                                                                    \
  half##n API convert_half##n##suffix(type##n x) {                                                 \
    half##n made;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((half *)&made)[i] = half##as((double)((type *)&x)[i]);                                      \
    return made;                                                                                   \
  }
#define TO_ROUNDED(suffix, type) COUNTS(TO, suffix, type, suffix)
#define TO_HALF(type) COUNTS(TO, , type, _rte) ROUNDINGS(TO_ROUNDED, type)
NUMBERS(TO_HALF)

/* ---- Stores of halves, rounded up and down: libclc's flush results below the smallest half to 0
 * ---- */

#define STORE(suffix, type, space)                                                                 \
  void API vstore_half##suffix(type x, size_t at, space half *to) {                                \
    to[at] = convert_half##suffix(x);                                                              \
  }                                                                                                \
  STORE_VECTOR(2, 2, suffix, type, space)                                                          \
  STORE_VECTOR(3, 4, suffix, type, space)                                                          \
  STORE_VECTOR(4, 4, suffix, type, space)                                                          \
  STORE_VECTOR(8, 8, suffix, type, space)                                                          \
  STORE_VECTOR(16, 16, suffix, type, space)
#define STORE_VECTOR(n, stride, suffix, type, space)                                               \
  void API vstore_half##n##suffix(type##n x, size_t at, space half *to) {                          \
    vstore##n(convert_half##n##suffix(x), at, to);                                                 \
  }                                                                                                \
  void API vstorea_half##n##suffix(type##n x, size_t at, space half *to) {                         \
    vstore##n(convert_half##n##suffix(x), 0, to + at * stride);                                    \
  }
#define STORES(type, space) STORE(_rtp, type, space) STORE(_rtn, type, space)
STORES(float, global)
STORES(float, local)
STORES(float, private)
STORES(double, global)
STORES(double, local)
STORES(double, private)
