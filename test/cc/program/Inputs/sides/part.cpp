// For a static library: it defines a constant of another unit, and has one of the same name.
#include "ids.hpp"

const sycl::specialization_id<int> far(3);
static constexpr sycl::specialization_id<int> same(7);

// A kernel of the host device reads the value before main.
struct early {
  early() {
    sycl::queue queue(sycl::device(static_cast<specpi_device>(nullptr)));
    double *out = sycl::malloc_shared<double>(1, queue);
    queue
        .submit([&](sycl::handler &cgh) {
          cgh.set_specialization_constant<same>(100);
          cgh.single_task(
              [=](sycl::kernel_handler h) { *out = h.get_specialization_constant<same>(); });
        })
        .wait();
    value = *out;
    sycl::free(out, queue);
  }
  double value;
};
static early first;

double part(sycl::queue &queue) {
  double *out = sycl::malloc_shared<double>(1, queue);
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.single_task([=](sycl::kernel_handler h) {
          *out = h.get_specialization_constant<same>() +
                 double(h.get_specialization_constant<everywhere>());
        });
      })
      .wait();
  const double value = *out + first.value;
  sycl::free(out, queue);
  return value;
}
