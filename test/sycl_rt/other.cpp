// The second unit of the test idioms: a function for idioms.cpp's kernels, which reads a constant
// of this unit, and a kernel.
#include <sycl/sycl.hpp>

constexpr sycl::specialization_id<int> offset(5);

SYCL_EXTERNAL int elsewhere(int x, sycl::kernel_handler k) {
  return x + k.get_specialization_constant<offset>();
}

// idioms.cpp has a class and a function of these names, too.
namespace {
class Internal;
} // namespace
static void launch(sycl::queue &q, int *to) {
  const int answer = 42;
  q.submit([&](sycl::handler &h) { h.single_task([=] { to[0] = answer; }); }).wait();
  q.single_task<Internal>([=] { to[1] = 43; }).wait();
}

void launch_elsewhere(sycl::queue &q, int *to) {
  launch(q, to);
}
