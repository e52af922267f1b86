/*
 * Mathematical functions: SYCL 2020, 4.17.5 to 4.17.8, for numbers and for the elements of a vec.
 * Kernels call OpenCL's functions, and the host those of the C++ library. The functions of <cmath>
 * work in kernels, too.
 */
#ifndef SYCL_MATH_HPP
#define SYCL_MATH_HPP

#include <sycl/vec.hpp>

#include <cmath>
#include <cstdlib>
#include <type_traits>

/*
 * X(name, length, host): functions of one, two or three numbers x, y, z of type T. length is the
 * length of the name, for its mangled form; host is the expression that the host computes.
 */
#define SYCL_DETAIL_MATH_1(X)                                                                      \
  X(acos, 4, std::acos(x))                                                                         \
  X(acosh, 5, std::acosh(x))                                                                       \
  X(acospi, 6, std::acos(x) / detail::pi<T>)                                                       \
  X(asin, 4, std::asin(x))                                                                         \
  X(asinh, 5, std::asinh(x))                                                                       \
  X(asinpi, 6, std::asin(x) / detail::pi<T>)                                                       \
  X(atan, 4, std::atan(x))                                                                         \
  X(atanh, 5, std::atanh(x))                                                                       \
  X(atanpi, 6, std::atan(x) / detail::pi<T>)                                                       \
  X(cbrt, 4, std::cbrt(x))                                                                         \
  X(ceil, 4, std::ceil(x))                                                                         \
  X(cos, 3, std::cos(x))                                                                           \
  X(cosh, 4, std::cosh(x))                                                                         \
  X(cospi, 5, std::cos(x *detail::pi<T>))                                                          \
  X(degrees, 7, x * (180 / detail::pi<T>))                                                         \
  X(erf, 3, std::erf(x))                                                                           \
  X(erfc, 4, std::erfc(x))                                                                         \
  X(exp, 3, std::exp(x))                                                                           \
  X(exp10, 5, std::pow(T(10), x))                                                                  \
  X(exp2, 4, std::exp2(x))                                                                         \
  X(expm1, 5, std::expm1(x))                                                                       \
  X(fabs, 4, std::fabs(x))                                                                         \
  X(floor, 5, std::floor(x))                                                                       \
  X(lgamma, 6, std::lgamma(x))                                                                     \
  X(log, 3, std::log(x))                                                                           \
  X(log10, 5, std::log10(x))                                                                       \
  X(log1p, 5, std::log1p(x))                                                                       \
  X(log2, 4, std::log2(x))                                                                         \
  X(radians, 7, x *(detail::pi<T> / 180))                                                          \
  X(rint, 4, std::rint(x))                                                                         \
  X(round, 5, std::round(x))                                                                       \
  X(rsqrt, 5, 1 / std::sqrt(x))                                                                    \
  X(sign, 4, std::isnan(x) ? 0 : x == 0 ? x : std::copysign(T(1), x))                              \
  X(sin, 3, std::sin(x))                                                                           \
  X(sinh, 4, std::sinh(x))                                                                         \
  X(sinpi, 5, std::sin(x *detail::pi<T>))                                                          \
  X(sqrt, 4, std::sqrt(x))                                                                         \
  X(tan, 3, std::tan(x))                                                                           \
  X(tanh, 4, std::tanh(x))                                                                         \
  X(tgamma, 6, std::tgamma(x))                                                                     \
  X(trunc, 5, std::trunc(x))
#define SYCL_DETAIL_MATH_2(X)                                                                      \
  X(atan2, 5, std::atan2(x, y))                                                                    \
  X(copysign, 8, std::copysign(x, y))                                                              \
  X(fdim, 4, std::fdim(x, y))                                                                      \
  X(fmax, 4, std::fmax(x, y))                                                                      \
  X(fmin, 4, std::fmin(x, y))                                                                      \
  X(fmod, 4, std::fmod(x, y))                                                                      \
  X(hypot, 5, std::hypot(x, y))                                                                    \
  X(nextafter, 9, std::nextafter(x, y))                                                            \
  X(pow, 3, std::pow(x, y))                                                                        \
  X(powr, 4, std::pow(x, y))                                                                       \
  X(remainder, 9, std::remainder(x, y))                                                            \
  X(step, 4, y < x ? T(0) : T(1))
#define SYCL_DETAIL_MATH_3(X)                                                                      \
  X(fma, 3, std::fma(x, y, z))                                                                     \
  X(mad, 3, x *y + z)                                                                              \
  X(mix, 3, x + (y - x) * z)

namespace sycl {

namespace detail {

template <class T> inline constexpr T pi = T(3.141592653589793238462643383279502884L);

#ifdef __SYCL_DEVICE_ONLY__
namespace builtin {
#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  float name(float x) noexcept __asm__("_Z" #length #name "f");                                    \
  double name(double x) noexcept __asm__("_Z" #length #name "d");
SYCL_DETAIL_MATH_1(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  float name(float x, float y) noexcept __asm__("_Z" #length #name "ff");                          \
  double name(double x, double y) noexcept __asm__("_Z" #length #name "dd");
SYCL_DETAIL_MATH_2(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  float name(float x, float y, float z) noexcept __asm__("_Z" #length #name "fff");                \
  double name(double x, double y, double z) noexcept __asm__("_Z" #length #name "ddd");
SYCL_DETAIL_MATH_3(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
} // namespace builtin
#define SYCL_DETAIL_MATH_VALUE(device, host) device
#else
#define SYCL_DETAIL_MATH_VALUE(device, host) host
#endif

/* Calls f for each index with that element of all vecs. */
template <class T, int N, class F, class... More>
vec<T, N> each(const F &f, const vec<T, N> &first, const More &...more) noexcept {
  vec<T, N> result;
  for (int i = 0; i < N; i++)
    result[i] = f(first[i], more[i]...);
  return result;
}
/* The type of a parameter from which T is not deduced, so that its argument may convert to T. */
template <class T> struct same {
  using type = T;
};
template <class T> using same_t = typename same<T>::type;

template <class T> using if_float = std::enable_if_t<std::is_floating_point_v<T>, T>;
template <class T> using if_number = std::enable_if_t<std::is_arithmetic_v<T>, T>;

} // namespace detail

#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  template <class T> detail::if_float<T> name(T x) noexcept {                                      \
    return SYCL_DETAIL_MATH_VALUE(detail::builtin::name(x), host);                                 \
  }                                                                                                \
  template <class T, int N> vec<T, N> name(const vec<T, N> &x) noexcept {                          \
    return detail::each([](T a) { return sycl::name(a); }, x);                                     \
  }
SYCL_DETAIL_MATH_1(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  template <class T> detail::if_float<T> name(T x, detail::same_t<T> y) noexcept {                 \
    return SYCL_DETAIL_MATH_VALUE(detail::builtin::name(x, y), host);                              \
  }                                                                                                \
  template <class T, int N>                                                                        \
  vec<T, N> name(const vec<T, N> &x, const detail::same_t<vec<T, N>> &y) noexcept {                \
    return detail::each([](T a, T b) { return sycl::name(a, b); }, x, y);                          \
  }
SYCL_DETAIL_MATH_2(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
#define SYCL_DETAIL_MATH(name, length, host)                                                       \
  template <class T>                                                                               \
  detail::if_float<T> name(T x, detail::same_t<T> y, detail::same_t<T> z) noexcept {               \
    return SYCL_DETAIL_MATH_VALUE(detail::builtin::name(x, y, z), host);                           \
  }                                                                                                \
  template <class T, int N>                                                                        \
  vec<T, N> name(const vec<T, N> &x, const detail::same_t<vec<T, N>> &y,                           \
                 const detail::same_t<vec<T, N>> &z) noexcept {                                    \
    return detail::each([](T a, T b, T c) { return sycl::name(a, b, c); }, x, y, z);               \
  }
SYCL_DETAIL_MATH_3(SYCL_DETAIL_MATH)
#undef SYCL_DETAIL_MATH
#undef SYCL_DETAIL_MATH_VALUE

/* ---- Functions of numbers of any type, computed the same way on host and device ---- */

template <class T> detail::if_number<T> min(T x, detail::same_t<T> y) noexcept {
  return y < x ? y : x;
}
template <class T> detail::if_number<T> max(T x, detail::same_t<T> y) noexcept {
  return x < y ? y : x;
}
template <class T>
detail::if_number<T> clamp(T x, detail::same_t<T> low, detail::same_t<T> high) noexcept {
  return sycl::min(sycl::max(x, low), high);
}
/* As in C, the absolute value of the smallest integer does not fit into its type. */
template <class T> detail::if_number<T> abs(T x) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return sycl::fabs(x);
  else
    return static_cast<T>(x < T(0) ? T(0) - x : x);
}
template <class T>
detail::if_float<T> smoothstep(T from, detail::same_t<T> to, detail::same_t<T> x) noexcept {
  const T t = sycl::clamp((x - from) / (to - from), T(0), T(1));
  return t * t * (3 - 2 * t);
}

template <class T, int N>
vec<T, N> min(const vec<T, N> &x, const detail::same_t<vec<T, N>> &y) noexcept {
  return detail::each([](T a, T b) { return sycl::min(a, b); }, x, y);
}
template <class T, int N>
vec<T, N> max(const vec<T, N> &x, const detail::same_t<vec<T, N>> &y) noexcept {
  return detail::each([](T a, T b) { return sycl::max(a, b); }, x, y);
}
template <class T, int N>
vec<T, N> clamp(const vec<T, N> &x, const detail::same_t<vec<T, N>> &low,
                const detail::same_t<vec<T, N>> &high) noexcept {
  return detail::each([](T a, T b, T c) { return sycl::clamp(a, b, c); }, x, low, high);
}
template <class T, int N> vec<T, N> abs(const vec<T, N> &x) noexcept {
  return detail::each([](T a) { return sycl::abs(a); }, x);
}

/* ---- Geometry ---- */

template <class T, int N> T dot(const vec<T, N> &a, const vec<T, N> &b) noexcept {
  T sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] * b[i];
  return sum;
}
template <class T, int N> T length(const vec<T, N> &a) noexcept {
  return sycl::sqrt(dot(a, a));
}
template <class T, int N> T distance(const vec<T, N> &a, const vec<T, N> &b) noexcept {
  return length(a - b);
}
template <class T, int N> vec<T, N> normalize(const vec<T, N> &a) noexcept {
  return a / length(a);
}
template <class T> vec<T, 3> cross(const vec<T, 3> &a, const vec<T, 3> &b) noexcept {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(),
          a.x() * b.y() - a.y() * b.x()};
}

} // namespace sycl

#endif
