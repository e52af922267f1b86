/*
 * Types of specialization constants, and the places where they can be declared, by SYCL
 * 2020, 4.9.5, and the proposal "Specialization constants".
 */
#include "constants_2020.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

LOCAL_CONSTANT(7)

namespace {
DEFINE_SEEN(seen_here, ThisUnit, ids_here)
} // namespace

namespace {

template <auto &...Id> struct Read;

/* Returns the values of constants in a kernel, after setting them if values is not empty. */
template <auto &...Id> std::vector<int> in_kernel(const std::vector<int> &values) {
  std::vector<int> result(sizeof...(Id), -1);
  sycl::queue q = check::queue();
  {
    sycl::buffer<int, 1> out(result.data(), sycl::range<1>(result.size()));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      std::size_t i = 0;
      if (!values.empty())
        (cgh.set_specialization_constant<Id>(values[i++]), ...);
      cgh.single_task<Read<Id...>>([=](sycl::kernel_handler h) {
        std::size_t at = 0;
        ((there[at++] = h.get_specialization_constant<Id>()), ...);
      });
    });
  }
  return result;
}

/* ---- Types ---- */

enum class color : unsigned char { red = 3, green = 200 };
enum level { low = -4, high = 100000 };
struct half_bits {
  std::uint16_t bits;
  friend constexpr bool operator==(half_bits a, half_bits b) {
    return a.bits == b.bits;
  }
};
/* A structure with padding inside, in a member, and at the end. */
struct inner {
  double d;
  char c;
  friend constexpr bool operator==(const inner &a, const inner &b) {
    return a.d == b.d && a.c == b.c;
  }
};
struct padded {
  char first;
  inner pair[2];
  short last;
  friend constexpr bool operator==(const padded &a, const padded &b) {
    return a.first == b.first && a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1] &&
           a.last == b.last;
  }
};
/* Twelve bytes of content in sixteen, like a vector of three elements. */
struct alignas(16) three {
  float x, y, z;
  friend constexpr bool operator==(const three &a, const three &b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};
/* Bit-fields that clang represents as integers of 24, 40, 48 and 56 bits, and as six bytes. */
struct narrow {
  int a : 20;
  friend constexpr bool operator==(const narrow &a, const narrow &b) {
    return a.a == b.a;
  }
};
struct fields {
  long a : 37;
  unsigned long b : 16, c : 40;
  narrow pair[2];
  long d : 20, e : 25, f : 30;
  bool last : 1;
  friend constexpr bool operator==(const fields &a, const fields &b) {
    return a.a == b.a && a.b == b.b && a.c == b.c && a.pair[0] == b.pair[0] &&
           a.pair[1] == b.pair[1] && a.d == b.d && a.e == b.e && a.f == b.f && a.last == b.last;
  }
};
struct six_bytes {
  short a : 16, b : 16, c : 16;
  friend constexpr bool operator==(const six_bytes &a, const six_bytes &b) {
    return a.a == b.a && a.b == b.b && a.c == b.c;
  }
};
/* The proposal's types, which have no default constructor. */
struct Nested {
  constexpr Nested(float a_, float b_) : a(a_ + 1.0F), b(b_ + 1.0F) {}
  float a, b;
  friend constexpr bool operator==(const Nested &x, const Nested &y) {
    return x.a == y.a && x.b == y.b;
  }
};
struct A {
  constexpr A(int x_, float a, float b) : x(x_), n(a, b) {}
  int x;
  Nested n;
  friend constexpr bool operator==(const A &a, const A &b) {
    return a.x == b.x && a.n == b.n;
  }
};

/* Like pairs and tuples, not trivially copyable. is_device_copyable allows copying its bytes. */
struct assigned {
  int x;
  float y;
  constexpr assigned(int x_, float y_) : x(x_), y(y_) {}
  constexpr assigned(const assigned &) = default;
  assigned &operator=(const assigned &other) {
    x = other.x;
    y = other.y;
    return *this;
  }
  friend constexpr bool operator==(const assigned &a, const assigned &b) {
    return a.x == b.x && a.y == b.y;
  }
};

} // namespace

template <> struct sycl::is_device_copyable<assigned> : std::true_type {};

namespace {

using pair = std::pair<char, double>;
using pairs = std::array<std::pair<int, bool>, 2>;
using tuple = std::tuple<std::uint8_t, pair, float, pairs>;
static_assert(!std::is_trivially_copyable_v<pair> && !std::is_trivially_copyable_v<tuple>);
static_assert(sycl::is_device_copyable_v<const tuple[2]> &&
              sycl::is_device_copyable_v<std::variant<pair, std::optional<tuple>>>);
static_assert(!sycl::is_device_copyable_v<std::tuple<int, std::string>> &&
              !sycl::is_device_copyable_v<std::array<std::pair<std::string, int>, 2>>);

using matrix = std::array<std::array<float, 3>, 3>;
using flags = std::array<bool, 5>;

/* X(name, type, (default), value): every type is tested with its default and another value. */
#define TYPES(X)                                                                                   \
  X(boolean, bool, (true), false)                                                                  \
  X(character, char, ('a'), 'z')                                                                   \
  X(byte, std::int8_t, (-128), 127)                                                                \
  X(word, std::uint16_t, (65535), 1)                                                               \
  X(without_arguments, matrix, {}, (matrix{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}))                    \
  X(integer, int, (-42), 1 << 30)                                                                  \
  X(unsigned_integer, unsigned, (0xfedcba98U), 7U)                                                 \
  X(long_integer, std::int64_t, (-5), INT64_MAX)                                                   \
  X(unsigned_long, std::uint64_t, (1), UINT64_MAX)                                                 \
  X(real, float, (1.5F), -0.25F)                                                                   \
  X(long_real, double, (0.1), 1e300)                                                               \
  X(scoped, color, (color::green), color::red)                                                     \
  X(unscoped, level, (low), high)                                                                  \
  X(half, half_bits, (half_bits{0x3c00}), (half_bits{0xfbff}))                                     \
  X(with_padding, padded, (padded{'f', {{1.5, 'a'}, {2.5, 'b'}}, 9}),                              \
    (padded{'g', {{-1.5, 'c'}, {1e-300, 'd'}}, -9}))                                               \
  X(end_padding, inner, (inner{0.5, 'e'}), (inner{-0.5, 'f'}))                                     \
  X(three_floats, three, (three{1, 2, 3}), (three{4, 5, 6}))                                       \
  X(of_bits, narrow, (narrow{-0x7ffff}), (narrow{0x12345}))                                        \
  X(of_no_bits, narrow, {}, (narrow{-1}))                                                          \
  X(of_bytes, six_bytes, (six_bytes{1, -2, 3}), (six_bytes{-4, 5, -6}))                            \
  X(of_many_bits, fields, (fields{-0x876543210, 65535, 1, {{4}, {-5}}, -6, 7, -8, true}),          \
    (fields{0xabcdef012, 7, 0xffffffffff, {{-10}, {11}}, 0x7ffff, -13, 14, false}))                \
  X(with_constructor, Nested, (4.0F, 5.0F), (Nested{8, 9}))                                        \
  X(with_member, A, (1, 2.0F, 3.0F), (A{4, 5, 6}))                                                 \
  X(array_of_arrays, matrix, (matrix{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}),                          \
    (matrix{{{9, 8, 7}, {6, 5, 4}, {3, 2, 1}}}))                                                   \
  X(array_of_bool, flags, (flags{true, false, true, true, false}),                                 \
    (flags{false, true, false, false, true}))                                                      \
  X(of_two, pair, ('p', 0.5), (pair{'q', -2.0}))                                                   \
  X(of_many, tuple, (tuple{1, {'r', 3.0}, 4.0F, pairs{{{5, true}, {6, false}}}}),                  \
    (tuple{2, {'s', -3.0}, -4.0F, pairs{{{-5, false}, {-6, true}}}}))                              \
  X(with_assignment, assigned, (1, 2.0F), (assigned{3, 4.0F}))                                     \
  X(complex_real, std::complex<float>, (1.5F, -2.0F), (std::complex<float>{-0.0F, 4}))             \
  X(complex_long_real, std::complex<double>, (0.1, 1e300), (std::complex<double>{-3, 1e-300}))

#define DECLARE(name, type, initial, value)                                                        \
  constexpr sycl::specialization_id<type> name##_id initial;
TYPES(DECLARE)
#undef DECLARE

/* A constant without arguments for its default. */
constexpr sycl::specialization_id<int> zero_id;

} // namespace

namespace {

/* A member of each type. */
struct everything {
#define MEMBER(name, type, initial, value) type name;
  TYPES(MEMBER)
#undef MEMBER
};

} // namespace

template <> struct sycl::is_device_copyable<everything> : std::true_type {};

namespace {

/* Returns all constants as one kernel sees them, with the defaults or with the values set. */
everything all_in_kernel(bool set) {
  everything result = {
#define START(name, type, initial, value) value,
      TYPES(START)
#undef START
  };
  sycl::queue q = check::queue();
  {
    sycl::buffer<everything, 1> out(&result, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      if (set) {
#define SET(name, type, initial, value) cgh.set_specialization_constant<name##_id>(value);
        TYPES(SET)
#undef SET
      }
      cgh.single_task<class Everything>([=](sycl::kernel_handler h) {
#define GET(name, type, initial, value) there[0].name = h.get_specialization_constant<name##_id>();
        TYPES(GET)
#undef GET
      });
    });
  }
  return result;
}

} // namespace

CASE("a kernel sees the default of a constant of each type") {
  const everything seen = all_in_kernel(false);
#define COMPARE(name, type, initial, value)                                                        \
  {                                                                                                \
    const type expected initial;                                                                   \
    CHECK(seen.name == expected);                                                                  \
  }
  TYPES(COMPARE)
#undef COMPARE
}

CASE("a kernel sees the value that was set of a constant of each type") {
  const everything seen = all_in_kernel(true);
#define COMPARE(name, type, initial, value)                                                        \
  {                                                                                                \
    const type expected(value);                                                                    \
    CHECK(seen.name == expected);                                                                  \
  }
  TYPES(COMPARE)
#undef COMPARE
}

/* ---- specialization_id ---- */

namespace {

using int_id = sycl::specialization_id<int>;
static_assert(std::is_same_v<int_id::value_type, int> && std::is_same_v<int_id::type, int>);
static_assert(!std::is_copy_constructible_v<int_id> && !std::is_move_constructible_v<int_id>);
static_assert(!std::is_copy_assignable_v<int_id> && !std::is_move_assignable_v<int_id>);
/* The constructor is explicit and takes only arguments of the type's constructors. */
static_assert(std::is_constructible_v<int_id, int> && !std::is_convertible_v<int, int_id>);
static_assert(std::is_constructible_v<int_id> && !std::is_constructible_v<int_id, const char *>);
static_assert(std::is_constructible_v<sycl::specialization_id<A>, int, float, float>);
static_assert(!std::is_constructible_v<sycl::specialization_id<A>>);
/* Returns whether a mangled name is local to a unit: see detail/mangled.hpp. */
constexpr auto is_of_one_unit = sycl::detail::is_of_one_unit;
static_assert(is_of_one_unit("_ZTSN12_GLOBAL__N_11KE") && is_of_one_unit("_ZTSZL1fvE1Y"));
static_assert(is_of_one_unit("_ZTSZN1aL1gEvEUlvE_") && !is_of_one_unit("_ZTS12KernelL2Norm"));
static_assert(!is_of_one_unit("_ZTSZ4mainEUlvE0_") && !is_of_one_unit("_ZTS1KILi128EE"));
static_assert(!is_of_one_unit("_ZTS1KIA10_iLb1ES0_1LE") && !is_of_one_unit("_ZTSFv4SL1xE"));
static_assert(!is_of_one_unit("_ZTSN1a3fooINS_4SL1xES1_LE"));
static_assert(std::is_same_v<decltype(std::declval<sycl::kernel_handler &>()
                                          .get_specialization_constant<array_of_arrays_id>()),
                             matrix>);

} // namespace

CASE("names of kernels are the same for compilers that mark what a unit keeps for itself") {
  using sycl::detail::without_marks;
  CHECK(without_marks("_ZTSN12_GLOBAL__N_14ReadIL_ZNS_L10boolean_idEEEE") ==
        "_ZTSN12_GLOBAL__N_14ReadIL_ZNS_10boolean_idEEEE");
  CHECK(without_marks("_ZTSZL1fvE1Y") == "_ZTSZ1fvE1Y");
  CHECK(without_marks("_ZTS12KernelL2Norm") == "_ZTS12KernelL2Norm");
  CHECK(without_marks("").empty());
}

/* ---- Places of declarations ---- */

inline constexpr sycl::specialization_id<int> inline_id{11};
static constexpr sycl::specialization_id<int> declared_static_id{12};
namespace outer {
constexpr sycl::specialization_id<int> nested_id{13};
namespace {
constexpr sycl::specialization_id<int> hidden_id{14};
}
inline namespace version {
constexpr sycl::specialization_id<int> versioned_id{15};
}
struct holder {
  static constexpr sycl::specialization_id<int> member_id{16};
  template <int N> struct of {
    static constexpr sycl::specialization_id<int> id{N};
  };
};
template <int N> inline constexpr sycl::specialization_id<int> made_id{N};
} // namespace outer
namespace {
template <class T, T N> constexpr sycl::specialization_id<int> hidden_made_id{N};
}

/* The proposal's ambiguous names. Each is used where it is not ambiguous. */
constexpr sycl::specialization_id<int> same_name{1};
static int global_same_name(const std::vector<int> &value = {}) {
  return in_kernel<same_name>(value)[0];
}
namespace {
[[maybe_unused]] constexpr sycl::specialization_id<int> same_name{2};
namespace deeper {
namespace {
constexpr sycl::specialization_id<int> same_name{3};
}
int same_name_here(const std::vector<int> &value = {}) {
  return in_kernel<same_name>(value)[0];
}
} // namespace deeper
} // namespace

CASE("constants of namespaces and classes have their own values") {
  using list = std::vector<int>;
  const auto seen = [](const list &values) {
    return in_kernel<zero_id, inline_id, declared_static_id, outer::nested_id, outer::hidden_id,
                     outer::versioned_id, outer::holder::member_id, outer::holder::of<17>::id,
                     outer::holder::of<18>::id, outer::made_id<19>, outer::made_id<20>,
                     hidden_made_id<long, 21>>(values);
  };
  CHECK(seen({}) == (list{0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}));
  const list values = {30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41};
  CHECK(seen(values) == values);
}

CASE("constants of one name in a namespace and in one without name inside are two") {
  CHECK(global_same_name() == 1 && deeper::same_name_here() == 3);
  CHECK(global_same_name({10}) == 10 && deeper::same_name_here({30}) == 30);
}

/* ---- Several units ---- */

CASE("a constant that other units can name is one, another is one for each unit") {
  const ids here = ids_here();
  const ids there = ids_of_other_unit();
  CHECK(here.shared == there.shared && here.kept == there.kept);
  CHECK(here.local != there.local && here.fixed != there.fixed);
  CHECK(here.local != here.fixed && here.shared != here.kept);
}

CASE("each call gives a variable's id the same text") {
  CHECK(ids_here().shared == ids_here().shared && ids_here().local == ids_here().local);
}

CASE("kernels of two units see their constants") {
  const seen here = seen_here(-1, -1);
  const seen there = seen_by_other_unit(-1, -1);
  CHECK(here.shared == 5 && here.kept == 6 && here.local == 7 && here.fixed == 8);
  CHECK(there.shared == 5 && there.kept == 6 && there.local == 70 && there.fixed == 71);
  const seen here_set = seen_here(50, 51);
  const seen there_set = seen_by_other_unit(60, 61);
  CHECK(here_set.shared == 50 && here_set.local == 51 && here_set.fixed == 8);
  CHECK(there_set.shared == 60 && there_set.local == 61 && there_set.fixed == 71);
}

CHECK_MAIN
