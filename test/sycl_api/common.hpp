/*
 * Kernels in inline functions and templates, with and without names, for a program and its
 * libraries. The units share one of the constants; the other one is each unit's own.
 */
#ifndef TEST_SYCL_API_COMMON_HPP
#define TEST_SYCL_API_COMMON_HPP

#include <sycl/sycl.hpp>

inline constexpr sycl::specialization_id<int> everywhere{1};
constexpr sycl::specialization_id<int> own{1};

class Common;

namespace common {

inline sycl::queue &queue() {
  static sycl::queue q;
  return q;
}

/* Runs f(cgh, to), and returns what its kernel wrote. */
template <class F> int result_of(const F &f) {
  int *const to = sycl::malloc_shared<int>(1, queue());
  *to = -1;
  queue().submit([&](sycl::handler &cgh) { f(cgh, to); }).wait();
  const int result = *to;
  sycl::free(to, queue());
  return result;
}

inline int unnamed(int value) {
  return result_of([=](sycl::handler &cgh, int *to) {
    cgh.set_specialization_constant<everywhere>(value);
    cgh.single_task(
        [=](sycl::kernel_handler h) { *to = 10 + h.get_specialization_constant<everywhere>(); });
  });
}
/* Runs one of two lambdas, whose names differ by numbers that each compiler assigns in its way. */
inline int second_unnamed(int value) {
  return result_of([=](sycl::handler &cgh, int *to) {
    const auto first = [=](sycl::kernel_handler h) {
      *to = 20 + h.get_specialization_constant<everywhere>();
    };
    const auto second = [=](sycl::kernel_handler h) {
      *to = 30 + h.get_specialization_constant<everywhere>();
    };
    cgh.set_specialization_constant<everywhere>(value);
    if (value < 0)
      cgh.single_task(first);
    else
      cgh.single_task(second);
  });
}
template <class T> int in_template(T value) {
  return result_of([=](sycl::handler &cgh, int *to) {
    cgh.set_specialization_constant<everywhere>(static_cast<int>(value));
    cgh.parallel_for(sycl::range<1>(1), [=](sycl::id<1>, sycl::kernel_handler h) {
      *to = 40 + int(sizeof(T)) + h.get_specialization_constant<everywhere>();
    });
  });
}
inline int with_own_constant(int value) {
  return result_of([=](sycl::handler &cgh, int *to) {
    cgh.set_specialization_constant<own>(value);
    cgh.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>, sycl::kernel_handler h) {
      *to = 60 + h.get_specialization_constant<own>();
    });
  });
}
inline int named(int value) {
  return result_of([=](sycl::handler &cgh, int *to) {
    cgh.set_specialization_constant<own>(value);
    cgh.single_task<Common>(
        [=](sycl::kernel_handler h) { *to = 70 + h.get_specialization_constant<own>(); });
  });
}

/* Runs all kernels. Returns "" or a message about the first wrong result. */
inline std::string wrong_result() {
  try {
    const struct {
      const char *name;
      int is;
      int expected;
    } all[] = {{"unnamed", unnamed(3), 13},
               {"unnamed again", unnamed(4), 14},
               {"first of two unnamed", second_unnamed(-5), 15},
               {"second of two unnamed", second_unnamed(5), 35},
               {"in a template of int", in_template(6), 50},
               {"in a template of char", in_template('\7'), 48},
               {"with the unit's own constant", with_own_constant(8), 68},
               {"named", named(9), 79}};
    for (const auto &one : all)
      if (one.is != one.expected)
        return std::string(one.name) + " is " + std::to_string(one.is) + ", not " +
               std::to_string(one.expected);
    return "";
  } catch (const std::exception &e) {
    return e.what();
  }
}

} // namespace common

#endif
