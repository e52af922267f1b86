// The second unit of kernel_bundle.cpp.
#include "bundle_units.hpp"

namespace {
class Same;
}

int run_other_scale(sycl::queue q, const preparation &prepare) {
  return run_kernel<OtherScale>(q, prepare, [](sycl::kernel_handler h) {
    return h.get_specialization_constant<factor_id>() * 100;
  });
}

int run_other_same(sycl::queue q, const preparation &prepare) {
  return run_kernel<Same>(q, prepare, [](sycl::kernel_handler) { return 2; });
}

sycl::kernel_id other_same() {
  return sycl::get_kernel_id<Same>();
}

SYCL_EXTERNAL int twice(int x) {
  return 2 * x;
}
