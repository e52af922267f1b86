// The parts that the units of kernel_bundle.cpp share.
#ifndef TEST_SYCL_API_BUNDLE_UNITS_HPP
#define TEST_SYCL_API_BUNDLE_UNITS_HPP

#include "check.hpp"

#include <functional>

/* A constant that kernels of three units use, and one with padding at its end. */
inline constexpr sycl::specialization_id<int> factor_id{2};
struct ending {
  double d;
  char c;
};
inline constexpr sycl::specialization_id<ending> ending_id{ending{0.5, 'x'}};

/* Each runs a kernel, in a group that prepare sets up, and gives what the kernel wrote. */
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

/* In kernel_bundle_other.cpp: factor * 100; and a kernel whose name is another one's there, too. */
class OtherScale;
int run_other_scale(sycl::queue q, const preparation &prepare);
int run_other_same(sycl::queue q, const preparation &prepare);
sycl::kernel_id other_same();
/* A function for kernels of other units. */
SYCL_EXTERNAL int twice(int x);

/* In kernel_bundle_caller.cpp: twice(21), for which it has to be linked. */
class Caller;
int run_caller(sycl::queue q, const preparation &prepare);

/* In kernel_bundle_emulated.cpp, which reads constants from a buffer: factor * 1000 + own. */
class Emulated;
inline constexpr sycl::specialization_id<int> own_id{7};
int run_emulated(sycl::queue q, const preparation &prepare);

#endif
