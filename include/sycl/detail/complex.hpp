/*
 * Complex multiplication and division on devices. For operators of complex numbers, those of
 * std::complex included, clang calls functions of its own runtime library, which devices do not
 * have. This file defines them. They treat infinities and NaNs as in C17, Annex G.5.1, and compute
 * in the operands' type only.
 */
#ifndef SYCL_DETAIL_COMPLEX_HPP
#define SYCL_DETAIL_COMPLEX_HPP

#ifdef __SYCL_DEVICE_ONLY__

namespace sycl::detail {

namespace builtin {
float logb(float x) noexcept __asm__("_Z4logbf");
double logb(double x) noexcept __asm__("_Z4logbd");
} // namespace builtin

inline float with_sign(float value, float sign) noexcept {
  return __builtin_copysignf(value, sign);
}
inline double with_sign(double value, double sign) noexcept {
  return __builtin_copysign(value, sign);
}

/* 2 to the exponent, a normal number. ldexp is not used, because on some devices it turns values
 * that are no numbers into numbers. */
template <class T> T power_of_2(int exponent) noexcept {
  if constexpr (sizeof(T) == sizeof(float))
    return __builtin_bit_cast(T, static_cast<unsigned>(exponent + 127) << 23);
  else
    return __builtin_bit_cast(T, static_cast<unsigned long>(exponent + 1023) << 52);
}

template <class T> struct complex_parts {
  T re;
  T im;

  bool has_infinity() const noexcept {
    return __builtin_isinf(re) || __builtin_isinf(im);
  }
  bool is_finite() const noexcept {
    return __builtin_isfinite(re) && __builtin_isfinite(im);
  }
  bool is_nan() const noexcept {
    return __builtin_isnan(re) && __builtin_isnan(im);
  }
  /* Replaces infinite parts by 1 and others by 0, each with its sign. */
  complex_parts direction() const noexcept {
    return {with_sign(__builtin_isinf(re) ? T(1) : T(0), re),
            with_sign(__builtin_isinf(im) ? T(1) : T(0), im)};
  }
  /* Replaces NaN parts by 0, each with its sign. */
  complex_parts numbers() const noexcept {
    return {__builtin_isnan(re) ? with_sign(T(0), re) : re,
            __builtin_isnan(im) ? with_sign(T(0), im) : im};
  }
  complex_parts times(T factor) const noexcept {
    return {factor * re, factor * im};
  }
  /*
   * Multiplies in two steps, because 2 to the n of a subnormal number is out of the type's range.
   */
  complex_parts times_power_of_2(int n) const noexcept {
    const T power = power_of_2<T>(n / 2);
    return times(power).times(power_of_2<T>(n - n / 2));
  }
};

/* Products are stored in variables, so that the compiler forms no fused multiply-add of them. */
template <class T>
complex_parts<T> complex_product(const complex_parts<T> &x, const complex_parts<T> &y) noexcept {
  const T rr = x.re * y.re;
  const T ii = x.im * y.im;
  const T ri = x.re * y.im;
  const T ir = x.im * y.re;
  return {rr - ii, ri + ir};
}

template <class T> complex_parts<T> multiply(complex_parts<T> x, complex_parts<T> y) noexcept {
  const complex_parts<T> product = complex_product(x, y);
  if (!product.is_nan())
    return product;
  const bool overflows = __builtin_isinf(x.re * y.re) || __builtin_isinf(x.im * y.im) ||
                         __builtin_isinf(x.re * y.im) || __builtin_isinf(x.im * y.re);
  if (!x.has_infinity() && !y.has_infinity() && !overflows)
    return product;
  x = x.has_infinity() ? x.direction() : x.numbers();
  y = y.has_infinity() ? y.direction() : y.numbers();
  return complex_product(x, y).times(T(__builtin_inff()));
}

template <class T> complex_parts<T> divide(complex_parts<T> x, complex_parts<T> y) noexcept {
  const T re = __builtin_elementwise_abs(y.re);
  const T im = __builtin_elementwise_abs(y.im);
  const T exponent = builtin::logb(re > im ? re : im);
  const int scale = __builtin_isfinite(exponent) ? -static_cast<int>(exponent) : 0;
  const complex_parts<T> scaled = y.times_power_of_2(scale);
  const complex_parts<T> conjugate = {scaled.re, -scaled.im};
  const T square = complex_product(scaled, conjugate).re;
  const complex_parts<T> product = complex_product(x, conjugate);
  const complex_parts<T> quotient =
      complex_parts<T>{product.re / square, product.im / square}.times_power_of_2(scale);
  if (!quotient.is_nan())
    return quotient;
  const T infinity = T(__builtin_inff());
  if (square == 0 && !x.is_nan())
    return x.times(with_sign(infinity, y.re));
  if (x.has_infinity() && y.is_finite())
    return complex_product(x.direction(), conjugate).times(infinity);
  if (y.has_infinity() && x.is_finite()) {
    const complex_parts<T> far = y.direction();
    return complex_product(x, {far.re, -far.im}).times(0);
  }
  return quotient;
}

} // namespace sycl::detail

/* X(name, type, operation): the functions that clang calls. No source refers to them. */
#define SYCL_DETAIL_COMPLEX(X)                                                                     \
  X(__mulsc3, float, multiply)                                                                     \
  X(__muldc3, double, multiply)                                                                    \
  X(__divsc3, float, divide)                                                                       \
  X(__divdc3, double, divide)
#define SYCL_DETAIL_COMPLEX_FUNCTION(name, type, operation)                                        \
  extern "C"                                                                                       \
      __attribute__((used)) inline type _Complex name(type a, type b, type c, type d) noexcept {   \
    const auto result = sycl::detail::operation<type>({a, b}, {c, d});                             \
    type _Complex made;                                                                            \
    __real__ made = result.re;                                                                     \
    __imag__ made = result.im;                                                                     \
    return made;                                                                                   \
  }
SYCL_DETAIL_COMPLEX(SYCL_DETAIL_COMPLEX_FUNCTION)
#undef SYCL_DETAIL_COMPLEX_FUNCTION
#undef SYCL_DETAIL_COMPLEX

#endif

#endif
