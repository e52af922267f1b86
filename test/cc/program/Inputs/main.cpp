// A program of three units, two of which have one name and constants of one name.
#include "parts.hpp"

#include <cstdio>
#include <cstring>

extern "C" int host_function(int x);

constexpr sycl::specialization_id<int> addend(MAIN);

int main(int count, char **arguments) {
  const bool host = count > 1 && std::strcmp(arguments[1], "host") == 0;
  sycl::queue queue(host ? sycl::device(static_cast<specpi_device>(nullptr)) : sycl::device());
  if (queue.get_device().is_host() != host)
    return 1;
  int *data = sycl::malloc_shared<int>(3, queue);
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.set_specialization_constant<addend>(MAIN + 1);
        cgh.single_task([=](sycl::kernel_handler h) {
          data[0] = h.get_specialization_constant<addend>() + WHERE;
        });
      })
      .wait();
  one(queue, data + 1);
#ifdef TWO
  data[2] = host_function(-38);
#else
  two(queue, data + 2);
#endif
  std::printf("%d %d %d\n", data[0], data[1], data[2]);
  sycl::free(data, queue);
  return 0;
}
