// The proposal with typename ids: programs set constants that are named by types or by numbers.
#include "check.hpp"

#include <cstdint>

using sycl::experimental::spec_const_error;
using sycl::experimental::spec_constant_id;

/* The proposal's types. */
struct A {
  int x;
  float y;
};
struct POD {
  A a[2];
  cl::sycl::vec<int, 2> b;
};
struct Nested {
  float a, b;
};
struct Outer {
  int x;
  Nested n;
};
/* A structure with padding at its end. */
struct Tail {
  double x;
  std::int8_t y;
};

class MyInt32Const;
class MyPODConst;
class MyOuterConst;
class MyTailConst;
class MyKernel;
class Numbered;
enum class color : std::uint8_t { red, green };
namespace inside {
class Color;
}

static_assert(spec_constant_id<42>::id == 42);
static_assert(std::is_same_v<cl::sycl::ONEAPI::experimental::spec_constant<int>,
                             cl::sycl::ONEAPI::experimental::spec_constant<int, int>>);

/* Declared as in the proposal's integration header. */
static cl::sycl::ONEAPI::experimental::spec_constant<int, MyInt32Const> zero(0);

struct values {
  std::int32_t number;
  POD pod;
  Outer outer;
  color shade;
  double plain;
  Tail tail;
};
static const values gold = {
    -7, {{{3, 1.5F}, {4, 2.5F}}, {3, 4}}, {5, {0.25F, 0.125F}}, color::green, 1e100, {0.5, -3}};

/* Returns a program with values for all constants but MyInt32Const. */
static sycl::program make(const sycl::queue &q) {
  sycl::program p(q.get_context());
  p.set_spec_constant<MyPODConst>(gold.pod);
  p.set_spec_constant<MyOuterConst>(gold.outer);
  p.set_spec_constant<inside::Color>(gold.shade);
  p.set_spec_constant<double>(gold.plain);
  p.set_spec_constant<MyTailConst>(gold.tail);
  return p;
}

static bool equal(const values &a, const values &b) {
  return a.number == b.number && a.pod.a[0].x == b.pod.a[0].x && a.pod.a[0].y == b.pod.a[0].y &&
         a.pod.a[1].x == b.pod.a[1].x && a.pod.a[1].y == b.pod.a[1].y && a.pod.b[0] == b.pod.b[0] &&
         a.pod.b[1] == b.pod.b[1] && a.outer.x == b.outer.x && a.outer.n.a == b.outer.n.a &&
         a.outer.n.b == b.outer.n.b && a.shade == b.shade && a.plain == b.plain;
}

CASE("constants of numbers, structures, enumerations and their own types have the set values") {
  sycl::queue q = check::queue();
  sycl::program p = make(q);
  sycl::ONEAPI::experimental::spec_constant<std::int32_t, MyInt32Const> i32 =
      p.set_spec_constant<MyInt32Const>(gold.number);
  cl::sycl::ONEAPI::experimental::spec_constant<POD, MyPODConst> pod =
      p.set_spec_constant<MyPODConst>(gold.pod);
  const auto outer = p.set_spec_constant<MyOuterConst>(gold.outer);
  const auto shade = p.set_spec_constant<inside::Color>(gold.shade);
  const sycl::ONEAPI::experimental::spec_constant<double> plain =
      p.set_spec_constant<double>(gold.plain);
  const auto tail = p.set_spec_constant<MyTailConst>(gold.tail);
  p.build_with_kernel_type<MyKernel>();
  values out{};
  {
    sycl::buffer<values, 1> to(&out, sycl::range<1>(1));
    q.submit([&](cl::sycl::handler &cgh) {
      auto acc = to.get_access<cl::sycl::access::mode::write>(cgh);
      cgh.single_task<MyKernel>(p.get_kernel<MyKernel>(), [=]() {
        acc[0].number = i32.get();
        acc[0].pod = pod.get();
        acc[0].outer = outer;
        acc[0].shade = shade;
        acc[0].plain = plain;
        acc[0].tail = tail;
      });
    });
  }
  CHECK(equal(out, gold));
  CHECK(i32.get() == gold.number);
  CHECK(zero.get() == 0);
}

CASE("a constant without a value refuses the build, by name") {
  sycl::queue q = check::queue();
  sycl::program p = make(q);
  CHECK_THROWS(spec_const_error, sycl::errc::build, "_ZTS12MyInt32Const",
               p.build_with_kernel_type<MyKernel>());
  CHECK_THROWS(spec_const_error, sycl::errc::build, "MyKernel",
               p.compile_with_kernel_type<MyKernel>());
  CHECK(p.get_state() == sycl::program_state::none);
  p.set_spec_constant<MyInt32Const>(1);
  p.build_with_kernel_type<MyKernel>();
}

namespace {

/* Reads a constant in a function that the kernel calls. */
struct reader {
  sycl::ONEAPI::experimental::spec_constant<std::int32_t, MyInt32Const> from;
  std::int32_t read() const {
    return from.get() + 1;
  }
};

class NeedsNone;
class NeedsOne;

} // namespace

CASE("a constant is needed by the kernels that use it, and by no others of their image") {
  sycl::queue q = check::queue();
  std::vector<std::int32_t> out(2);
  sycl::program none(q.get_context());
  sycl::program one(q.get_context());
  CHECK_THROWS(spec_const_error, sycl::errc::build, "_ZTS12MyInt32Const",
               one.build_with_kernel_type<NeedsOne>());
  const reader number{one.set_spec_constant<MyInt32Const>(std::int32_t{6})};
  one.build_with_kernel_type<NeedsOne>();
  none.compile_with_kernel_type<NeedsNone>();
  none.link();
  {
    sycl::buffer<std::int32_t> to(out);
    q.submit([&](sycl::handler &cgh) {
      auto acc = to.get_access<sycl::access::mode::read_write>(cgh);
      cgh.single_task<NeedsNone>(none.get_kernel<NeedsNone>(), [=]() { acc[0] = 5; });
    });
    q.submit([&](sycl::handler &cgh) {
      auto acc = to.get_access<sycl::access::mode::read_write>(cgh);
      cgh.single_task<NeedsOne>(one.get_kernel<NeedsOne>(), [=]() { acc[1] = number.read(); });
    });
  }
  CHECK(out == (std::vector<std::int32_t>{5, 7}));
}

CASE("a constant keeps the type that it was set with") {
  sycl::queue q = check::queue();
  sycl::program p = make(q);
  p.set_spec_constant<MyInt32Const>(1);
  p.set_spec_constant<MyInt32Const>(2);
  CHECK_THROWS(spec_const_error, sycl::errc::build, "float",
               p.set_spec_constant<MyInt32Const>(2.F));
  CHECK_THROWS(spec_const_error, sycl::errc::build, "_ZTS12MyInt32Const",
               p.set_spec_constant<MyInt32Const>(2U));
}

CASE("a value of another size than the kernel's constant refuses the build") {
  sycl::queue q = check::queue();
  sycl::program p = make(q);
  p.set_spec_constant<MyInt32Const>(std::int64_t{1});
  CHECK_THROWS(spec_const_error, sycl::errc::build, "takes 4 bytes, 8 given",
               p.build_with_kernel_type<MyKernel>());
}

/* Returns a constant of the unit's image by its id. */
static specpi_constant constant(const sycl::queue &q, const std::string &id) {
  for (const auto &image :
       q.get_context().impl()->input_images(q.get_device(), sycl::detail::this_unit()))
    for (const specpi_constant &c : image->constants())
      if (id == c.name)
        return c;
  check::fail(__FILE__, __LINE__, "the image has no such constant");
}

CASE("a symbolic id is _ZTS and the type's mangled name, on host and device") {
  using sycl::detail::SpecConstantInfo;
  CHECK(SpecConstantInfo<MyInt32Const>::getName() == std::string("_ZTS12MyInt32Const"));
  CHECK(SpecConstantInfo<inside::Color>::getName() == std::string("_ZTSN6inside5ColorE"));
  CHECK(SpecConstantInfo<double>::getName() == std::string("_ZTSd"));
  if (check::host())
    return;
  const sycl::queue q = check::queue();
  CHECK(constant(q, SpecConstantInfo<MyInt32Const>::getName()).size == 4);
  CHECK(constant(q, SpecConstantInfo<inside::Color>::getName()).size == 1);
  CHECK(constant(q, SpecConstantInfo<double>::getName()).size == 8);
}

CASE("a structure has a number for each scalar in it, depth first, with offset and size") {
  if (check::host())
    SKIP("the host device has no images");
  const sycl::queue q = check::queue();
  const specpi_constant number = constant(q, "_ZTS12MyInt32Const");
  CHECK(number.leaf_count == 1);
  CHECK(number.leaves[0].offset == 0);
  CHECK(number.leaves[0].size == 4);
  const specpi_constant outer = constant(q, "_ZTS12MyOuterConst");
  CHECK(outer.leaf_count == 3);
  const specpi_constant pod = constant(q, "_ZTS10MyPODConst");
  CHECK(pod.size == sizeof(POD));
  CHECK(pod.leaf_count == 6);
  for (unsigned i = 0; i < 6; i++) {
    const specpi_leaf &leaf = pod.leaves[i];
    CHECK(leaf.id == pod.leaves[0].id + i);
    CHECK(leaf.offset == 4 * i);
    CHECK(leaf.size == 4);
    if (i < 3)
      CHECK(outer.leaves[i].offset == 4 * i);
  }
}

template <unsigned... N> struct numbers {};
/* Calls set_spec_constant<spec_constant_id<n>>(value) for a number n known only at run time. */
template <class T, unsigned... N>
static void set_number(sycl::program &p, unsigned n, T value, numbers<N...>) {
  ((n == N ? static_cast<void>(p.set_spec_constant<spec_constant_id<N>>(value)) : void()), ...);
}
using first_numbers = numbers<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

CASE("a number names a constant of the image, which has to have it, of that size") {
  if (check::host())
    SKIP("the host device has no images");
  sycl::queue q = check::queue();
  const unsigned n = constant(q, "_ZTS12MyInt32Const").leaves[0].id;
  sycl::program p = make(q);
  set_number(p, n, std::int32_t{-7}, first_numbers());
  p.build_with_kernel_type<MyKernel>();
  values out{};
  {
    sycl::buffer<values, 1> to(&out, sycl::range<1>(1));
    q.submit([&](cl::sycl::handler &cgh) {
      auto acc = to.get_access<cl::sycl::access::mode::write>(cgh);
      /* The launch uses MyKernel's code from above, so that only the captured arguments matter. */
      const sycl::ONEAPI::experimental::spec_constant<std::int32_t, MyInt32Const> i32;
      const sycl::ONEAPI::experimental::spec_constant<POD, MyPODConst> pod;
      const sycl::ONEAPI::experimental::spec_constant<Outer, MyOuterConst> outer;
      const sycl::ONEAPI::experimental::spec_constant<color, inside::Color> shade;
      const sycl::ONEAPI::experimental::spec_constant<double> plain;
      const sycl::ONEAPI::experimental::spec_constant<Tail, MyTailConst> tail;
      cgh.single_task<class Same>(p.get_kernel<MyKernel>(), [=]() {
        acc[0].number = i32.get();
        acc[0].pod = pod.get();
        acc[0].outer = outer;
        acc[0].shade = shade;
        acc[0].plain = plain;
        acc[0].tail = tail;
      });
    });
  }
  CHECK(equal(out, gold));

  sycl::program unknown = make(q);
  unknown.set_spec_constant<MyInt32Const>(1);
  const auto placeholder = unknown.set_spec_constant<spec_constant_id<4242>>(1);
  CHECK(placeholder.get() == 1);
  CHECK_THROWS(spec_const_error, sycl::errc::build, "number 4242",
               unknown.build_with_kernel_type<MyKernel>());

  sycl::program large = make(q);
  set_number(large, n, std::int64_t{1}, first_numbers());
  CHECK_THROWS(spec_const_error, sycl::errc::build, "takes 4 bytes",
               large.build_with_kernel_type<MyKernel>());
}

CHECK_MAIN
