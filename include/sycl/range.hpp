// range, id, nd_range: SYCL 2020, 4.9.1.
#ifndef SYCL_RANGE_HPP
#define SYCL_RANGE_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

namespace detail {

/* Dimensions numbers, with the operators that range and id have in common. */
template <class Derived, int Dimensions> class numbers {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a range has one to three dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr numbers() noexcept = default;
  template <class... N> constexpr explicit numbers(int, N... n) noexcept : values_{n...} {}

  constexpr std::size_t get(int dimension) const noexcept {
    return values_[dimension];
  }
  constexpr std::size_t &operator[](int dimension) noexcept {
    return values_[dimension];
  }
  constexpr std::size_t operator[](int dimension) const noexcept {
    return values_[dimension];
  }

  friend constexpr bool operator==(const Derived &a, const Derived &b) noexcept {
    for (int i = 0; i < Dimensions; i++)
      if (a[i] != b[i])
        return false;
    return true;
  }
  friend constexpr bool operator!=(const Derived &a, const Derived &b) noexcept {
    return !(a == b);
  }

#define SYCL_DETAIL_OPERATORS(X) X(+) X(-) X(*) X(/) X(%) X(&) X(|) X(^) X(<<) X(>>)
#define SYCL_DETAIL_OPERATOR(op)                                                                   \
  friend constexpr Derived operator op(Derived a, const Derived &b) noexcept {                     \
    for (int i = 0; i < Dimensions; i++)                                                           \
      a[i] = a[i] op b[i];                                                                         \
    return a;                                                                                      \
  }                                                                                                \
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                              \
  friend constexpr Derived operator op(Derived a, N b) noexcept {                                  \
    for (int i = 0; i < Dimensions; i++)                                                           \
      a[i] = a[i] op static_cast<std::size_t>(b);                                                  \
    return a;                                                                                      \
  }                                                                                                \
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>>                              \
  friend constexpr Derived operator op(N a, Derived b) noexcept {                                  \
    for (int i = 0; i < Dimensions; i++)                                                           \
      b[i] = static_cast<std::size_t>(a) op b[i];                                                  \
    return b;                                                                                      \
  }                                                                                                \
  friend constexpr Derived &operator op##=(Derived &a, const Derived &b) noexcept {                \
    return a = a op b;                                                                             \
  }                                                                                                \
  friend constexpr Derived &operator op##=(Derived &a, std::size_t b) noexcept {                   \
    return a = a op b;                                                                             \
  }
  SYCL_DETAIL_OPERATORS(SYCL_DETAIL_OPERATOR)
#undef SYCL_DETAIL_OPERATOR

private:
  std::size_t values_[Dimensions] = {};
};

} // namespace detail

template <int Dimensions = 1> class range : public detail::numbers<range<Dimensions>, Dimensions> {
public:
  constexpr range() noexcept = default;
  template <class... N, class = std::enable_if_t<sizeof...(N) == Dimensions &&
                                                 (std::is_convertible_v<N, std::size_t> && ...)>>
  constexpr range(N... n) noexcept
      : detail::numbers<range, Dimensions>(0, static_cast<std::size_t>(n)...) {}

  constexpr std::size_t size() const noexcept {
    std::size_t all = 1;
    for (int i = 0; i < Dimensions; i++)
      all *= (*this)[i];
    return all;
  }
};
range(std::size_t)->range<1>;
range(std::size_t, std::size_t)->range<2>;
range(std::size_t, std::size_t, std::size_t)->range<3>;

template <int Dimensions, bool WithOffset> class item;

template <int Dimensions = 1> class id : public detail::numbers<id<Dimensions>, Dimensions> {
public:
  constexpr id() noexcept = default;
  template <class... N, class = std::enable_if_t<sizeof...(N) == Dimensions &&
                                                 (std::is_convertible_v<N, std::size_t> && ...)>>
  constexpr id(N... n) noexcept
      : detail::numbers<id, Dimensions>(0, static_cast<std::size_t>(n)...) {}
  constexpr id(const range<Dimensions> &r) noexcept {
    for (int i = 0; i < Dimensions; i++)
      (*this)[i] = r[i];
  }
  template <bool WithOffset>
  constexpr id(const item<Dimensions, WithOffset> &i) noexcept : id(i.get_id()) {}

  /* An id of one dimension is its number. */
  template <int D = Dimensions, class = std::enable_if_t<D == 1>>
  constexpr operator std::size_t() const noexcept {
    return (*this)[0];
  }
};
id(std::size_t)->id<1>;
id(std::size_t, std::size_t)->id<2>;
id(std::size_t, std::size_t, std::size_t)->id<3>;

template <int Dimensions = 1> class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range(range<Dimensions> global, range<Dimensions> local,
                     id<Dimensions> offset = {}) noexcept
      : global_(global), local_(local), offset_(offset) {}

  constexpr range<Dimensions> get_global_range() const noexcept {
    return global_;
  }
  constexpr range<Dimensions> get_local_range() const noexcept {
    return local_;
  }
  constexpr range<Dimensions> get_group_range() const noexcept {
    return global_ / local_;
  }
  constexpr id<Dimensions> get_offset() const noexcept {
    return offset_;
  }

private:
  range<Dimensions> global_;
  range<Dimensions> local_;
  id<Dimensions> offset_;
};

} // namespace sycl

#endif
