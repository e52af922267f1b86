/*
 * spec_id: names a specialization constant of SYCL Modules ("Specialization constant types", as
 * sycl::spec_id) and of SYCL Specialization Constant ("Specialization Constant Representation", as
 * sycl::experimental::spec_id).
 */
#ifndef SYCL_SPEC_ID_HPP
#define SYCL_SPEC_ID_HPP

#include <sycl/detail/config.hpp>
#include <sycl/detail/identifiable.hpp>

#include <type_traits>
#include <utility>

namespace sycl {

/*
 * The type of non-const variables at namespace scope and static members. The constructor's
 * arguments are passed to T's constructor to make the default value, and have to be constant
 * expressions. A variable can be declared extern before its definition; it cannot be copied or
 * moved.
 */
template <typename T> class __SYCL_UNIQUELY_IDENTIFIABLE("specialization_id") spec_id {
  static_assert(std::is_trivially_copyable_v<T>,
                "the type of a specialization constant has to be trivially copyable");
  static_assert(std::is_standard_layout_v<T>,
                "the type of a specialization constant has to be of standard layout");

public:
  using type = T;
  using value_type = T;

  template <class... Args, class = std::enable_if_t<std::is_constructible_v<T, Args...>>>
  explicit constexpr spec_id(Args &&...args) : value_(std::forward<Args>(args)...) {}

  spec_id(const spec_id &) = delete;
  spec_id(spec_id &&) = delete;
  spec_id &operator=(const spec_id &) = delete;
  spec_id &operator=(spec_id &&) = delete;

private:
  T value_;
};

namespace experimental {
using sycl::spec_id;
}

} // namespace sycl

#endif
