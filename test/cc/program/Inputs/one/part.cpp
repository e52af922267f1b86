#include "beside.hpp"
#include "parts.hpp"

namespace {
constexpr sycl::specialization_id<int> addend(ADDEND);
class adder;
} // namespace

void one(sycl::queue &queue, int *data) {
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.single_task<adder>(
            [=](sycl::kernel_handler h) { *data = h.get_specialization_constant<addend>(); });
      })
      .wait();
}
