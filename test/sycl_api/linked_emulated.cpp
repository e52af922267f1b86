// The unit of linked.cpp that reads its constants from a buffer.
#include "linked.hpp"

sycl::specialization_id<int> own(3);

class Emulated;

int run_emulated(sycl::queue q, const preparation &prepare) {
  return run_kernel<Emulated>(q, prepare, [](sycl::kernel_handler h) {
    return h.get_specialization_constant<far>() + h.get_specialization_constant<own>() * 100 +
           scaled(1, h) * 10000;
  });
}
