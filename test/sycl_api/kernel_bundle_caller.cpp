// The unit of the test kernel_bundle that calls a function of another unit.
#include "bundle_units.hpp"

int run_caller(sycl::queue q, const preparation &prepare) {
  return run_kernel<Caller>(q, prepare, [](sycl::kernel_handler) { return twice(21); });
}
