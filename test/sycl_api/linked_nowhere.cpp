// The unit of linked.cpp that calls a function which only the host has.
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
