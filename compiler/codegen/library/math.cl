/*
 * Functions that libclc lacks for NVPTX: functions of half, conversions of bfloat16, and DPC++'s
 * device libraries, which other runtimes link themselves.
 */
#include "device.h"

/* ---- Half: computed in float, and rounded again ---- */

#define HALF1(name)                                                                                \
  half API name(half x) { return (half)name((float)x); }                                           \
  VECTORS1(name)
#define HALF2(name)                                                                                \
  half API name(half x, half y) { return (half)name((float)x, (float)y); }                         \
  VECTORS2(name)
#define HALF3(name)                                                                                \
  half API name(half x, half y, half z) { return (half)name((float)x, (float)y, (float)z); }       \
  VECTORS3(name)
#define HALF_INT(name)                                                                             \
  half API name(half x, int y) { return (half)name((float)x, y); }
#define VECTOR(name, count, parameters, element)                                                   \
  half##count API name parameters {                                                                \
    half##count ret;                                                                               \
    for (uint i = 0; i < ELEMENTS(count); i++)                                                     \
      ((half *)&ret)[i] = element;                                                                 \
    return ret;                                                                                    \
  }
#define PART(vector) ((half *)&vector)[i]
#define VECTOR1(name, n) VECTOR(name, n, (half##n x), name(PART(x)))
#define VECTOR2(name, n) VECTOR(name, n, (half##n x, half##n y), name(PART(x), PART(y)))
#define VECTOR3(name, n)                                                                           \
  VECTOR(name, n, (half##n x, half##n y, half##n z), name(PART(x), PART(y), PART(z)))
#define COUNTS(X, name) X(name, 2) X(name, 3) X(name, 4) X(name, 8) X(name, 16)
#define VECTORS1(name) COUNTS(VECTOR1, name)
#define VECTORS2(name) COUNTS(VECTOR2, name)
#define VECTORS3(name) COUNTS(VECTOR3, name)

/* Rounds once. Computing in float would round twice. */
half fused_half(half x, half y, half z) __asm("llvm.fma.f16");
half API fma(half x, half y, half z) {
  return fused_half(x, y, z);
}
VECTORS3(fma) HALF1(acos) HALF1(acosh) HALF1(acospi) HALF1(asin) HALF1(asinh) HALF1(asinpi)
HALF1(atan) HALF1(atanh) HALF1(atanpi) HALF1(cbrt) HALF1(ceil) HALF1(cos) HALF1(cosh) HALF1(cospi)
HALF1(erf) HALF1(erfc) HALF1(exp) HALF1(exp2) HALF1(exp10) HALF1(expm1) HALF1(fabs) HALF1(floor)
HALF1(lgamma) HALF1(log) HALF1(log2) HALF1(log10) HALF1(log1p) HALF1(logb) HALF1(rint) HALF1(round)
HALF1(rsqrt) HALF1(sin) HALF1(sinh) HALF1(sinpi) HALF1(sqrt) HALF1(tan) HALF1(tanh) HALF1(tanpi)
HALF1(tgamma) HALF1(trunc) HALF1(sign) HALF1(degrees) HALF1(radians) HALF2(atan2) HALF2(atan2pi)
HALF2(fdim) HALF2(fmax) HALF2(fmin) HALF2(fmod) HALF2(hypot) HALF2(maxmag)
HALF2(minmag) HALF2(pow) HALF2(powr) HALF2(remainder) HALF2(step) HALF2(max) HALF2(min) HALF3(mad)
HALF3(mix) HALF3(clamp) HALF3(smoothstep) HALF_INT(pown) HALF_INT(rootn) HALF_INT(ldexp)

/* Works on the bits, because a conversion of NaN may lose its sign. */
half API copysign(half x, half y) {
  return as_half((ushort)((as_ushort(x) & 0x7fff) | (as_ushort(y) & 0x8000)));
}
VECTORS2(copysign)

int API ilogb(half x) {
  return ilogb((float)x);
}

/* True is 1 for scalars and -1 for vectors. */
#define ASK_VECTOR(name, n, parameters, element)                                                   \
  short##n API name parameters {                                                                   \
    short##n ret;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((short *)&ret)[i] = element ? -1 : 0;                                                       \
    return ret;                                                                                    \
  }
#define ASK1_VECTOR(name, n) ASK_VECTOR(name, n, (half##n x), name(PART(x)))
#define ASK2_VECTOR(name, n) ASK_VECTOR(name, n, (half##n x, half##n y), name(PART(x), PART(y)))
#define ASK1(name)                                                                                 \
  int API name(half x) { return name((float)x); }                                                  \
  COUNTS(ASK1_VECTOR, name)
#define ASK2(name)                                                                                 \
  int API name(half x, half y) { return name((float)x, (float)y); }                                \
  COUNTS(ASK2_VECTOR, name)
ASK1(isnan) ASK1(isinf) ASK1(isfinite) ASK2(isequal) ASK2(isnotequal) ASK2(isgreater)
ASK2(isgreaterequal) ASK2(isless) ASK2(islessequal) ASK2(islessgreater) ASK2(isordered)
ASK2(isunordered)

int API
    isnormal(half x) {
  const ushort exponent = as_ushort(x) & 0x7c00;
  return exponent != 0 && exponent != 0x7c00;
}

/* Works on the bits, because a conversion of NaN may lose its sign. */
int API signbit(half x) {
  return as_ushort(x) >> 15;
}
COUNTS(ASK1_VECTOR, signbit)

/* ---- bfloat16: the upper half of a float, rounded to nearest, ties to even ---- */

static inline ushort to_bfloat16(float value) {
  const uint bits = as_uint(value);
  return isnan(value) ? (ushort)(bits >> 16 | 0x40)
                      : (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static inline float from_bfloat16(ushort value) {
  return as_float((uint)value << 16);
}
#define BFLOAT16(n)                                                                                \
  ushort##n API intel_convert_bfloat16##n##_as_ushort##n(float##n value) {                         \
    ushort##n ret;                                                                                 \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((ushort *)&ret)[i] = to_bfloat16(((float *)&value)[i]);                                     \
    return ret;                                                                                    \
  }                                                                                                \
  float##n API intel_convert_as_bfloat16##n##_float##n(ushort##n value) {                          \
    float##n ret;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      ((float *)&ret)[i] = from_bfloat16(((ushort *)&value)[i]);                                   \
    return ret;                                                                                    \
  }
BFLOAT16()
BFLOAT16(2) BFLOAT16(3) BFLOAT16(4) BFLOAT16(8) BFLOAT16(16)

ushort __devicelib_ConvertFToBF16INTEL(const float *value) {
  return to_bfloat16(*value);
}
float __devicelib_ConvertBF16ToFINTEL(const ushort *value) {
  return from_bfloat16(*value);
}

/* ---- DPC++'s device libraries ---- */

#define LIBRARY1(name)                                                                             \
  float __devicelib_##name##f(float x) { return name(x); }                                         \
  double __devicelib_##name(double x) { return name(x); }
#define LIBRARY2(name)                                                                             \
  float __devicelib_##name##f(float x, float y) { return name(x, y); }                             \
  double __devicelib_##name(double x, double y) { return name(x, y); }
LIBRARY1(acos) LIBRARY1(acosh) LIBRARY1(asin) LIBRARY1(asinh) LIBRARY1(atan) LIBRARY1(atanh)
LIBRARY1(cbrt) LIBRARY1(ceil) LIBRARY1(cos) LIBRARY1(cosh) LIBRARY1(erf) LIBRARY1(erfc)
LIBRARY1(exp) LIBRARY1(exp2) LIBRARY1(expm1) LIBRARY1(fabs) LIBRARY1(floor) LIBRARY1(lgamma)
LIBRARY1(log) LIBRARY1(log10) LIBRARY1(log1p) LIBRARY1(log2) LIBRARY1(logb) LIBRARY1(rint)
LIBRARY1(round) LIBRARY1(sin) LIBRARY1(sinh) LIBRARY1(sqrt) LIBRARY1(tan) LIBRARY1(tanh)
LIBRARY1(tgamma) LIBRARY1(trunc) LIBRARY2(atan2) LIBRARY2(copysign) LIBRARY2(fdim) LIBRARY2(fmax)
LIBRARY2(fmin) LIBRARY2(fmod) LIBRARY2(hypot) LIBRARY2(nextafter) LIBRARY2(pow) LIBRARY2(remainder)

float __devicelib_fmaf(float x, float y, float z) {
  return fma(x, y, z);
}
double __devicelib_fma(double x, double y, double z) {
  return fma(x, y, z);
}
float __devicelib_ldexpf(float x, int y) {
  return ldexp(x, y);
}
double __devicelib_ldexp(double x, int y) {
  return ldexp(x, y);
}
float __devicelib_scalbnf(float x, int y) {
  return ldexp(x, y);
}
double __devicelib_scalbn(double x, int y) {
  return ldexp(x, y);
}
int __devicelib_ilogbf(float x) {
  return ilogb(x);
}
int __devicelib_ilogb(double x) {
  return ilogb(x);
}
float __devicelib_frexpf(float x, int *y) {
  return frexp(x, y);
}
double __devicelib_frexp(double x, int *y) {
  return frexp(x, y);
}
float __devicelib_modff(float x, float *y) {
  return modf(x, y);
}
double __devicelib_modf(double x, double *y) {
  return modf(x, y);
}
float __devicelib_remquof(float x, float y, int *z) {
  return remquo(x, y, z);
}
double __devicelib_remquo(double x, double y, int *z) {
  return remquo(x, y, z);
}

/* CUDA's function, which prints the failed assertion and ends the kernel. */
void __assertfail(const char *message, const char *file, uint line, const char *function,
                  size_t char_size);
void __devicelib_assert_fail(const char *expression, const char *file, int line,
                             const char *function, size_t global_x, size_t global_y,
                             size_t global_z, size_t local_x, size_t local_y, size_t local_z) {
  __assertfail(expression, file, (uint)line, function, 1);
}
void __assert_fail(const char *expression, const char *file, uint line, const char *function) {
  __assertfail(expression, file, line, function, 1);
}
