// The unit of kernel_bundle.cpp that is compiled with --spec-const=emulate.
#include "bundle_units.hpp"

int run_emulated(sycl::queue q, const preparation &prepare) {
  return run_kernel<Emulated>(q, prepare, [](sycl::kernel_handler h) {
    return h.get_specialization_constant<factor_id>() * 1000 +
           h.get_specialization_constant<own_id>();
  });
}
