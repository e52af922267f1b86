// The second unit of the test idioms: a function for idioms.cpp's kernels, which reads a constant
// of this unit, and a kernel.
#include <sycl/sycl.hpp>

constexpr sycl::specialization_id<int> offset(5);

SYCL_EXTERNAL int elsewhere(int x, sycl::kernel_handler k) {
  return x + k.get_specialization_constant<offset>();
}

void launch_elsewhere(sycl::queue &q, int *to) {
  const int answer = 42;
  q.submit([&](sycl::handler &h) { h.single_task([=] { *to = answer; }); }).wait();
}
