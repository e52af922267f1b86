// Ranges, items, vecs, mathematics and unified shared memory.
#include "check.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numeric>

namespace {

struct pod {
  struct {
    int x;
    float y;
  } a[2];
  cl::sycl::vec<int, 2> b;
};

} // namespace

CASE("ids and ranges have operators for each dimension") {
  using sycl::id;
  using sycl::range;
  static_assert(id<2>(1, 2) + id<2>(3, 4) == id<2>(4, 6));
  static_assert(id<2>(1, 2) * range<2>(3, 4) == id<2>(3, 8));
  static_assert(range<3>(2, 4, 6) / 2 == range<3>(1, 2, 3));
  static_assert(7 - id<2>(1, 2) == id<2>(6, 5));
  static_assert((id<2>(1, 5) < id<2>(2, 2)) == id<2>(1, 0));
  static_assert((id<2>(1, 5) >= 3) == id<2>(0, 1));
  static_assert(range<2>(2, 3).size() == 6 && range(4, 5).get(1) == 5);
  static_assert(std::is_same_v<decltype(range(1, 2, 3)), range<3>>);
  id<3> a(1, 2, 3);
  CHECK(++a == id<3>(2, 3, 4) && a-- == id<3>(2, 3, 4) && a == id<3>(1, 2, 3));
  a <<= 1;
  a %= id<3>(3, 3, 3);
  CHECK(a == id<3>(2, 1, 0) && -a + a == id<3>() && +a == a);
}

CASE("an id of one dimension is a number") {
  const sycl::id<1> i(3);
  const std::size_t n = i;
  const int all[] = {0, 10, 20, 30, 40};
  CHECK(n == 3 && i == 3 && 3U == i && i != 4L && i < 4 && 2 < i);
  CHECK(all[i] == 30 && all[i + 1] == 40 && i + 1 == 4 && 10 - i == 7);
  static_assert(std::is_same_v<decltype(i * 0.5), double>);
  static_assert(std::is_same_v<decltype(2.0F * i), float>);
  const sycl::range<1> r = 5;
  CHECK(r[0] == 5 && r == sycl::range<1>(5) && i * r == 15);
}

CASE("an item knows its place in the range") {
  sycl::queue q = check::queue();
  std::vector<std::size_t> out(24 * 4);
  {
    sycl::buffer b(out);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only};
      cgh.parallel_for(sycl::range<3>(2, 3, 4), [=](sycl::item<3, false> it) {
        const std::size_t at = it.get_linear_id() * 4;
        w[at] = it.get_id(0) * 100 + it[1] * 10 + it.get_id()[2];
        w[at + 1] = it.get_range(0) * 100 + it.get_range()[1] * 10 + it.get_range(2);
        const sycl::item<3> other = it;
        w[at + 2] = other.get_offset() == sycl::id<3>() && other == sycl::item<3>(it) ? 1 : 0;
        w[at + 3] = sycl::id<3>(other) == it.get_id() ? 1 : 0;
      });
    });
  }
  for (std::size_t i = 0; i < 24; i++) {
    CHECK(out[i * 4] == i / 12 * 100 + i / 4 % 3 * 10 + i % 4);
    CHECK(out[i * 4 + 1] == 234 && out[i * 4 + 2] == 1 && out[i * 4 + 3] == 1);
  }
}

CASE("an nd_item knows its group, by the names of SYCL 1.2.1 and 2020") {
  sycl::queue q = check::queue();
  constexpr std::size_t items = 4 * 6;
  struct seen {
    std::size_t global, local, group, ranges, linear, same;
  };
  std::vector<seen> out(items);
  {
    sycl::buffer b(out);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only};
      cgh.parallel_for(
          sycl::nd_range<2>{sycl::range<2>(4, 6), sycl::range<2>(2, 3)}, [=](sycl::nd_item<2> it) {
            const sycl::group<2> g = it.get_group();
            seen &s = w[it.get_global_linear_id()];
            s.global = it.get_global(0) * 10 + it.get_global_id(1);
            s.local = it.get_local(0) * 10 + it.get_local_id()[1];
            s.group = it.get_group(0) * 10 + g[1];
            s.ranges = it.get_global_range()[0] * 100000 + it.get_global_range(1) * 10000 +
                       it.get_local_range(0) * 1000 + it.get_local_range()[1] * 100 +
                       it.get_group_range(0) * 10 + g.get_group_range(1);
            s.linear = it.get_local_linear_id() * 100 + it.get_group_linear_id();
            s.same = g.get_group_id() == g.get_id() && g.get_local_id() == it.get_local_id() &&
                     g.leader() == (it.get_local_linear_id() == 0) &&
                     g.get_local_linear_range() == 6 && g.get_group_linear_range() == 4 &&
                     it.get_nd_range() == sycl::nd_range<2>({4, 6}, {2, 3});
          });
    });
  }
  for (std::size_t i = 0; i < items; i++) {
    const std::size_t y = i / 6;
    const std::size_t x = i % 6;
    CHECK(out[i].global == y * 10 + x);
    CHECK(out[i].local == y % 2 * 10 + x % 3 && out[i].group == y / 2 * 10 + x / 3);
    CHECK(out[i].ranges == 462322 && out[i].same == 1);
    CHECK(out[i].linear == (y % 2 * 3 + x % 3) * 100 + y / 2 * 2 + x / 3);
  }
}

/* ---- vec ---- */

CASE("a vec has elements, operators and comparisons") {
  using sycl::vec;
  static_assert(std::is_trivially_default_constructible_v<pod> && std::is_standard_layout_v<pod>);
  static_assert(std::is_trivially_copyable_v<pod> && sizeof(pod) == 24);
  static_assert(sizeof(sycl::float3) == 16 && alignof(sycl::double4) == 32);
  constexpr sycl::int4 a(1, 2, 3, 4);
  static_assert(a.x() == 1 && a.y() == 2 && a.z() == 3 && a.w() == 4 && a[2] == 3 && a.s3() == 4);
  static_assert(all(a + 1 == sycl::int4(2, 3, 4, 5)) && all(2 * a == a + a));
  static_assert(all((a << 1) % 3 == sycl::int4(2, 1, 0, 2)) && !any(a != a));
  static_assert(all(-a < a) && !all(a >= 2) && any(a >= 2));
  static_assert(std::is_same_v<decltype(sycl::vec{1.0, 2.0} == 1.0), sycl::long2>);
  sycl::float4 f(sycl::float2(1, 2), 3, 4);
  f *= 2.0F;
  f.y() = 7;
  CHECK(all(f == sycl::float4(2, 7, 6, 8)));
  CHECK(all(f.convert<int>() / 2 == sycl::int4(1, 3, 3, 4)));
  CHECK((f.as<sycl::int4>().x()) == 0x40000000);
  const float memory[] = {0, 0, 1, 2};
  sycl::float2 g;
  g.load(1, memory);
  float there[2];
  g.store(0, there);
  CHECK(there[0] == 1 && there[1] == 2);
  const vec<int, 1> one(3);
  CHECK(one[0] == 3);
}

CASE("a vec in a structure goes into kernels and out of them") {
  sycl::queue q = check::queue();
  const pod gold = {{{1, 2}, {3, 4}}, {5, 6}};
  std::vector<pod> out(2);
  {
    sycl::buffer<pod, 1> b(out.data(), out.size());
    q.submit([&](cl::sycl::handler &cgh) {
      auto acc = b.get_access<cl::sycl::access::mode::write>(cgh);
      cgh.single_task([=] {
        acc[0] = gold;
        acc[1].b = gold.b * 2 + cl::sycl::vec<int, 2>(gold.b.y(), gold.a[1].x);
      });
    });
  }
  CHECK(out[0].a[1].x == 3 && out[0].a[1].y == 4 && all(out[0].b == sycl::int2(5, 6)));
  CHECK(all(out[1].b == sycl::int2(16, 15)));
}

/* ---- Mathematics ---- */

/* X(expression) of x and y; at least one of them is in the function's domain. */
#define FUNCTIONS(X)                                                                               \
  X(sycl::acos(x))                                                                                 \
  X(sycl::asin(x))                                                                                 \
  X(sycl::atan(y))                                                                                 \
  X(sycl::atan2(x, y))                                                                             \
  X(sycl::cbrt(y))                                                                                 \
  X(sycl::ceil(y))                                                                                 \
  X(sycl::copysign(y, -x))                                                                         \
  X(sycl::cos(y))                                                                                  \
  X(sycl::cosh(x))                                                                                 \
  X(sycl::degrees(x))                                                                              \
  X(sycl::erf(x))                                                                                  \
  X(sycl::exp(x))                                                                                  \
  X(sycl::exp2(y))                                                                                 \
  X(sycl::expm1(x))                                                                                \
  X(sycl::fabs(-y))                                                                                \
  X(sycl::floor(y))                                                                                \
  X(sycl::fma(x, y, x))                                                                            \
  X(sycl::fmax(x, y))                                                                              \
  X(sycl::fmin(x, y))                                                                              \
  X(sycl::fmod(y, x))                                                                              \
  X(sycl::hypot(x, y))                                                                             \
  X(sycl::log(y))                                                                                  \
  X(sycl::log10(y))                                                                                \
  X(sycl::log1p(x))                                                                                \
  X(sycl::log2(y))                                                                                 \
  X(sycl::mad(x, y, y))                                                                            \
  X(sycl::mix(x, y, x))                                                                            \
  X(sycl::pow(y, x))                                                                               \
  X(sycl::radians(y))                                                                              \
  X(sycl::rint(y))                                                                                 \
  X(sycl::round(y))                                                                                \
  X(sycl::rsqrt(y))                                                                                \
  X(sycl::sign(-y))                                                                                \
  X(sycl::sin(y))                                                                                  \
  X(sycl::sinh(x))                                                                                 \
  X(sycl::sinpi(x))                                                                                \
  X(sycl::smoothstep(T(0), T(2), x))                                                               \
  X(sycl::sqrt(y))                                                                                 \
  X(sycl::step(x, y))                                                                              \
  X(sycl::tan(x))                                                                                  \
  X(sycl::tanh(x))                                                                                 \
  X(sycl::trunc(-y))                                                                               \
  X(sycl::min(x, y))                                                                               \
  X(sycl::max(x, y))                                                                               \
  X(sycl::clamp(y, T(1), T(2)))                                                                    \
  X(sycl::abs(-y))                                                                                 \
  X(std::sqrt(y) + std::sin(x) + std::pow(y, x) + std::floor(y))                                   \
  X(sycl::length(sycl::vec<T, 3>(x, y, y)))                                                        \
  X(sycl::sin(sycl::vec<T, 2>(x, y)).y())

namespace {

template <class T> class Mathematics;

template <class T> std::size_t compute(T x, T y, T *out) {
  std::size_t n = 0;
#define FUNCTION(expression) out[n++] = static_cast<T>(expression);
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  return n;
}

/* Checks that functions have the host's results on the device, but for rounding. */
template <class T> void check_mathematics() {
  sycl::queue q = check::queue();
  const char *const names[] = {
#define FUNCTION(expression) #expression,
      FUNCTIONS(FUNCTION)
#undef FUNCTION
  };
  T host[64] = {};
  T device[64] = {};
  const std::size_t count = compute<T>(T(0.375), T(2.625), host);
  {
    sycl::buffer<T> b(device, sycl::range<1>(64));
    const std::vector<T> in = {T(0.375), T(2.625)};
    sycl::buffer<T> i(in);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only};
      sycl::accessor r{i, cgh, sycl::read_only};
      cgh.single_task<Mathematics<T>>([=] { compute<T>(r[0], r[1], &w[0]); });
    });
  }
  for (std::size_t i = 0; i < count; i++)
    if (!(std::fabs(host[i] - device[i]) <= 1e-5 * (1 + std::fabs(host[i]))))
      check::fail(__FILE__, __LINE__,
                  std::string(names[i]) + " is " + std::to_string(device[i]) + ", not " +
                      std::to_string(host[i]));
}

} // namespace

CASE("functions of float are the same on host and device") {
  check_mathematics<float>();
}

CASE("functions of double are the same on host and device") {
  check_mathematics<double>();
}

namespace {

template <class T> class ComplexOperators;

/* Returns complex numbers with finite, zero, infinite and NaN parts. */
template <class T> std::vector<std::complex<T>> complex_numbers() {
  using limits = std::numeric_limits<T>;
  const T parts[] = {T(0),
                     T(-0.0),
                     T(1.5),
                     T(-2.25),
                     4 * std::sqrt(limits::max()),
                     limits::infinity(),
                     -limits::infinity(),
                     limits::quiet_NaN()};
  std::vector<std::complex<T>> all;
  for (const T real : parts)
    for (const T imaginary : parts)
      all.emplace_back(real, imaginary);
  return all;
}

/* Returns whether both are infinite, in any part, or both parts are equal but for rounding. */
template <class T> bool is_same(const std::complex<T> &a, const std::complex<T> &b) {
  const auto infinite = [](const std::complex<T> &z) {
    return std::isinf(z.real()) || std::isinf(z.imag());
  };
  const T error = std::abs(b) * std::numeric_limits<T>::epsilon() * 8;
  const auto near = [&](T x, T y) {
    return std::isnan(x) ? std::isnan(y) : x == y || std::abs(x - y) <= error;
  };
  return infinite(a) || infinite(b) ? infinite(a) && infinite(b)
                                    : near(a.real(), b.real()) && near(a.imag(), b.imag());
}

/* Multiplies and divides each pair of numbers. */
template <class T> void check_complex() {
  using number = std::complex<T>;
  sycl::queue q = check::queue();
  const std::vector<number> in = complex_numbers<T>();
  const std::size_t n = in.size();
  std::vector<number> products(n * n);
  std::vector<number> quotients(n * n);
  {
    sycl::buffer<number> numbers(in);
    sycl::buffer<number> times(products);
    sycl::buffer<number> over(quotients);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor x{numbers, cgh, sycl::read_only};
      sycl::accessor product{times, cgh, sycl::write_only};
      sycl::accessor quotient{over, cgh, sycl::write_only};
      cgh.parallel_for<ComplexOperators<T>>(sycl::range<2>(n, n), [=](sycl::item<2> at) {
        product[at.get_linear_id()] = x[at[0]] * x[at[1]];
        quotient[at.get_linear_id()] = x[at[0]] / x[at[1]];
      });
    });
  }
  for (std::size_t i = 0; i < n * n; i++) {
    const number x = in[i / n];
    const number y = in[i % n];
    const bool right = is_same(products[i], x * y) && is_same(quotients[i], x / y);
    if (!right)
      std::cout << x << " and " << y << ": " << products[i] << ", " << quotients[i]
                << ", and on the host " << x * y << ", " << x / y << "\n";
    CHECK(right);
  }
}

} // namespace

CASE("complex numbers are multiplied and divided, infinite ones, too") {
  check_complex<float>();
  if (check::device().has(sycl::aspect::fp64))
    check_complex<double>();
}

CASE("the host's functions are right") {
  CHECK(sycl::rsqrt(4.0) == 0.5 && sycl::sign(-3.0F) == -1 && sycl::sign(0.0) == 0);
  CHECK(sycl::step(1.0, 2.0) == 1 && sycl::step(2.0, 1.0) == 0 && sycl::mix(1.0, 3.0, 0.5) == 2);
  CHECK(sycl::clamp(5, 1, 3) == 3 && sycl::abs(-7) == 7 && sycl::max(1U, 2U) == 2);
  CHECK(std::fabs(sycl::degrees(3.14159265358979) - 180) < 1e-9);
  CHECK(all(sycl::cross(sycl::float3(1, 0, 0), sycl::float3(0, 1, 0)) == sycl::float3(0, 0, 1)));
  CHECK(sycl::dot(sycl::int2(1, 2), sycl::int2(3, 4)) == 11);
}

/* ---- Unified shared memory ---- */

CASE("unified shared memory is allocated, known and freed") {
  sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  int *const shared = sycl::malloc_shared<int>(8, q);
  int *const host = sycl::malloc_host<int>(8, in);
  int *const device = sycl::malloc_device<int>(8, q.get_device(), in);
  double *const aligned = sycl::aligned_alloc_shared<double>(64, 8, q);
  CHECK(shared && host && device && reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0);
  for (int i = 0; i < 8; i++) {
    host[i] = i;
    aligned[i] = 0.5 * i;
  }
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) {
      device[i] = 3 * host[i];
      shared[i] = device[i] + static_cast<int>(aligned[i]);
    });
  });
  q.wait();
  for (int i = 0; i < 8; i++)
    CHECK(shared[i] == 3 * i + i / 2);
  CHECK(sycl::get_pointer_type(shared + 7, in) == sycl::usm::alloc::shared);
  CHECK(sycl::get_pointer_type(host, in) == sycl::usm::alloc::host);
  CHECK(sycl::get_pointer_type(device, in) == sycl::usm::alloc::device);
  CHECK(sycl::get_pointer_type(shared + 8, in) != sycl::usm::alloc::shared);
  CHECK(sycl::get_pointer_type(&q, in) == sycl::usm::alloc::unknown);
  CHECK(sycl::get_pointer_device(device, in) == q.get_device());
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "unified shared memory",
               sycl::get_pointer_device(&q, in));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "is freed", sycl::free(shared + 1, q));
  for (void *const pointer : {static_cast<void *>(shared), static_cast<void *>(host),
                              static_cast<void *>(device), static_cast<void *>(aligned)})
    sycl::free(pointer, q);
  sycl::free(nullptr, in);
  CHECK(sycl::get_pointer_type(shared, in) == sycl::usm::alloc::unknown);
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "is freed", sycl::free(shared, q));
}

CASE("allocations that cannot be are null or throw") {
  sycl::queue q = check::queue();
  CHECK(!sycl::malloc_shared<int>(0, q) && !sycl::malloc_host<int>(0, q));
  CHECK(!sycl::aligned_alloc_shared(3, 8, q));
  CHECK(!sycl::malloc_shared<double>(SIZE_MAX / 4, q));
  if (!check::host()) {
    const sycl::device host(sycl::host_selector{});
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "not of the context",
                 sycl::malloc_device(8, host, q.get_context()));
  }
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  std::vector<int, allocator> numbers({1, 2, 3}, allocator(q));
  numbers.push_back(4);
  int *const data = numbers.data();
  q.submit([&](sycl::handler &cgh) { cgh.single_task([=] { data[3] += data[0]; }); });
  q.wait();
  CHECK(numbers.back() == 5);
}

/* ---- Commands that copy and fill memory ---- */

namespace {

struct three {
  int a, b, c;
  friend bool operator==(const three &x, const three &y) {
    return x.a == y.a && x.b == y.b && x.c == y.c;
  }
};

/* Memory of a given kind, freed in the destructor. */
template <class T> class memory {
public:
  memory(const sycl::queue &q, sycl::usm::alloc kind, std::size_t count)
      : queue_(q), first_(sycl::malloc<T>(count, q, kind)) {}
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;
  ~memory() {
    sycl::free(first_, queue_);
  }
  T *get() const {
    return first_;
  }

private:
  sycl::queue queue_;
  T *first_;
};

/* Reads count elements with a copy that has no dependencies but the queue's order. */
template <class T> std::vector<T> read(sycl::queue &q, const T *from, std::size_t count) {
  q.wait_and_throw();
  std::vector<T> there(count);
  q.copy(from, there.data(), count).wait();
  return there;
}

constexpr sycl::usm::alloc kinds[] = {sycl::usm::alloc::device, sycl::usm::alloc::shared,
                                      sycl::usm::alloc::host};

/* Checks all forms of fill with a pattern. */
template <class T> void check_fill(sycl::usm::alloc kind, const T &first, const T &second) {
  sycl::queue q = check::queue();
  constexpr std::size_t count = 37;
  const memory<T> m(q, kind, count);
  q.fill(m.get(), first, count).wait();
  CHECK(read(q, m.get(), count) == std::vector<T>(count, first));
  const sycl::event e = q.submit([&](sycl::handler &cgh) { cgh.fill(m.get(), second, count); });
  const sycl::event f = q.fill(m.get() + 1, first, 5, e);
  q.fill(m.get() + 3, second, 1, {e, f}).wait();
  std::vector<T> wanted(count, second);
  for (const std::size_t i : {1, 2, 4, 5})
    wanted[i] = first;
  CHECK(read(q, m.get(), count) == wanted);
}

} // namespace

CASE("memcpy and copy go between all kinds of memory, by handler and queue") {
  sycl::queue q = check::queue();
  constexpr std::size_t count = 19;
  std::vector<int> data(count);
  for (std::size_t i = 0; i < count; i++)
    data[i] = static_cast<int>(i * i);
  for (const sycl::usm::alloc from : kinds)
    for (const sycl::usm::alloc to : kinds) {
      const memory<int> a(q, from, count);
      const memory<int> b(q, to, count);
      const sycl::event first = q.memcpy(a.get(), data.data(), count * sizeof(int));
      const sycl::event second = q.submit([&](sycl::handler &cgh) {
        cgh.depends_on(first);
        cgh.copy(a.get(), b.get(), count);
      });
      const sycl::event third = q.copy(data.data() + 5, a.get(), 2, second);
      q.memcpy(b.get(), a.get(), sizeof(int), {second, third}).wait();
      std::vector<int> wanted = data;
      wanted[0] = 25;
      CHECK(read(q, b.get(), count) == wanted);
      wanted[1] = 36;
      std::copy(data.begin() + 2, data.end(), wanted.begin() + 2);
      CHECK(read(q, a.get(), count) == wanted);
      /* Source and target are adjacent in one allocation. */
      q.submit([&](sycl::handler &cgh) { cgh.memcpy(a.get(), a.get() + 4, 4 * sizeof(int)); });
      CHECK(read(q, a.get(), 8) == (std::vector<int>{16, 25, 36, 49, 16, 25, 36, 49}));
    }
  std::vector<int> other(count);
  q.copy(data.data(), other.data(), count).wait();
  CHECK(other == data);
}

CASE("fill and memset have patterns of any size and value") {
  for (const sycl::usm::alloc kind : kinds) {
    check_fill<char>(kind, 1, 2);
    check_fill<short>(kind, 0x1234, 0x0101);
    check_fill<int>(kind, 0x12345678, 0);
    check_fill<double>(kind, 0.5, -1e300);
    check_fill<three>(kind, {1, 2, 3}, {4, 4, 4});
    sycl::queue q = check::queue();
    const memory<unsigned char> m(q, kind, 16);
    const sycl::event e = q.memset(m.get(), 0x1fe, 16);
    const sycl::event f = q.memset(m.get() + 1, 7, 3, e);
    q.submit([&](sycl::handler &cgh) {
      cgh.depends_on(f);
      cgh.memset(m.get() + 2, -1, 1);
    });
    q.memset(m.get() + 15, 0, 1, {e, f}).wait();
    std::vector<unsigned char> wanted(16, 0xfe);
    wanted[1] = wanted[3] = 7;
    wanted[2] = 0xff;
    wanted[15] = 0;
    CHECK(read(q, m.get(), 16) == wanted);
  }
}

CASE("memory commands with bad pointers or sizes are errors, and change nothing") {
  sycl::queue q = check::queue();
  const memory<int> m(q, sycl::usm::alloc::shared, 8);
  int *const p = m.get();
  int *const none = nullptr;
  q.fill(p, 6, 8).wait();
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "destination of a copy is NULL",
               q.memcpy(none, p, 4));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "source of a copy is NULL",
               q.copy(static_cast<const int *>(none), p, 2));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "destination of a fill is NULL",
               q.fill(none, 3, 2));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "destination of a fill is NULL",
               q.memset(none, 3, 2));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "overlap", q.copy(p, p + 3, 4));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "overlap", q.copy(p + 3, p, 4));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "overlap", q.memcpy(p, p, 1));
  const std::size_t many = SIZE_MAX / sizeof(int) + 2;
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "more than memory can have",
               q.copy(p, p + 4, many));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "more than memory can have",
               q.fill(p, 1, many));
  for (const sycl::event &e : {q.memcpy(none, none, 0), q.copy(p, none, 0), q.fill(none, 1, 0),
                               q.memset(none, 1, 0), q.copy(p, p, 0)})
    CHECK(e.get_info<sycl::info::event::command_execution_status>() ==
          sycl::info::event_command_status::complete);
  q.wait_and_throw();
  CHECK(std::vector<int>(p, p + 8) == std::vector<int>(8, 6));
}

CASE("accessors are copied and filled, whole and in parts that lie together") {
  sycl::queue q = check::queue();
  std::vector<int> data(16);
  std::iota(data.begin(), data.end(), 0);
  const memory<int> m(q, sycl::usm::alloc::device, 16);
  sycl::buffer<int, 2> square(data.data(), sycl::range<2>(4, 4));
  sycl::buffer<int, 1> line{sycl::range<1>(16)};
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{line, cgh, sycl::write_only, sycl::no_init};
    cgh.fill(a, -1);
  });
  /* Two rows of the square are 8 contiguous elements. */
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{square, cgh, sycl::range<2>(2, 4), sycl::id<2>(1, 0), sycl::read_only};
    const sycl::accessor b{line, cgh, sycl::range<1>(9), sycl::id<1>(3), sycl::write_only};
    cgh.copy(a, b);
  });
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{line, cgh, sycl::range<1>(10), sycl::id<1>(2), sycl::read_only};
    cgh.copy(a, m.get());
  });
  CHECK(read(q, m.get(), 10) == (std::vector<int>{-1, 4, 5, 6, 7, 8, 9, 10, 11, -1}));
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{square, cgh, sycl::range<2>(1, 3), sycl::id<2>(3, 1), sycl::write_only};
    cgh.copy(static_cast<const int *>(m.get()), a);
  });
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{square, cgh, sycl::range<2>(1, 2), sycl::id<2>(0, 1), sycl::read_write};
    cgh.fill(a, 77);
  });
  /* A placeholder can be used once it is required. */
  const sycl::accessor later{square, sycl::range<2>(1, 1), sycl::id<2>(2, 3), sycl::write_only};
  q.submit([&](sycl::handler &cgh) {
    cgh.require(later);
    cgh.fill(later, 88);
  });
  const sycl::host_accessor there{square, sycl::read_only};
  CHECK(std::vector<int>(there.begin(), there.end()) ==
        (std::vector<int>{0, 77, 77, 3, 4, 5, 6, 7, 8, 9, 10, 88, 12, -1, 4, 5}));
}

CASE("accessors that cannot be copied or filled are errors at once, and change nothing") {
  sycl::queue q = check::queue();
  std::vector<int> data(16, 5);
  {
    sycl::buffer<int, 2> square(data.data(), sycl::range<2>(4, 4));
    const sycl::range<2> inner(2, 2);
    const char *const apart = "are not contiguous";
    std::vector<int> out(4, 9);
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, apart,
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, inner, sycl::write_only};
                   cgh.fill(a, 1);
                 }));
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, apart,
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, inner, sycl::read_only};
                   cgh.copy(a, out.data());
                 }));
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, apart,
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, inner, sycl::write_only};
                   cgh.copy(out.data(), a);
                 }));
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "overlap",
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, sycl::range<2>(2, 4), sycl::read_only};
                   const sycl::accessor b{square, cgh, sycl::range<2>(2, 4), sycl::id<2>(1, 0),
                                          sycl::write_only};
                   cgh.copy(a, b);
                 }));
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "source of a copy is NULL",
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, sycl::write_only};
                   cgh.copy(static_cast<const int *>(nullptr), a);
                 }));
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "this is the second",
                 q.submit([&](sycl::handler &cgh) {
                   const sycl::accessor a{square, cgh, sycl::write_only};
                   cgh.fill(a, 1);
                   cgh.fill(a, 2);
                 }));
    const sycl::accessor never{square, sycl::write_only};
    CHECK_THROWS(sycl::exception, sycl::errc::kernel_argument, "does not require",
                 q.submit([&](sycl::handler &cgh) { cgh.fill(never, 1); }));
    /* Commands without elements do nothing. */
    q.submit([&](sycl::handler &cgh) {
      const sycl::accessor a{square, cgh, sycl::range<2>(0, 4), sycl::write_only};
      cgh.fill(a, 1);
    });
    q.wait_and_throw();
    CHECK(out == std::vector<int>(4, 9));
  }
  CHECK(data == std::vector<int>(16, 5));
}

CHECK_MAIN
