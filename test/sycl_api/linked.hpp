// Declarations for the units of the test linked. A comment after a function is its result.
#ifndef TEST_SYCL_API_LINKED_HPP
#define TEST_SYCL_API_LINKED_HPP

#include "check.hpp"

#include <functional>

using preparation = std::function<void(sycl::handler &)>;

struct pair {
  char first;
  double second;
};

/* linked_archive.cpp, in a static library */
extern const sycl::specialization_id<int> far;
extern sycl::specialization_id<pair> both;
struct box {
  static const sycl::specialization_id<bool> open;
};
extern sycl::specialization_id<int> gain; /* linked.cpp's kernels read it in scaled alone */
SYCL_EXTERNAL int scaled(int value, sycl::kernel_handler h);           /* value * far * gain */
SYCL_EXTERNAL int scaled_and_moved(int value, sycl::kernel_handler h); /* moved(scaled(value)) */

/* linked_library.cpp, in a shared library */
extern const sycl::specialization_id<int> distance;
SYCL_EXTERNAL int moved(int value, sycl::kernel_handler h); /* adds the constant above */

/* linked_emulated.cpp, compiled with --spec-const=emulate: far + own * 100 + scaled(1) * 10000 */
extern sycl::specialization_id<int> own;
int run_emulated(sycl::queue q, const preparation &prepare);

/* linked_nowhere.cpp: a kernel that calls a function which no unit defines for devices */
class Nowhere;
int run_nowhere(sycl::queue q);

/* Runs a kernel in a command group that prepare sets up; returns the number that it writes. */
template <class Name, class F>
int run_kernel(sycl::queue q, const preparation &prepare, const F &f) {
  int result = -1;
  {
    sycl::buffer<int, 1> out(&result, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      prepare(cgh);
      cgh.single_task<Name>([=](sycl::kernel_handler h) { there[0] = f(h); });
    });
  }
  return result;
}

#endif
