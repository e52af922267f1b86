// specialization_id: SYCL 2020, 4.9.5.1.
#ifndef SYCL_SPECIALIZATION_ID_HPP
#define SYCL_SPECIALIZATION_ID_HPP

#include <sycl/detail/config.hpp>
#include <sycl/detail/identifiable.hpp>
#include <sycl/device_copyable.hpp>

#include <type_traits>
#include <utility>

namespace sycl {

/*
 * Names a specialization constant. Variables are at namespace scope or static members, with
 * constant initialisers. The constructor's arguments make the constant's default.
 */
template <class T> class __SYCL_UNIQUELY_IDENTIFIABLE("specialization_id") specialization_id {
  static_assert(is_device_copyable_v<T>,
                "the type of a specialization constant has to be device-copyable");

public:
  using value_type = T;
  using type = T;

  template <class... Args, class = std::enable_if_t<std::is_constructible_v<T, Args...>>>
  explicit constexpr specialization_id(Args &&...args)
      : value_(T(std::forward<Args>(args)...)) {} /* T() makes the conversion explicit */

  specialization_id(const specialization_id &) = delete;
  specialization_id(specialization_id &&) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  specialization_id &operator=(specialization_id &&) = delete;

private:
  T value_;
};

} // namespace sycl

#endif
