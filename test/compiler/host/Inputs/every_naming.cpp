// A variable for each way to name one, a template that is used, and one that is not.
#include <sycl/sycl.hpp>

constexpr sycl::specialization_id<int> name(1);
namespace {
namespace inside {
constexpr sycl::specialization_id<int> name(2);
namespace {
constexpr sycl::specialization_id<int> name(3);
}
} // namespace inside
} // namespace
class closed {
  static constexpr sycl::specialization_id<int> name{4};
};
template <typename T> struct open {
  static constexpr sycl::specialization_id<T> name{5};
  static constexpr sycl::specialization_id<T> unused{6};
};
template <typename T> const void *use() {
  return &open<T>::name;
}
const void *used = use<int>();
