/*
 * Functions of float and double for which libclc 15 returns wrong special values or denormals.
 * test/codegen/floats.py compares all functions with exact values. If libdevice is installed, its
 * functions are used instead (compiler/nvptx/libdevice.c). libclc_<name> is libclc's own function.
 */
#include "vectors.h"

/* libclc's vector functions contain copies of its scalar ones, so vectors are replaced, too. */
#define IN_VECTORS(FORM, name) COUNTS(FORM, name, float) COUNTS(FORM, name, double)

/* Calls libclc's function, unless a condition selects another value. */
#define UNLESS(name, type, condition, value)                                                       \
  type API libclc_##name(type x);                                                                  \
  type API name(type x) { return condition ? value : libclc_##name(x); }                           \
  COUNTS(OF_ONE, name, type)

/* ---- Exponents ---- */

/*
 * (type, integer of its size, digits, exponents of the largest and the smallest normal number).
 * Multiplication handles NaN, overflow and underflow. Only the last one may lose digits, so the
 * result is rounded once.
 */
#define LDEXP(type, whole, digits, most, least)                                                    \
  type API ldexp(type x, int exponent) {                                                           \
    exponent = clamp(exponent, 3 * (least), 3 * (most));                                           \
    for (; exponent > (most); exponent -= (most))                                                  \
      x *= POWER_OF_2(type, whole, digits, most, most);                                            \
    for (; exponent < (least); exponent -= (least) + (digits))                                     \
      x *= POWER_OF_2(type, whole, digits, most, (least) + (digits));                              \
    return x * POWER_OF_2(type, whole, digits, most, exponent);                                    \
  }                                                                                                \
  COUNTS(OF_INTS, ldexp, type)                                                                     \
  COUNTS(OF_AN_INT, ldexp, type)
#define POWER_OF_2(type, whole, digits, most, exponent)                                            \
  as_##type((whole)((exponent) + (most)) << ((digits)-1))
LDEXP(float, int, 24, 127, -126)
LDEXP(double, long, 53, 1023, -1022)

#define NEXTAFTER(type, whole)                                                                     \
  type API nextafter(type x, type y) {                                                             \
    if (isnan(x) || isnan(y))                                                                      \
      return x + y;                                                                                \
    if (x == y)                                                                                    \
      return y;                                                                                    \
    if (x == 0)                                                                                    \
      return copysign(as_##type((whole)1), y);                                                     \
    return as_##type((whole)(as_##whole(x) + ((x < y) == (x > 0) ? 1 : -1)));                      \
  }                                                                                                \
  COUNTS(OF_TWO, nextafter, type)
NEXTAFTER(half, short)
NEXTAFTER(float, int)
NEXTAFTER(double, long)

/* Returns e^r * 2^n for |r| up to 0.35. A denormal result is rounded once. */
static float scaled_exp(float r, int n) {
  float sum = 1.0f / 5040;
  sum = fma(sum, r, 1.0f / 720);
  sum = fma(sum, r, 1.0f / 120);
  sum = fma(sum, r, 1.0f / 24);
  sum = fma(sum, r, 1.0f / 6);
  sum = fma(sum, r, 0.5f);
  sum = fma(sum, r * r, r) + 1;
  return sum * as_float((127 + n / 2) << 23) * as_float((127 + n - n / 2) << 23);
}
float API exp(float x) {
  if (isnan(x))
    return x;
  x = clamp(x, -105.0f, 90.0f);
  const float n = rint(x * M_LOG2E_F);
  return scaled_exp(fma(n, 0x1.05c61p-29f, fma(n, -M_LN2_F, x)), (int)n);
}
float API exp2(float x) {
  if (isnan(x))
    return x;
  x = clamp(x, -152.0f, 130.0f);
  const float n = rint(x);
  return scaled_exp((x - n) * M_LN2_F, (int)n);
}
COUNTS(OF_ONE, exp, float)
COUNTS(OF_ONE, exp2, float)

/* The GPU's instruction errs by at most 2 ulp, as OpenCL allows; libclc divides by a square root. */
float approximate_rsqrt(float) __asm("llvm.nvvm.rsqrt.approx.f");
float API rsqrt(float x) {
  return approximate_rsqrt(x);
}
COUNTS(OF_ONE, rsqrt, float)

/* Rounds to the nearest integer, and halfway cases away from zero: the sum never rounds up. */
float add_f(float x, float y) __asm("llvm.nvvm.add.rz.f");
double add_d(double x, double y) __asm("llvm.nvvm.add.rz.d");
#define ROUND(type, whole, add)                                                                    \
  type API round(type x) {                                                                         \
    const whole sign = as_##whole(x) & (whole)1 << (8 * sizeof(whole) - 1);                        \
    return trunc(add(x, as_##type(sign | as_##whole((type)0.5))));                                 \
  }                                                                                                \
  COUNTS(OF_ONE, round, type)
ROUND(float, uint, add_f)
ROUND(double, ulong, add_d)

UNLESS(erfc, float, x > 2, (float)erfc((double)x))
UNLESS(erf, double, x == 0, x)
UNLESS(expm1, double, x == 0, x)

/* ---- Remainders ---- */

#define MAGNITUDE(x) (as_ulong(x) & 0x7ffffffffffffffful)

/* Splits a finite number into its significand, as an integer, and its exponent. */
static inline ulong digits_of(ulong magnitude, int *exponent) {
  *exponent = max((int)(magnitude >> 52), 1);
  return magnitude >> 52 == 0 ? magnitude : (magnitude & 0xffffffffffffful) | 1ul << 52;
}

/* Returns the remainder of |x| / |y| for finite numbers, and the low bits of the quotient, which is
 * rounded towards zero. */
static double rest_of(double x, double y, uint *quotient) {
  int exponent, place;
  ulong rest = digits_of(MAGNITUDE(x), &exponent);
  const ulong by = digits_of(MAGNITUDE(y), &place);
  *quotient = 0;
  if (exponent < place)
    return fabs(x);
  *quotient = (uint)(rest / by);
  rest %= by;
  for (int left = exponent - place; left > 0;) {
    const int step = min(left, 11);
    rest <<= step;
    *quotient = *quotient << step | (uint)(rest / by);
    rest %= by;
    left -= step;
  }
  return ldexp((double)rest, place - 1075);
}

double API fmod(double x, double y) {
  uint unused;
  if (isnan(x) || isnan(y) || isinf(x) || y == 0)
    return NAN;
  return isinf(y) ? x : copysign(rest_of(x, y, &unused), x);
}
double API remquo(double x, double y, int *quotient) {
  uint whole;
  *quotient = 0;
  if (isnan(x) || isnan(y) || isinf(x) || y == 0)
    return NAN;
  if (isinf(y))
    return x;
  const double rest = rest_of(x, y, &whole), other = fabs(y) - rest;
  const bool is_up = rest > other || (rest == other && (whole & 1) != 0);
  whole = (whole + is_up) & 0x7fffffff;
  *quotient = signbit(x) == signbit(y) ? (int)whole : -(int)whole;
  const double near = is_up ? rest - fabs(y) : rest;
  return signbit(x) ? -near : near;
}
double API remainder(double x, double y) {
  int unused;
  return remquo(x, y, &unused);
}
/* Remainders of floats are exact in double. */
float API fmod(float x, float y) {
  return (float)fmod((double)x, (double)y);
}
float API remquo(float x, float y, int *quotient) {
  return (float)remquo((double)x, (double)y, quotient);
}
float API remainder(float x, float y) {
  return (float)remainder((double)x, (double)y);
}
IN_VECTORS(OF_TWO, fmod)
IN_VECTORS(OF_TWO, remainder)

/* ---- Functions that store a second result ---- */

#define FRACT(type, below_one)                                                                     \
  type API fract(type x, type *whole) {                                                            \
    *whole = floor(x);                                                                             \
    const type rest = x - *whole;                                                                  \
    return x == 0 || isinf(x) ? copysign((type)0, x) : rest >= 1 ? (type)below_one : rest;         \
  }
FRACT(half, 0x1.ffcp-1)
FRACT(float, 0x1.fffffep-1f)
FRACT(double, 0x1.fffffffffffffp-1)

#define SINCOS(type)                                                                               \
  type API sincos(type x, type *cosine) {                                                          \
    *cosine = cos(x);                                                                              \
    return sin(x);                                                                                 \
  }
FLOATS(SINCOS)

/* The sign is 0 at poles. */
#define LGAMMA_R(type)                                                                             \
  type API lgamma_r(type x, int *sign) {                                                           \
    const type whole = floor(x), pair = whole * (type)0.5;                                         \
    const bool is_pole = x == 0 || (x < 0 && x == whole);                                          \
    *sign = is_pole ? 0 : x < 0 && pair != floor(pair) ? -1 : 1;                                   \
    return lgamma(x);                                                                              \
  }
FLOATS(LGAMMA_R)

half API modf(half x, half *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? (half)0 : (half)(x - *whole), x);
}
half API frexp(half x, int *exponent) {
  return (half)frexp((float)x, exponent);
}
half API remquo(half x, half y, int *quotient) {
  return (half)remquo((float)x, (float)y, quotient);
}

#define STORING_NUMBERS(type)                                                                      \
  IN_SPACES(STORING, fract, type, type)                                                            \
  IN_SPACES(STORING, sincos, type, type)                                                           \
  IN_SPACES(STORING, lgamma_r, type, int)                                                          \
  IN_SPACES(STORING_OF_TWO, remquo, type, int)
FLOATS(STORING_NUMBERS)
IN_SPACES(STORING, modf, half, half)
IN_SPACES(STORING, frexp, half, int)

/* ---- Roots and powers ---- */

double API hypot(double x, double y) {
  if (isinf(x) || isinf(y))
    return INFINITY;
  const double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y));
  if (larger == 0 || isnan(x) || isnan(y))
    return fabs(x) + fabs(y);
  /* Scales so that squares neither overflow nor underflow. */
  const int exponent = ilogb(larger);
  const double a = ldexp(larger, -exponent), b = ldexp(smaller, -exponent);
  return ldexp(sqrt(fma(a, a, b * b)), exponent);
}
COUNTS(OF_TWO, hypot, double)

#define ROOTN(type)                                                                                \
  type API libclc_rootn(type x, int n);                                                            \
  type API rootn(type x, int n) { return n == 1 ? x : n == -1 ? 1 / x : libclc_rootn(x, n); }      \
  COUNTS(OF_INTS, rootn, type)
ROOTN(float)
ROOTN(double)

/* ---- Angles ---- */

/* For NaN and infinity, libclc's functions of double would read outside of a table. */
UNLESS(sin, double, x == 0 || !isfinite(x), x * 0)
UNLESS(cos, double, !isfinite(x), x * 0)
UNLESS(tan, double, x == 0 || !isfinite(x), x * 0)
UNLESS(atan, double, x == 0, x)
double API atanpi(double x) {
  return copysign(atan(fabs(x)), x) * M_1_PI;
}
COUNTS(OF_ONE, atanpi, double)

/* libclc's sine and cosine of angle + rest, up to a quarter of pi. */
float __clc_sinf_piby4(float angle, float rest);
float __clc_cosf_piby4(float angle, float rest);
double2 __clc_sincos_piby4(double angle, double rest);
static inline float2 API sine_cosine(float angle, float rest) {
  return (float2)(__clc_sinf_piby4(angle, rest), __clc_cosf_piby4(angle, rest));
}
static inline double2 API sine_cosine(double angle, double rest) {
  return __clc_sincos_piby4(angle, rest);
}

/*
 * sinpi and cospi, where x counts half turns. beyond_quarter finds the quarter turn nearest to x,
 * and returns sine and cosine of the difference. Zeros have the signs that section 7.5.1 of OpenCL
 * C requires.
 */
#define OF_HALF_TURNS(type, pi, more_of_pi)                                                        \
  static inline type##2 API beyond_quarter(type x, uint *quarter) {                                \
    const type turn = x - 2 * floor(x * (type)0.5), nearest = rint(2 * turn);                      \
    const type rest = turn - nearest * (type)0.5, angle = rest * pi;                               \
    *quarter = (uint)nearest & 3;                                                                  \
    return sine_cosine(angle, fma(rest, pi, -angle) + rest * more_of_pi);                          \
  }                                                                                                \
  type API sinpi(type x) {                                                                         \
    uint quarter;                                                                                  \
    if (!isfinite(x))                                                                              \
      return NAN;                                                                                  \
    const type##2 parts = beyond_quarter(fabs(x), &quarter);                                       \
    const type part = quarter & 1 ? parts.y : parts.x;                                             \
    return part == 0 ? copysign(part, x) : (quarter > 1) != (x < 0) ? -part : part;                \
  }                                                                                                \
  type API cospi(type x) {                                                                         \
    uint quarter;                                                                                  \
    if (!isfinite(x))                                                                              \
      return NAN;                                                                                  \
    const type##2 parts = beyond_quarter(fabs(x), &quarter);                                       \
    const type part = quarter & 1 ? parts.x : parts.y;                                             \
    return part == 0 ? 0 : quarter == 1 || quarter == 2 ? -part : part;                            \
  }
OF_HALF_TURNS(float, M_PI_F, -0x1.777a5cp-24f)
OF_HALF_TURNS(double, M_PI, 0x1.1a62633145c07p-53)
IN_VECTORS(OF_ONE, sinpi)
IN_VECTORS(OF_ONE, cospi)

double API tanpi(double x) {
  const double whole = floor(fabs(x)), rest = fabs(x) - whole;
  const double sign = fmod(whole, 2) == 0 ? x : -x;
  return rest == 0     ? copysign(0.0, sign)
         : rest == 0.5 ? copysign((double)INFINITY, sign)
                       : sinpi(x) / cospi(x);
}
float API tanpi(float x) {
  return (float)tanpi((double)x);
}
IN_VECTORS(OF_ONE, tanpi)

/* ---- Hyperbolic functions: for NaN, libclc's functions of double read outside of a table ---- */

double API cosh(double x) {
  const double a = fabs(x), e = exp(a < 22 ? a : a * 0.5);
  return a < 22 ? 0.5 * (e + 1 / e) : 0.5 * e * e;
}
double API sinh(double x) {
  const double a = fabs(x), t = expm1(a < 22 ? a : a * 0.5);
  const double small = 0.5 * (a < 1 ? 2 * t - t * t / (t + 1) : t + t / (t + 1));
  return copysign(a < 22 ? small : 0.5 * (t + 1) * (t + 1), x);
}
double API tanh(double x) {
  const double a = fabs(x), t = expm1(a < 1 ? -2 * a : 2 * a);
  return isnan(x) ? x : copysign(a < 1 ? -t / (t + 2) : a < 22 ? 1 - 2 / (t + 2) : 1, x);
}
COUNTS(OF_ONE, cosh, double)
COUNTS(OF_ONE, sinh, double)
COUNTS(OF_ONE, tanh, double)

/* ---- The gamma function ---- */

/* Returns 1 / gamma(1 + x) for |x| up to 0.5, by its power series. */
static double inverse_gamma(double x) {
  static constant double factors[] = {
      1.00000000000000000000e+00,  5.77215664901532865549e-01, -6.55878071520253902449e-01,
      -4.20026350340952370210e-02, 1.66538611382291479313e-01, -4.21977345555443333902e-02,
      -9.62197152787697303211e-03, 7.21894324666309990246e-03, -1.16516759185906516871e-03,
      -2.15241674114950975192e-04, 1.28050282388116195512e-04, -2.01348547807882386862e-05,
      -1.25049348214267063072e-06, 1.13302723198169592860e-06, -2.05633841697760707339e-07,
      6.11609510448141608721e-09,  5.00200764446922294544e-09, -1.18127457048702004406e-09,
      1.04342671169110053979e-10,  7.78226343990507081432e-12, -3.69680561864220597869e-12};
  double sum = 0;
  for (int i = sizeof factors / sizeof factors[0] - 1; i >= 0; i--)
    sum = fma(sum, x, factors[i]);
  return sum;
}

/* Returns gamma(x) for x from 16 to 200 by Stirling's series, as two factors because their product
 * may overflow. */
static double2 large_gamma(double x) {
  const double power = pow(x, 0.5 * x - 0.25), part = 1 / x, square = part * part;
  double sum = 1.0 / 1188;
  sum = fma(-square, sum, 1.0 / 1680);
  sum = fma(-square, sum, 1.0 / 1260);
  sum = fma(-square, sum, 1.0 / 360);
  sum = fma(-square, sum, 1.0 / 12);
  const double root = 2.5066282746310005024; /* square root of 2 pi */
  return (double2)(power, power / exp(x) * exp(part * sum) * root);
}

double API tgamma(double x) {
  const double a = fabs(x), nearest = rint(a);
  if (isnan(x) || (x < 0 && floor(x) == x))
    return NAN;
  if (nearest == 0)
    return 1 / (x * inverse_gamma(x));
  double2 factors = (double2)(1 / inverse_gamma(a - nearest), 1);
  if (a > 200)
    factors = (double2)(INFINITY, INFINITY);
  else if (a > 16)
    factors = large_gamma(a);
  else
    for (double i = nearest - 1; i > 0; i--)
      factors.x *= a - i;
  return x > 0 ? factors.x * factors.y : -M_PI / (a * sinpi(a)) / factors.x / factors.y;
}
float API tgamma(float x) {
  return (float)tgamma((double)x);
}
IN_VECTORS(OF_ONE, tgamma)

UNLESS(lgamma, float, isinf(x) || fabs(x) < 1e-10f, isinf(x) ? INFINITY : -log(fabs(x)))
UNLESS(lgamma, double, isinf(x), INFINITY)
