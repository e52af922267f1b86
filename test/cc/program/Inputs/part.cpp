// Another unit of the program; main.cpp has a constant of the same name.
#include <sycl/specialization_id.hpp>
#include <sycl/usm.hpp>

static constexpr sycl::specialization_id<int> addend(7);

int part(sycl::queue &queue);
int part(sycl::queue &queue) {
  int *data = sycl::malloc_shared<int>(1, queue);
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.single_task(
            [=](sycl::kernel_handler h) { *data = h.get_specialization_constant<addend>(); });
      })
      .wait();
  const int value = *data;
  sycl::free(data, queue);
  return value;
}
