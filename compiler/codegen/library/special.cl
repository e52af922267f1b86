/*
 * Functions that libclc 15 has, and whose special values it gets wrong: test/codegen/special.py
 * compares them with another implementation.
 */
#include "vectors.h"

/* NaN, and exponents that do not fit, come out of products by themselves. */
double API ldexp(double x, int exponent) {
  exponent = clamp(exponent, -2200, 2200);
  for (; exponent > 1023; exponent -= 1023)
    x *= 0x1p1023;
  /* 53 bits are kept until the last step, so that it rounds once. */
  for (; exponent < -1022; exponent += 969)
    x *= 0x1p-969;
  return x * as_double((long)(exponent + 1023) << 52);
}

double API hypot(double x, double y) {
  if (isinf(x) || isinf(y))
    return INFINITY;
  const double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y));
  if (larger == 0 || isnan(x) || isnan(y))
    return fabs(x) + fabs(y);
  /* Squares neither overflow nor vanish. */
  const int exponent = ilogb(larger);
  const double a = ldexp(larger, -exponent), b = ldexp(smaller, -exponent);
  return ldexp(sqrt(fma(a, a, b * b)), exponent);
}

double API atanpi(double x) {
  return copysign(atan(fabs(x)), x) * M_1_PI;
}

/* Zeros and infinities have the signs that section 7.5.1 of OpenCL C asks for. */
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

/*
 * Without a libdevice. libclc's hyperbolic functions of double read a table at a place that they
 * compute from NaN, too; its atan takes -0 for 0, and its sinpi, cospi and tgamma have the wrong
 * zeros, or too few bits.
 */
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

/* libclc's vectors have copies of its own functions. */
COUNTS(OF_INTS, ldexp, double)
COUNTS(OF_AN_INT, ldexp, double)
COUNTS(OF_TWO, hypot, double)
COUNTS(OF_ONE, atanpi, double)
COUNTS(OF_ONE, tanpi, double)
COUNTS(OF_ONE, tanpi, float)
COUNTS(OF_ONE, cosh, double)
COUNTS(OF_ONE, sinh, double)
COUNTS(OF_ONE, tanh, double)
