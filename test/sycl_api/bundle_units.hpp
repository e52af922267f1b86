// Declarations for the units of the test kernel_bundle.
#ifndef TEST_SYCL_API_BUNDLE_UNITS_HPP
#define TEST_SYCL_API_BUNDLE_UNITS_HPP

#include "check.hpp"

#include <functional>

/* A constant that kernels of three units use. */
inline constexpr sycl::specialization_id<int> factor_id{2};
struct ending {
  double d;
  char c;
};
inline constexpr sycl::specialization_id<ending> ending_id{ending{0.5, 'x'}};

/* Runs a kernel in a command group that prepare sets up; returns the number that it writes. */
using preparation = std::function<void(sycl::handler &)>;
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

/* In kernel_bundle_other.cpp: a kernel that writes factor * 100, and a kernel whose name another
 * unit uses, too. */
class OtherScale;
int run_other_scale(sycl::queue q, const preparation &prepare);
int run_other_same(sycl::queue q, const preparation &prepare);
sycl::kernel_id other_same();
/* A function for kernels of other units. */
SYCL_EXTERNAL int twice(int x);

/* In kernel_bundle_caller.cpp: writes twice(21), and so must be linked with the unit of twice. */
class Caller;
int run_caller(sycl::queue q, const preparation &prepare);

/* In kernel_bundle_emulated.cpp, which reads constants from a buffer: writes factor * 1000 + own.
 */
class Emulated;
inline constexpr sycl::specialization_id<int> own_id{7};
int run_emulated(sycl::queue q, const preparation &prepare);

#endif
