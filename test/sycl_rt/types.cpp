// Constants of many types: the device must see their defaults and the values that are set. Prints
// the names of wrong constants.
#include <sycl/sycl.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <tuple>

enum class color : unsigned short { red = 1, last = 65535 };

struct padded {
  char a;
  double b;
  short c;
};
struct __attribute__((packed)) tight {
  char a;
  double b;
  short c;
};
struct alignas(32) aligned {
  int a;
  char b;
};
struct empty {};
struct derived : empty, padded {
  bool d;
};
struct nested {
  padded inner[2];
  std::array<short, 3> list;
  tight t;
  color c;
};
struct bits {
  int word[3];
  unsigned char bytes[5];
};
struct fields {
  int a : 20;
  int b : 20;
  unsigned char c;
  long d : 37;
};
typedef float lanes __attribute__((vector_size(16)));
struct quiet { // with default initializers of its members
  float x = 1.5F;
  bool y = true;
};

static bool same(const padded &l, const padded &r) {
  return l.a == r.a && l.b == r.b && l.c == r.c;
}
static bool same(const tight &l, const tight &r) {
  return l.a == r.a && l.b == r.b && l.c == r.c;
}
static bool same(const aligned &l, const aligned &r) {
  return l.a == r.a && l.b == r.b;
}
static bool same(const derived &l, const derived &r) {
  return same(static_cast<const padded &>(l), static_cast<const padded &>(r)) && l.d == r.d;
}
static bool same(const nested &l, const nested &r) {
  return same(l.inner[0], r.inner[0]) && same(l.inner[1], r.inner[1]) && l.list == r.list &&
         same(l.t, r.t) && l.c == r.c;
}
static bool same(const bits &l, const bits &r) {
  bool equal = true;
  for (int i = 0; i < 3; i++)
    equal = equal && l.word[i] == r.word[i];
  for (int i = 0; i < 5; i++)
    equal = equal && l.bytes[i] == r.bytes[i];
  return equal;
}
static bool same(const fields &l, const fields &r) {
  return l.a == r.a && l.b == r.b && l.c == r.c && l.d == r.d;
}
static bool same(const lanes &l, const lanes &r) {
  bool equal = true;
  for (int i = 0; i < 4; i++)
    equal = equal && l[i] == r[i];
  return equal;
}
static bool same(const quiet &l, const quiet &r) {
  return l.x == r.x && l.y == r.y;
}
template <class T, int N> static bool same(const sycl::vec<T, N> &l, const sycl::vec<T, N> &r) {
  bool equal = true;
  for (int i = 0; i < N; i++)
    equal = equal && l[i] == r[i];
  return equal;
}
template <class T, std::size_t N>
static bool same(const sycl::marray<T, N> &l, const sycl::marray<T, N> &r) {
  bool equal = true;
  for (std::size_t i = 0; i < N; i++)
    equal = equal && l[i] == r[i];
  return equal;
}
template <class T> static bool same(const T &l, const T &r) {
  return l == r;
}

template <class T> constexpr T low = std::numeric_limits<T>::lowest();
template <class T> constexpr T high = std::numeric_limits<T>::max();

// X(name, type, default, another value)
#define CONSTANTS(X)                                                                               \
  X(b0, bool, false, true)                                                                         \
  X(b1, bool, true, false)                                                                         \
  X(c, char, low<char>, high<char>)                                                                \
  X(sc, signed char, -128, 127)                                                                    \
  X(uc, unsigned char, 255, 0)                                                                     \
  X(s, short, low<short>, high<short>)                                                             \
  X(us, unsigned short, 65535, 1)                                                                  \
  X(i, int, low<int>, high<int>)                                                                   \
  X(u, unsigned, high<unsigned>, 0)                                                                \
  X(l, long, low<long>, high<long>)                                                                \
  X(ull, unsigned long long, high<unsigned long long>, 1)                                          \
  X(c16, char16_t, u'\xffff', u'a')                                                                \
  X(wide, wchar_t, L'x', L'y')                                                                     \
  X(byte, std::byte, std::byte{255}, std::byte{1})                                                 \
  X(f, float, low<float>, std::numeric_limits<float>::denorm_min())                                \
  X(inf, float, std::numeric_limits<float>::infinity(), -0.0F)                                     \
  X(d, double, low<double>, std::numeric_limits<double>::denorm_min())                             \
  X(h, sycl::half, sycl::half(1.5F), sycl::half(65504.F))                                          \
  X(e, color, color::red, color::last)                                                             \
  X(cf, std::complex<float>, (std::complex<float>{1, -2}), (std::complex<float>{3, 4}))            \
  X(cd, std::complex<double>, (std::complex<double>{1, -2}), (std::complex<double>{3, 4}))         \
  X(pad, padded, (padded{'a', 2.5, -3}), (padded{'b', -1e300, 32767}))                             \
  X(pack, tight, (tight{'a', 2.5, -3}), (tight{'b', -1e300, 32767}))                               \
  X(al, aligned, (aligned{7, 'x'}), (aligned{-7, 'y'}))                                            \
  X(der, derived, (derived{{}, {'a', 2.5, -3}, true}), (derived{{}, {'c', 0.5, 3}, false}))        \
  X(nest, nested, (nested{{{'a', 1, 2}, {'b', 3, 4}}, {5, 6, 7}, {'c', 8, 9}, color::red}),        \
    (nested{{{'d', -1, -2}, {'e', -3, -4}}, {-5, -6, -7}, {'f', -8, -9}, color::last}))            \
  X(arr, bits, (bits{{1, 2, 3}, {4, 5, 6, 7, 8}}), (bits{{-1, -2, -3}, {9, 8, 7, 6, 5}}))          \
  X(bf, fields, (fields{-5, 6, 200, -0x876543210}), (fields{0x7ffff, -1, 0, 0xfffffffff}))         \
  X(la, lanes, (lanes{1, 2, 3, 4}), (lanes{-1, -2, -3, -4}))                                       \
  X(qu, quiet, quiet{}, (quiet{-2, false}))                                                        \
  X(list, (std::array<short, 5>), (std::array<short, 5>{1, 2, 3, 4, 5}),                           \
    (std::array<short, 5>{5, 4, 3, 2, 1}))                                                         \
  X(v2, sycl::char2, sycl::char2(1, -2), sycl::char2(-3, 4))                                       \
  X(v3, sycl::int3, sycl::int3(1, 2, 3), sycl::int3(-1, -2, -3))                                   \
  X(v4, sycl::float4, sycl::float4(1, 2, 3, 4), sycl::float4(-1, -2, -3, -4))                      \
  X(v8, sycl::double8, sycl::double8(1), sycl::double8(2))                                         \
  X(v16, sycl::short16, sycl::short16(1), sycl::short16(2))                                        \
  X(ma, (sycl::marray<float, 3>), (sycl::marray<float, 3>{1, 2, 3}),                               \
    (sycl::marray<float, 3>{4, 5, 6}))

template <class> struct unwrap;
template <class T> struct unwrap<void(T)> {
  using type = T;
};
#define TYPE(name) unwrap<void(name)>::type

#define CONSTANT(name, type, first, second)                                                        \
  constexpr sycl::specialization_id<TYPE(type)> id_##name(first);
CONSTANTS(CONSTANT)
#undef CONSTANT

template <auto &Id, class T>
static int compare(sycl::queue &q, const char *name, const T &first, const T &second) {
  T *seen = sycl::malloc_shared<T>(2, q);
  const auto read = [&](T *to, bool sets) {
    q.submit([&](sycl::handler &h) {
       if (sets)
         h.set_specialization_constant<Id>(second);
       h.single_task([=](sycl::kernel_handler k) { *to = k.get_specialization_constant<Id>(); });
     }).wait();
  };
  read(seen, false);
  read(seen + 1, true);
  const bool is_first = same(seen[0], first), is_second = same(seen[1], second);
  if (!is_first || !is_second)
    std::printf("%s: %s is wrong\n", name, is_first ? "the value that was set" : "the default");
  sycl::free(seen, q);
  return is_first && is_second ? 0 : 1;
}

int main() {
  sycl::queue q;
  int wrong = 0, count = 0;
#define COMPARE(name, type, first, second)                                                         \
  wrong += compare<id_##name, TYPE(type)>(q, #name, first, second);                                \
  count++;
  CONSTANTS(COMPARE)
  std::printf("%d of %d types are wrong\n", wrong, count);
  return wrong != 0;
}
