// range, id, nd_range: SYCL 2020, 4.9.1.
#ifndef SYCL_RANGE_HPP
#define SYCL_RANGE_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

template <int Dimensions> class range;
template <int Dimensions> class id;

namespace detail {

/*
 * True if Other may be the other operand of an operator of Derived. Conversions are excluded: an id
 * of one dimension converts to a number, so the operators of numbers would be ambiguous with these.
 */
template <class Derived, class Other>
inline constexpr bool is_operand = std::is_integral_v<Other> || std::is_same_v<Derived, Other>;
template <int D> inline constexpr bool is_operand<id<D>, range<D>> = true;
/* Result, if one of A and B is Derived and the other may be its operand. */
template <class Derived, class A, class B, class Result>
using if_operands = std::enable_if_t<(std::is_same_v<A, Derived> && is_operand<Derived, B>) ||
                                         (std::is_same_v<B, Derived> && is_operand<Derived, A>),
                                     Result>;

/*
 * Lets a Derived of one dimension convert to its number. The conversion is not a template, so that
 * a standard conversion of the number to another type may follow.
 */
template <class Derived, int Dimensions> struct number {};
template <class Derived> struct number<Derived, 1> {
  constexpr operator std::size_t() const noexcept {
    return static_cast<const Derived &>(*this)[0];
  }
};

/* One number for each dimension, with the operators that range and id have in common. */
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

  template <class A, class B>
  friend constexpr if_operands<Derived, A, B, bool> operator==(const A &a, const B &b) noexcept {
    for (int i = 0; i < Dimensions; i++)
      if (at(a, i) != at(b, i))
        return false;
    return true;
  }
  template <class A, class B>
  friend constexpr if_operands<Derived, A, B, bool> operator!=(const A &a, const B &b) noexcept {
    return !(a == b);
  }

#define SYCL_DETAIL_COMPARISONS(X) X(<) X(>) X(<=) X(>=) X(&&) X(||)
#define SYCL_DETAIL_OPERATORS(X) X(+) X(-) X(*) X(/) X(%) X(&) X(|) X(^) X(<<) X(>>)
/* Operators work on each dimension separately. */
#define SYCL_DETAIL_OPERATOR(op)                                                                   \
  template <class A, class B>                                                                      \
  friend constexpr if_operands<Derived, A, B, Derived> operator op(const A &a,                     \
                                                                   const B &b) noexcept {          \
    Derived result;                                                                                \
    for (int i = 0; i < Dimensions; i++)                                                           \
      result[i] = static_cast<std::size_t>(at(a, i) op at(b, i));                                  \
    return result;                                                                                 \
  }
#define SYCL_DETAIL_ASSIGNMENT(op)                                                                 \
  template <class Other, class = std::enable_if_t<is_operand<Derived, Other>>>                     \
  friend constexpr Derived &operator op##=(Derived &a, const Other &b) noexcept {                  \
    return a = a op b;                                                                             \
  }
  SYCL_DETAIL_OPERATORS(SYCL_DETAIL_OPERATOR)
  SYCL_DETAIL_COMPARISONS(SYCL_DETAIL_OPERATOR)
  SYCL_DETAIL_OPERATORS(SYCL_DETAIL_ASSIGNMENT)
#undef SYCL_DETAIL_ASSIGNMENT
#undef SYCL_DETAIL_OPERATOR
#undef SYCL_DETAIL_OPERATORS
#undef SYCL_DETAIL_COMPARISONS

  friend constexpr Derived operator+(const Derived &a) noexcept {
    return a;
  }
  friend constexpr Derived operator-(const Derived &a) noexcept {
    return std::size_t{0} - a;
  }
  friend constexpr Derived &operator++(Derived &a) noexcept {
    return a += 1;
  }
  friend constexpr Derived &operator--(Derived &a) noexcept {
    return a -= 1;
  }
  friend constexpr Derived operator++(Derived &a, int) noexcept {
    const Derived before = a;
    ++a;
    return before;
  }
  friend constexpr Derived operator--(Derived &a, int) noexcept {
    const Derived before = a;
    --a;
    return before;
  }

private:
  template <class Operand>
  static constexpr std::size_t at(const Operand &of, [[maybe_unused]] int dimension) noexcept {
    if constexpr (std::is_integral_v<Operand>)
      return static_cast<std::size_t>(of);
    else
      return of[dimension];
  }

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

template <int Dimensions = 1>
class id : public detail::numbers<id<Dimensions>, Dimensions>,
           public detail::number<id<Dimensions>, Dimensions> {
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
  friend constexpr bool operator==(const nd_range &a, const nd_range &b) noexcept {
    return a.global_ == b.global_ && a.local_ == b.local_ && a.offset_ == b.offset_;
  }
  friend constexpr bool operator!=(const nd_range &a, const nd_range &b) noexcept {
    return !(a == b);
  }

private:
  range<Dimensions> global_;
  range<Dimensions> local_;
  id<Dimensions> offset_;
};

/*
 * These types are copied into kernels as bytes, so both compilers must give them the same layout.
 */
static_assert(sizeof(range<3>) == 24 && sizeof(id<2>) == 16 && sizeof(nd_range<1>) == 24);
static_assert(std::is_trivially_copyable_v<range<1>> && std::is_standard_layout_v<id<3>>);

} // namespace sycl

#endif
