// Constants of each linkage: what a kernel has of the defaults, and after they were set.
#include "ids.hpp"

#include <cstdio>

static constexpr sycl::specialization_id<int> same(1);
namespace {
constexpr sycl::specialization_id<row> filled(row{{1, 2}});
}
namespace outer {
namespace {
sycl::specialization_id<int> same(2);
}
} // namespace outer
constexpr sycl::specialization_id<either> shorter(either{'a'});

template <class T> T read_member(sycl::kernel_handler h) {
  return h.get_specialization_constant<box<T>::member>();
}

template <class Set> static void launch(sycl::queue &queue, double *out, Set set) {
  queue
      .submit([&](sycl::handler &cgh) {
        set(cgh);
        cgh.single_task<Set>([=](sycl::kernel_handler h) {
          out[0] = h.get_specialization_constant<same>();
          out[1] = h.get_specialization_constant<outer::same>();
          out[2] = h.get_specialization_constant<far>();
          out[3] = double(h.get_specialization_constant<everywhere>());
          out[4] = h.get_specialization_constant<numbered<4>>();
          out[5] = read_member<short>(h);
          out[6] = h.get_specialization_constant<filled>().all[1];
          out[7] = h.get_specialization_constant<shorter>().c;
        });
      })
      .wait();
  for (int i = 0; i < 8; i++)
    std::printf("%g ", out[i]);
  std::printf("%g\n", part(queue));
}

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(8, queue);
  launch(queue, out, [](sycl::handler &) {});
  launch(queue, out, [](sycl::handler &cgh) {
    cgh.set_specialization_constant<same>(11);
    cgh.set_specialization_constant<outer::same>(12);
    cgh.set_specialization_constant<far>(13);
    cgh.set_specialization_constant<everywhere>(14);
    cgh.set_specialization_constant<numbered<4>>(15);
    cgh.set_specialization_constant<box<short>::member>(short(16));
    cgh.set_specialization_constant<filled>(row{{0, 17}});
    cgh.set_specialization_constant<shorter>(either{'b'});
  });
  sycl::free(out, queue);
}
