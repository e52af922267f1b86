// The proposal "SYCL Specialization Constant": spec_id, spec_constant, and functions of handlers.
#include "check.hpp"

#include <array>
#include <cmath>
#include <thread>

/*
 * The proposal's first example, unmodified. A macro turns its main into a function of another name
 * and adds a return statement.
 */
static void overview();
#define main()                                                                                     \
  overview_main() {                                                                                \
    overview();                                                                                    \
    return 0;                                                                                      \
  }                                                                                                \
  static void overview()
#include "texts/003_overview.inc"
#undef main

static int asked;
float get_value() {
  asked++;
  return 1.5F;
}

/* A type without a default constructor. */
struct point {
  constexpr point(int a, float b) : x(a), y(b) {}
  int x;
  float y;
};

using sycl::experimental::spec_constant;
using sycl::experimental::spec_id;

extern spec_id<int> declared_before;
static int use_before_definition() {
  return spec_constant<int, declared_before>().get();
}
spec_id<int> declared_before(7);

static spec_id<int> number(3);
static spec_id<int> other(4);
spec_id<point> where(1, 2.5F);
spec_id<std::array<float, 4>> weights;
namespace inside {
spec_id<double> deep(0.25);
}
struct holder {
  static inline spec_id<std::uint16_t> member{std::uint16_t{9}};
};

/* Returns the numbers that a kernel writes. */
template <class F> static std::vector<float> run(const sycl::queue &on, std::size_t count, F f) {
  std::vector<float> out(count);
  {
    sycl::buffer<float, 1> to(out.data(), sycl::range<1>(count));
    sycl::queue q = on;
    q.submit([&](sycl::handler &cgh) {
      f(cgh, to.template get_access<sycl::access::mode::write>(cgh));
    });
  }
  return out;
}
template <class F> static std::vector<float> run(F f) {
  return run(check::queue(), 4, f);
}

static_assert(!std::is_copy_constructible_v<spec_id<int>>);
static_assert(!std::is_move_constructible_v<spec_id<int>>);
static_assert(!std::is_copy_assignable_v<spec_id<int>>);
static_assert(!std::is_move_assignable_v<spec_id<int>>);
static_assert(std::is_same_v<spec_id<float>::type, float>);
static_assert(std::is_same_v<spec_constant<int, number>::type, int>);
static_assert(std::is_constructible_v<spec_id<point>, int, float>);
static_assert(!std::is_constructible_v<spec_id<point>>);
static_assert(!std::is_convertible_v<int, spec_id<int>>);
static_assert(!std::is_constructible_v<spec_constant<int, number>, int>);
static_assert(std::is_base_of_v<sycl::compile_program_error, sycl::experimental::spec_const_error>);

CASE("the overview's example runs unmodified") {
  asked = 0;
  CHECK(overview_main() == 0);
  CHECK(asked == 1);
}

CASE("a spec_id is neither copied nor moved, and its constructor is explicit") {
  CHECK(!std::is_copy_constructible_v<spec_id<int>>);
}

CASE("a spec_id takes its type's constructor arguments for the default") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto p = cgh.get_spec_constant<point, where>();
    const auto w = cgh.get_spec_constant<std::array<float, 4>, weights>();
    cgh.single_task<class Defaults>([=] {
      to[0] = static_cast<float>(p.get().x);
      to[1] = p.get().y;
      to[2] = w.get()[3];
    });
  });
  CHECK(out[0] == 1);
  CHECK(out[1] == 2.5F);
  CHECK(out[2] == 0);
}

CASE("a spec_id can be declared before it is defined") {
  CHECK(use_before_definition() == 7);
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto c = cgh.set_spec_constant<int, declared_before>(8);
    cgh.single_task<class DeclaredBefore>([=] { to[0] = static_cast<float>(c.get()); });
  });
  CHECK(out[0] == 8);
}

CASE("a placeholder can be made without a value, copied and assigned") {
  spec_constant<int, number> empty;
  const auto out = run([&](sycl::handler &cgh, auto to) {
    empty = cgh.set_spec_constant<int, number>(6);
    const spec_constant<int, number> copy(empty);
    cgh.single_task<class Copied>([=] { to[0] = static_cast<float>(copy.get()); });
  });
  CHECK(out[0] == 6);
  CHECK(empty.get() == 6);
  CHECK(std::is_trivially_copyable_v<decltype(empty)>);
}

CASE("a placeholder gives its value by get and by conversion") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto c = cgh.set_spec_constant<int, number>(6);
    cgh.single_task<class Converted>([=] {
      const int converted = c;
      to[0] = static_cast<float>(c.get());
      to[1] = static_cast<float>(converted);
      to[2] = static_cast<float>(c + 1);
    });
  });
  CHECK(out[0] == 6);
  CHECK(out[1] == 6);
  CHECK(out[2] == 7);
}

CASE("get_spec_constant gives a placeholder's value in a kernel, in each form") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto c = cgh.set_spec_constant<int, number>(6);
    cgh.single_task<class FreeFunctions>([=] {
      to[0] = static_cast<float>(sycl::get_spec_constant(c));
      to[1] = static_cast<float>(sycl::get_spec_constant<int, number>(c));
      to[2] = static_cast<float>(sycl::get_spec_constant<number>(c));
    });
  });
  CHECK(out[0] == 6);
  CHECK(out[1] == 6);
  CHECK(out[2] == 6);
}

CASE("a handler sets a constant by reference, by pointer and by name alone") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto a = cgh.set_spec_constant<double, inside::deep>(0.5);
    const auto b = cgh.set_spec_constant<std::uint16_t, &holder::member>(std::uint16_t{12});
    const auto c = cgh.set_spec_constant<where>(point(3, 4.5F));
    cgh.single_task<class ThreeForms>([=] {
      to[0] = static_cast<float>(a.get());
      to[1] = static_cast<float>(b.get());
      to[2] = c.get().y;
    });
  });
  CHECK(out[0] == 0.5F);
  CHECK(out[1] == 12);
  CHECK(out[2] == 4.5F);
}

CASE("a handler gives the placeholder of a constant that is not set: the default") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto a = cgh.get_spec_constant<double, inside::deep>();
    const auto b = cgh.get_spec_constant<std::uint16_t, &holder::member>();
    const auto c = cgh.get_spec_constant<number>();
    CHECK(a.get() == 0.25);
    cgh.single_task<class ThreeDefaults>([=] {
      to[0] = static_cast<float>(a.get());
      to[1] = static_cast<float>(b.get());
      to[2] = static_cast<float>(c.get());
    });
  });
  CHECK(out[0] == 0.25F);
  CHECK(out[1] == 9);
  CHECK(out[2] == 3);
}

CASE("several constants are used by one kernel") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto a = cgh.set_spec_constant<int, number>(6);
    const auto b = cgh.get_spec_constant<int, other>();
    cgh.single_task<class Several>([=] { to[0] = static_cast<float>(a + b); });
  });
  CHECK(out[0] == 10);
}

CASE("a constant has one placeholder in a command group") {
  sycl::queue q = check::queue();
  q.submit([](sycl::handler &cgh) {
    const auto first = cgh.set_spec_constant<int, number>(1);
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "number",
                 cgh.set_spec_constant<int, number>(2));
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "second call",
                 cgh.get_spec_constant<int, number>());
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "number",
                 cgh.set_spec_constant<number>(3));
    const auto another = cgh.get_spec_constant<int, other>();
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "other",
                 cgh.get_spec_constant<int, &other>());
    CHECK(first.get() == 1);
    CHECK(another.get() == 4);
  });
  /* The next command group may get the placeholder again. */
  q.submit([](sycl::handler &cgh) { CHECK(cgh.get_spec_constant<number>().get() == 3); });
}

static float with_value(const sycl::queue &q, int value) {
  return run(q, 4, [&](sycl::handler &cgh, auto to) {
    const auto c = cgh.set_spec_constant<int, number>(value);
    cgh.parallel_for<class EachValue>(sycl::range<1>(4), [=](sycl::item<1> at) {
      to[at.get_id()] = static_cast<float>(c.get() + static_cast<int>(at[0]));
    });
  })[3];
}

CASE("a kernel is built once for each value that it is launched with") {
  const sycl::queue q = check::queue();
  specpi_cache_statistics before;
  specpi_cache_statistics after;
  CHECK(with_value(q, 6) == 9);
  specpiCacheGetStatistics(&before);
  CHECK(with_value(q, -3) == 0);
  CHECK(with_value(q, 6) == 9);
  CHECK(with_value(q, -3) == 0);
  specpiCacheGetStatistics(&after);
  CHECK(after.misses - before.misses == (check::host() ? 0U : 1U));
}

CASE("threads launch a kernel with different values") {
  const sycl::queue q = check::queue();
  std::array<float, 2> got{};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back([&, i] { got[static_cast<std::size_t>(i)] = with_value(q, 100 + i); });
  for (std::thread &t : threads)
    t.join();
  for (int i = 0; i < 2; i++)
    CHECK(got[static_cast<std::size_t>(i)] == static_cast<float>(103 + i));
}

template <class T> class Shared;
template <class T> static float with_shared(int value) {
  std::vector<T> out(1);
  sycl::queue q = check::queue();
  {
    sycl::buffer<T, 1> to(out.data(), sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto a = to.template get_access<sycl::access::mode::write>(cgh);
      const auto c = cgh.set_spec_constant<int, number>(value);
      cgh.parallel_for<Shared<T>>(sycl::nd_range<1>(sycl::range<1>(1), sycl::range<1>(1)),
                                  [=](sycl::nd_item<1>) { a[0] = static_cast<T>(c.get()); });
    });
  }
  return static_cast<float>(out[0]);
}

CASE("all instances of a kernel template share a constant") {
  CHECK(with_shared<float>(6) == 6);
  CHECK(with_shared<int>(6) == 6);
}

CASE("a kernel's name may be a constant's") {
  const auto out = run([](sycl::handler &cgh, auto to) {
    const auto c = cgh.set_spec_constant<int, number>(6);
    cgh.single_task<class number>([=] { to[0] = static_cast<float>(c.get()); });
  });
  CHECK(out[0] == 6);
}

CHECK_MAIN
