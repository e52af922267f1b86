// The program of docs/sycl.md.
#include <sycl/sycl.hpp>

#include <cstdio>

constexpr sycl::specialization_id<float> factor(2.0f);

int main() {
  float data[4] = {1, 2, 3, 4};
  sycl::queue queue;
  {
    sycl::buffer<float> buffer(data, 4);
    queue.submit([&](sycl::handler &cgh) {
      sycl::accessor values{buffer, cgh, sycl::read_write};
      cgh.set_specialization_constant<factor>(10.0f);
      cgh.parallel_for(buffer.get_range(), [=](sycl::id<1> i, sycl::kernel_handler h) {
        values[i] *= h.get_specialization_constant<factor>();
      });
    });
  }
  std::printf("%g %g %g %g\n", data[0], data[1], data[2], data[3]);
}
