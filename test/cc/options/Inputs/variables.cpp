// A constant for the integration header and footer.
#include <sycl/sycl.hpp>
constexpr sycl::specialization_id<int> radius(VALUE);
