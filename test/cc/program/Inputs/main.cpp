// A program with unit/unit.cpp and, with PART, part.cpp. It includes only some headers of SYCL.
#include <sycl/specialization_id.hpp>
#include <sycl/usm.hpp>

#include <cstdio>
#include <cstring>

// DEVICE and HOST are macros from options that only one of the two compilers gets.
#ifdef __SYCL_DEVICE_ONLY__
#define WHERE DEVICE
#else
#define WHERE HOST
#endif

extern "C" int host_function(int x);
#ifdef PART
int part(sycl::queue &queue);
#else
static int part(sycl::queue &) {
  return 0;
}
#endif

constexpr sycl::specialization_id<int> addend(MAIN);
constexpr sycl::specialization_id<int> unchanged(1000);

int main(int count, char **arguments) {
  const bool host = count > 1 && std::strcmp(arguments[1], "host") == 0;
  sycl::queue queue(host ? sycl::device(static_cast<specpi_device>(nullptr)) : sycl::device());
  if (queue.get_device().is_host() != host)
    return 1;
  int *data = sycl::malloc_shared<int>(1, queue);
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.set_specialization_constant<addend>(MAIN + 1);
        cgh.single_task([=](sycl::kernel_handler h) {
          data[0] = h.get_specialization_constant<addend>() +
                    h.get_specialization_constant<unchanged>() + WHERE;
        });
      })
      .wait();
  std::printf("%d %d %d\n", data[0], host_function(-38), part(queue));
  sycl::free(data, queue);
  return 0;
}
