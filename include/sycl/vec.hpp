// vec: SYCL 2020, 4.14.2, as values of constants need it: elements, comparison and arithmetic.
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

/*
 * N values of type T, the same bytes on host and device: those of three take the place of four, and
 * it is aligned to its size.
 */
template <class T, int N> class vec {
  static_assert(std::is_arithmetic_v<T>, "elements of a vec are numbers");
  static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16,
                "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static constexpr int places = N == 3 ? 4 : N;

public:
  using element_type = T;
  using value_type = T;

  vec() = default;
  explicit constexpr vec(const T &all) {
    for (int i = 0; i < N; i++)
      values_[i] = all;
  }
  template <class... Values,
            class = std::enable_if_t<(N > 1) && sizeof...(Values) == static_cast<std::size_t>(N) &&
                                     (std::is_convertible_v<Values, T> && ...)>>
  constexpr vec(Values... values) : values_{static_cast<T>(values)...} {}

  static constexpr std::size_t size() noexcept {
    return N;
  }
  constexpr T &operator[](int i) noexcept {
    return values_[i];
  }
  constexpr const T &operator[](int i) const noexcept {
    return values_[i];
  }

#define SYCL_DETAIL_VEC_ELEMENT(name, index)                                                       \
  template <int M = N, class = std::enable_if_t<(M > (index))>> constexpr T &name() noexcept {     \
    return values_[index];                                                                         \
  }                                                                                                \
  template <int M = N, class = std::enable_if_t<(M > (index))>>                                    \
  constexpr T name() const noexcept {                                                              \
    return values_[index];                                                                         \
  }
  SYCL_DETAIL_VEC_ELEMENT(x, 0)
  SYCL_DETAIL_VEC_ELEMENT(y, 1)
  SYCL_DETAIL_VEC_ELEMENT(z, 2)
  SYCL_DETAIL_VEC_ELEMENT(w, 3)
#undef SYCL_DETAIL_VEC_ELEMENT

#define SYCL_DETAIL_VEC_OPERATOR(op)                                                               \
  friend constexpr vec operator op(const vec &a, const vec &b) {                                   \
    vec result{};                                                                                  \
    for (int i = 0; i < N; i++)                                                                    \
      result[i] = static_cast<T>(a[i] op b[i]);                                                    \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr vec operator op(const vec &a, const T &b) { return a op vec(b); }               \
  friend constexpr vec operator op(const T &a, const vec &b) { return vec(a) op b; }
  SYCL_DETAIL_VEC_OPERATOR(+)
  SYCL_DETAIL_VEC_OPERATOR(-)
  SYCL_DETAIL_VEC_OPERATOR(*)
  SYCL_DETAIL_VEC_OPERATOR(/)
#undef SYCL_DETAIL_VEC_OPERATOR

private:
  alignas(places * sizeof(T)) T values_[places]{};
};

} // namespace sycl

#endif
