// A constant for the host side.
#include <sycl/sycl.hpp>
constexpr sycl::specialization_id<int> radius(VALUE);
