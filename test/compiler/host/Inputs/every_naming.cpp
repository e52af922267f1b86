// Variables that need each kind of naming, used and unused members of templates, a class marked
// with a kind of ids, and a type that names a constant.
#include <sycl/sycl.hpp>

extern "C" void __register_uniquely_identifiable_object(void *, const char *, const char *);
extern "C" void __unregister_uniquely_identifiable_object(void *, const char *, const char *);
namespace sycl {
template <typename T, typename ID> struct spec_constant {};
} // namespace sycl
namespace types {
enum class second : short;
template <typename T, int... N> struct first;
} // namespace types
sycl::spec_constant<int, types::first<types::second, 1>> named_by_type;
struct __attribute__((annotate("sycl-uid-kind=probe"))) probe {
} probed;

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
template <int N> constexpr sycl::specialization_id<int> many{N};
const void *used_too = &many<7>;
