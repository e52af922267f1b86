// vec: SYCL 2020, 4.14.2: a few numbers, with operators for all of them. There are no swizzles.
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sycl {

template <class T, int N> class vec;

namespace detail {

/* The number of elements that an argument of type Value adds to a vec; 0: not a valid argument. */
template <class T, class Value>
inline constexpr int vec_elements = std::is_convertible_v<Value, T> ? 1 : 0;
template <class T, int M> inline constexpr int vec_elements<T, vec<T, M>> = M;

/* The integer type of a comparison's elements. */
template <std::size_t Size> struct integer_of;
template <> struct integer_of<1> {
  using type = std::int8_t;
};
template <> struct integer_of<2> {
  using type = std::int16_t;
};
template <> struct integer_of<4> {
  using type = std::int32_t;
};
template <> struct integer_of<8> {
  using type = std::int64_t;
};

} // namespace detail

/*
 * N values of type T, with the same layout on host and device: a vec of three has the size of a vec
 * of four, and the alignment is the size. Trivial, so the default constructor leaves values
 * undefined.
 */
template <class T, int N> class vec {
  static_assert(std::is_arithmetic_v<T>, "elements of a vec are numbers");
  static_assert((N >= 1 && N <= 4) || N == 8 || N == 16, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static constexpr int places = N + (N == 3 ? 1 : 0);

public:
  using element_type = T;
  using value_type = T;

  vec() = default;
  explicit constexpr vec(const T &all) : values_{} {
    for (int i = 0; i < N; i++)
      values_[i] = all;
  }
  /* Made from numbers and vecs with N elements in total. */
  template <class... Values,
            class = std::enable_if_t<(sizeof...(Values) > 1) &&
                                     ((detail::vec_elements<T, Values> > 0) && ...) &&
                                     (detail::vec_elements<T, Values> + ...) == N>>
  constexpr vec(const Values &...values) : values_{} {
    int next = 0;
    (add(next, values), ...);
  }
  /* A vec of one element converts to a number. */
  template <int M = N, class = std::enable_if_t<M == 1>> constexpr operator T() const noexcept {
    return values_[0];
  }
  template <int M = N, class = std::enable_if_t<M == 1>>
  constexpr vec &operator=(const T &value) noexcept {
    values_[0] = value;
    return *this;
  }

  static constexpr std::size_t size() noexcept {
    return N;
  }
  static constexpr std::size_t byte_size() noexcept {
    return places * sizeof(T);
  }
  static constexpr std::size_t get_count() noexcept {
    return size();
  }
  static constexpr std::size_t get_size() noexcept {
    return byte_size();
  }
  constexpr T &operator[](int i) noexcept {
    return values_[i];
  }
  constexpr const T &operator[](int i) const noexcept {
    return values_[i];
  }

/* X(name, index): the elements' names. */
#define SYCL_DETAIL_VEC_ELEMENTS(X)                                                                \
  X(x, 0)                                                                                          \
  X(y, 1)                                                                                          \
  X(z, 2)                                                                                          \
  X(w, 3)                                                                                          \
  X(r, 0)                                                                                          \
  X(g, 1)                                                                                          \
  X(b, 2)                                                                                          \
  X(a, 3)                                                                                          \
  X(s0, 0)                                                                                         \
  X(s1, 1)                                                                                         \
  X(s2, 2)                                                                                         \
  X(s3, 3)                                                                                         \
  X(s4, 4)                                                                                         \
  X(s5, 5)                                                                                         \
  X(s6, 6)                                                                                         \
  X(s7, 7)                                                                                         \
  X(s8, 8)                                                                                         \
  X(s9, 9)                                                                                         \
  X(sA, 10)                                                                                        \
  X(sB, 11)                                                                                        \
  X(sC, 12)                                                                                        \
  X(sD, 13)                                                                                        \
  X(sE, 14)                                                                                        \
  X(sF, 15)
#define SYCL_DETAIL_VEC_ELEMENT(name, index)                                                       \
  template <int M = N, class = std::enable_if_t<(M > (index))>> constexpr T &name() noexcept {     \
    return values_[index];                                                                         \
  }                                                                                                \
  template <int M = N, class = std::enable_if_t<(M > (index))>>                                    \
  constexpr const T &name() const noexcept {                                                       \
    return values_[index];                                                                         \
  }
  SYCL_DETAIL_VEC_ELEMENTS(SYCL_DETAIL_VEC_ELEMENT)
#undef SYCL_DETAIL_VEC_ELEMENT
#undef SYCL_DETAIL_VEC_ELEMENTS

  /* convert() converts each element; as() reinterprets the bytes as elements of another type. */
  template <class U> constexpr vec<U, N> convert() const noexcept {
    vec<U, N> result{};
    for (int i = 0; i < N; i++)
      result[i] = static_cast<U>(values_[i]);
    return result;
  }
  template <class Other> Other as() const noexcept {
    static_assert(sizeof(Other) == sizeof(vec) && std::is_trivially_copyable_v<Other>);
    Other other;
    std::memcpy(static_cast<void *>(&other), values_, sizeof other);
    return other;
  }
  /* Load from or store to N numbers at an address plus offset * N. */
  void load(std::size_t offset, const T *from) noexcept {
    for (int i = 0; i < N; i++)
      values_[i] = from[offset * N + static_cast<std::size_t>(i)];
  }
  void store(std::size_t offset, T *to) const noexcept {
    for (int i = 0; i < N; i++)
      to[offset * N + static_cast<std::size_t>(i)] = values_[i];
  }

/* Operators of all numbers, and those of integers only. */
#define SYCL_DETAIL_VEC_OPERATORS(X) X(+) X(-) X(*) X(/)
#define SYCL_DETAIL_VEC_INTEGER_OPERATORS(X) X(%) X(&) X(|) X(^) X(<<) X(>>)
#define SYCL_DETAIL_VEC_OPERATOR(op)                                                               \
  friend constexpr vec operator op(const vec &a, const vec &b) {                                   \
    vec result{};                                                                                  \
    for (int i = 0; i < N; i++)                                                                    \
      result[i] = static_cast<T>(a[i] op b[i]);                                                    \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr vec operator op(const vec &a, const T &b) { return a op vec(b); }               \
  friend constexpr vec operator op(const T &a, const vec &b) { return vec(a) op b; }               \
  friend constexpr vec &operator op##=(vec &a, const vec &b) { return a = a op b; }                \
  friend constexpr vec &operator op##=(vec &a, const T &b) { return a = a op vec(b); }
  SYCL_DETAIL_VEC_OPERATORS(SYCL_DETAIL_VEC_OPERATOR)
#undef SYCL_DETAIL_VEC_OPERATOR
#define SYCL_DETAIL_VEC_OPERATOR(op)                                                               \
  template <class U, class = std::enable_if_t<std::is_same_v<U, T> && std::is_integral_v<U>>>      \
  friend constexpr vec operator op(const vec &a, const vec<U, N> &b) {                             \
    vec result{};                                                                                  \
    for (int i = 0; i < N; i++)                                                                    \
      result[i] = static_cast<T>(a[i] op b[i]);                                                    \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr vec operator op(const vec &a, const T &b) { return a op vec(b); }               \
  friend constexpr vec operator op(const T &a, const vec &b) { return vec(a) op b; }               \
  friend constexpr vec &operator op##=(vec &a, const vec &b) { return a = a op b; }                \
  friend constexpr vec &operator op##=(vec &a, const T &b) { return a = a op vec(b); }
  SYCL_DETAIL_VEC_INTEGER_OPERATORS(SYCL_DETAIL_VEC_OPERATOR)
#undef SYCL_DETAIL_VEC_OPERATOR
#undef SYCL_DETAIL_VEC_INTEGER_OPERATORS
#undef SYCL_DETAIL_VEC_OPERATORS

/* Comparisons return -1 for each element for which they hold, otherwise 0. all() and any() take
 * such results. */
#define SYCL_DETAIL_VEC_COMPARISONS(X) X(==) X(!=) X(<) X(>) X(<=) X(>=)
#define SYCL_DETAIL_VEC_COMPARISON(op)                                                             \
  friend constexpr auto operator op(const vec &a, const vec &b) {                                  \
    vec<typename detail::integer_of<sizeof(T)>::type, N> result{};                                 \
    for (int i = 0; i < N; i++)                                                                    \
      result[i] = a[i] op b[i] ? -1 : 0;                                                           \
    return result;                                                                                 \
  }                                                                                                \
  friend constexpr auto operator op(const vec &a, const T &b) { return a op vec(b); }              \
  friend constexpr auto operator op(const T &a, const vec &b) { return vec(a) op b; }
  SYCL_DETAIL_VEC_COMPARISONS(SYCL_DETAIL_VEC_COMPARISON)
#undef SYCL_DETAIL_VEC_COMPARISON
#undef SYCL_DETAIL_VEC_COMPARISONS

  friend constexpr vec operator+(const vec &a) {
    return a;
  }
  friend constexpr vec operator-(const vec &a) {
    vec result{};
    for (int i = 0; i < N; i++)
      result[i] = static_cast<T>(-a[i]);
    return result;
  }
  friend constexpr vec &operator++(vec &a) {
    return a += T(1);
  }
  friend constexpr vec &operator--(vec &a) {
    return a -= T(1);
  }

private:
  constexpr void add(int &next, const T &value) noexcept {
    values_[next++] = value;
  }
  template <int M> constexpr void add(int &next, const vec<T, M> &some) noexcept {
    for (int i = 0; i < M; i++)
      values_[next++] = some[i];
  }
  template <class Value> constexpr void add(int &next, const Value &value) noexcept {
    values_[next++] = static_cast<T>(value);
  }

  alignas(places * sizeof(T)) T values_[places];
};
template <class T, class... More> vec(T, More...) -> vec<T, static_cast<int>(sizeof...(More)) + 1>;

/* Returns whether a comparison is true for all elements. */
template <class T, int N> constexpr bool all(const vec<T, N> &of) noexcept {
  for (int i = 0; i < N; i++)
    if (!(of[i] < 0))
      return false;
  return true;
}
template <class T, int N> constexpr bool any(const vec<T, N> &of) noexcept {
  for (int i = 0; i < N; i++)
    if (of[i] < 0)
      return true;
  return false;
}

/* X(name, type): char2 to ulong16, float2 to double16. */
#define SYCL_DETAIL_VEC_TYPES(X)                                                                   \
  X(char, std::int8_t)                                                                             \
  X(uchar, std::uint8_t)                                                                           \
  X(short, std::int16_t)                                                                           \
  X(ushort, std::uint16_t)                                                                         \
  X(int, std::int32_t)                                                                             \
  X(uint, std::uint32_t)                                                                           \
  X(long, std::int64_t)                                                                            \
  X(ulong, std::uint64_t)                                                                          \
  X(float, float)                                                                                  \
  X(double, double)
#define SYCL_DETAIL_VEC_TYPE(name, type)                                                           \
  using name##2 = vec<type, 2>;                                                                    \
  using name##3 = vec<type, 3>;                                                                    \
  using name##4 = vec<type, 4>;                                                                    \
  using name##8 = vec<type, 8>;                                                                    \
  using name##16 = vec<type, 16>;
SYCL_DETAIL_VEC_TYPES(SYCL_DETAIL_VEC_TYPE)
#undef SYCL_DETAIL_VEC_TYPE
#undef SYCL_DETAIL_VEC_TYPES

static_assert(std::is_trivially_copyable_v<int2> && std::is_standard_layout_v<int2> &&
              std::is_trivially_default_constructible_v<int2>);
static_assert(sizeof(float3) == 16 && alignof(char4) == 4 && alignof(double16) == 128);

} // namespace sycl

#endif
