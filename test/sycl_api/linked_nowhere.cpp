// The unit of linked.cpp that needs a function which is for the host alone.
#include "linked.hpp"

SYCL_EXTERNAL int nowhere(int value);
#ifndef __SYCL_DEVICE_ONLY__
int nowhere(int value) {
  return value;
}
#endif

int run_nowhere(sycl::queue q) {
  return run_kernel<Nowhere>(
      q, [](sycl::handler &) {}, [](sycl::kernel_handler) { return nowhere(12); });
}
