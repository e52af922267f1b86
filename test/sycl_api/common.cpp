// Kernels of a header that is included in a program, an archive, a linked library and two opened
// ones, and kernels that are launched before main.
#include "common.hpp"
#include "check.hpp"

#include <cstdlib>
#include <dlfcn.h>

extern "C" {
const char *linked_result();
const char *linked_early_result();
const char *archive_result();
const char *archive_early_result();
}

namespace {

int add_before_main(int value) {
  return common::result_of([=](sycl::handler &cgh, int *to) {
    cgh.set_specialization_constant<own>(value);
    cgh.single_task([=](sycl::kernel_handler h) { *to = h.get_specialization_constant<own>(); });
  });
}
/* A function's result, or -2 and the message of its exception. */
struct early_result {
  int value = -2;
  std::string reason;
  explicit early_result(int (*f)(int), int value_of) {
    try {
      value = f(value_of);
    } catch (const std::exception &e) {
      reason = e.what();
    }
  }
  void check(int expected) const {
    if (value != expected)
      check::fail(__FILE__, __LINE__, std::to_string(value) + ": " + reason);
  }
};
__attribute__((init_priority(101))) const early_result first(add_before_main, 101);
const early_result second(add_before_main, 102);
const early_result header(common::unnamed, 5);
int of_constructor;
__attribute__((constructor(101))) void launch_in_constructor() {
  try {
    of_constructor = add_before_main(103);
  } catch (const std::exception &e) {
    of_constructor = -2;
  }
}
/* A kernel in the initialiser of a variable. */
const int of_initialiser = [] {
  try {
    return common::result_of([](sycl::handler &cgh, int *to) {
      cgh.set_specialization_constant<own>(104);
      cgh.single_task([=](sycl::kernel_handler h) { *to = h.get_specialization_constant<own>(); });
    });
  } catch (const std::exception &) {
    return -2;
  }
}();

const char *call_library(void *library, const char *name) {
  void *symbol = library ? dlsym(library, name) : nullptr;
  if (!symbol)
    return dlerror();
  const char *(*function)() = nullptr;
  std::memcpy(&function, &symbol, sizeof function);
  return function();
}
void check_empty(const std::string &result) {
  if (!result.empty())
    check::fail(__FILE__, __LINE__, result);
}

} // namespace

namespace n {
extern "C" {
extern const sycl::specialization_id<int> of_c;
const sycl::specialization_id<int> of_c{14};
inline constexpr sycl::specialization_id<int> inline_of_c{15};
}
} // namespace n
namespace m {
inline constexpr sycl::specialization_id<int> of_c{16};
}
template <auto &S> struct reads {
  int *to;
  void operator()(sycl::kernel_handler h) const {
    *to = h.get_specialization_constant<S>();
  }
};
template <auto &...S> class Reads;

CASE("kernels that are launched before main are found there, and in main") {
  first.check(101);
  second.check(102);
  header.check(15);
  CHECK(of_constructor == 103);
  CHECK(of_initialiser == 104);
  CHECK(add_before_main(105) == 105);
  CHECK(common::unnamed(6) == 16);
}

CASE("kernels of a header are found in the program, an archive and a library") {
  check_empty(common::wrong_result());
  check_empty(archive_result());
  check_empty(linked_result());
  check_empty(common::wrong_result());
}

CASE("kernels of a header are found before main in the program, an archive and a library") {
  check_empty(archive_early_result());
  check_empty(linked_early_result());
}

CASE("kernels of a header are found in libraries that are opened in any order, and again") {
  for (int round = 0; round < 3; round++) {
    const bool b_first = round % 2;
    void *libraries[2];
    for (int i = 0; i < 2; i++)
      libraries[(i + b_first) % 2] =
          dlopen((i + b_first) % 2 ? LIBRARY_B : LIBRARY_A, RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < 4; i++) {
      const bool is_b = (i + round / 2) % 2;
      check_empty(call_library(libraries[is_b], is_b ? "b_result" : "a_result"));
      check_empty(call_library(libraries[is_b], is_b ? "b_early_result" : "a_early_result"));
    }
    dlclose(libraries[b_first]);
    check_empty(call_library(libraries[!b_first], b_first ? "a_result" : "b_result"));
    dlclose(libraries[!b_first]);
    check_empty(common::wrong_result());
  }
}

CASE("an extern \"C\" constant of a namespace may be an argument of a kernel's name") {
  CHECK(common::result_of([](sycl::handler &cgh, int *to) {
          cgh.set_specialization_constant<n::of_c>(21);
          cgh.single_task(reads<n::of_c>{to});
        }) == 21);
  CHECK(common::result_of(
            [](sycl::handler &cgh, int *to) { cgh.single_task(reads<n::inline_of_c>{to}); }) == 15);
  CHECK(common::result_of(
            [](sycl::handler &cgh, int *to) { cgh.single_task(reads<m::of_c>{to}); }) == 16);
  CHECK(common::result_of([](sycl::handler &cgh, int *to) {
          cgh.single_task<Reads<n::of_c, everywhere, n::inline_of_c>>(
              [=](sycl::kernel_handler h) { *to = h.get_specialization_constant<n::of_c>(); });
        }) == 14);
}

CHECK_MAIN
