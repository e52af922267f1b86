// Unnamed kernels, and kernels whose names are declared in functions: each launch runs its own.
#include "check.hpp"

#include <specpi/host/kernel_names.hpp>

#include <algorithm>

namespace {

using numbers = std::vector<int>;

/* Returns the number that a kernel writes. */
template <class Launch> int written(const Launch &launch) {
  int value = 0;
  {
    sycl::buffer<int> result(&value, sycl::range<1>(1));
    check::queue().submit([&](sycl::handler &cgh) {
      sycl::accessor to{result, cgh, sycl::write_only};
      launch(cgh, to);
    });
  }
  return value;
}

/* Kernels among lambdas with other parameters, which are not kernels. */
numbers in_function() {
  numbers all;
  sycl::queue q = check::queue();
  int values[4] = {};
  std::sort(std::begin(values), std::end(values), [](int a, int b) { return a < b; });
  {
    sycl::buffer<int> result(values, sycl::range<1>(4));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{result, cgh, sycl::write_only};
      const auto not_a_kernel = [](int a) { return a; };
      cgh.single_task([=] { to[0] = 1; });
      static_cast<void>(not_a_kernel);
    });
    std::for_each(std::begin(values), std::end(values), [](int) {});
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{result, cgh, sycl::read_write};
      cgh.single_task([=] { to[1] = 2; });
    });
    const auto twice = [](double a) { return 2 * a; };
    static_cast<void>(twice);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{result, cgh, sycl::read_write};
      cgh.parallel_for(sycl::range<1>(1), [=](sycl::id<1>) { to[2] = 3; });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{result, cgh, sycl::read_write};
      cgh.single_task<class Local>([=] { to[3] = 4; });
    });
  }
  all.assign(std::begin(values), std::end(values));
  return all;
}

template <class T> int in_template(T add) {
  std::max(1, 2, [](int a, int b) { return a < b; });
  const int first = written([=](sycl::handler &cgh, auto to) {
    cgh.single_task([=] { to[0] = 10 + static_cast<int>(add); });
  });
  std::max(1, 2, [](int a, int b) { return a > b; });
  const int second = written([=](sycl::handler &cgh, auto to) {
    cgh.single_task([=] { to[0] = 20 + static_cast<int>(add); });
  });
  return first * 100 + second;
}

} // namespace

inline int in_inline_function() {
  std::max(1, 2, [](int a, int b) { return a < b; });
  return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 30; }); }) +
         written([](sycl::handler &cgh, auto to) {
           cgh.parallel_for(sycl::range<1>(1), [=](sycl::item<1>) { to[0] = 400; });
         });
}

/* Kernels in lambdas outside of functions. */
namespace one {
namespace {
const auto of_variable = [] {
  return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 5; }); }) +
         written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 60; }); });
};
} // namespace
struct of_member {
  static inline const auto value = [] {
    return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 7; }); });
  };
};
inline const auto of_inline = [] {
  return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 8; }); });
};
} // namespace one
/* GCC does not number lambdas in the order of their variables. */
namespace two {
const auto first = [] {
  return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 1; }); });
};
const auto second = [] {
  return written([](sycl::handler &cgh, auto to) { cgh.single_task([=] { to[0] = 2; }); });
};
} // namespace two

CASE("kernels without names differ by their lambdas") {
  CHECK((in_function() == numbers{1, 2, 3, 4}));
}

CASE("kernels of templates and inline functions differ") {
  CHECK(in_template(1) == 1121);
  CHECK(in_template(2.0) == 1222);
  CHECK(in_inline_function() == 430);
}

CASE("kernels in initialisers of variables are found") {
  CHECK(one::of_variable() == 65);
  CHECK(one::of_member::value() == 7);
  CHECK(one::of_inline() == 8);
}

CASE("of kernels in initialisers none is taken for another") {
#ifdef __clang__
  CHECK(two::first() == 1 && two::second() == 2);
#else
  if (check::host()) {
    CHECK(two::first() == 1 && two::second() == 2);
  } else {
    CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "several kernels", two::second());
  }
#endif
}

CASE("variables' names are left out of a kernel's name") {
#ifndef __SYCL_DEVICE_ONLY__
  using specpi::host::without_variables;
  CHECK(without_variables("_ZTSZZNK1vMUlvE_clEvENKUlRN4sycl7handlerEE_clES2_EUlvE_") ==
        without_variables("_ZTSZZNKUlvE_clEvENKUlRN4sycl7handlerEE_clES1_EUlvE_"));
  CHECK(without_variables("_ZTSZNK2nsL4nevMMUlvE_clEvEUlvE0_") == "_ZTSZNK2nsUlvE_clEvEUlvE0_");
  CHECK(without_variables("_ZTSZNK2tvIiEMUlvE_clEvEUlvE_") == "_ZTSZNK2tvIiEUlvE_clEvEUlvE_");
  CHECK(without_variables("_ZTSN1vMUlvE_E") == "_ZTSUlvE_");
#endif
}

CASE("the numbers of lambdas are found in a name") {
#ifndef __SYCL_DEVICE_ONLY__
  using specpi::host::lambda_numbers;
  const lambda_numbers parts("_ZTSZ4mainEUliE_EUlvE12_");
  CHECK(parts.rest == "_ZTSZ4mainEUliE_EUlvE_");
  CHECK((parts.numbers == std::vector<long>{-1, 12}));
  CHECK(lambda_numbers("_ZTS4Name").numbers.empty());
#endif
}

CHECK_MAIN
