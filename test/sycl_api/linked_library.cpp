// The unit of linked.cpp that is in a shared library.
#include "linked.hpp"

constexpr sycl::specialization_id<int> distance(1000);

SYCL_EXTERNAL int moved(int value, sycl::kernel_handler h) {
  return value + h.get_specialization_constant<distance>();
}
