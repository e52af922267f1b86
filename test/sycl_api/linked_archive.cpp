// The unit of linked.cpp that is in a static library: it has no kernels.
#include "linked.hpp"

constexpr sycl::specialization_id<int> far(5);
sycl::specialization_id<pair> both(pair{'b', 0.5});
constexpr sycl::specialization_id<bool> box::open(true);
sycl::specialization_id<int> gain(2);

SYCL_EXTERNAL int scaled(int value, sycl::kernel_handler h) {
  return value * h.get_specialization_constant<far>() * h.get_specialization_constant<gain>();
}

SYCL_EXTERNAL int scaled_and_moved(int value, sycl::kernel_handler h) {
  return moved(scaled(value, h), h);
}
