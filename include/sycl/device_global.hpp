/*
 * device_global: a variable that device code and the host know by one id. The class has only the
 * parts that the proposal "Mapping host variables to compiler-generated info" needs.
 */
#ifndef SYCL_DEVICE_GLOBAL_HPP
#define SYCL_DEVICE_GLOBAL_HPP

#include <sycl/detail/config.hpp>
#include <sycl/detail/identifiable.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

/*
 * A variable at namespace scope or a static member, initialised to T(). Host code reads the host's
 * value through get() or the conversion to T. Kernels cannot use the variable, because modules of
 * OpenCL and CUDA have no variables that a host writes. specpiIdentifiableGetId(&variable,
 * "device_global") returns its symbolic id.
 */
template <typename T> class __SYCL_UNIQUELY_IDENTIFIABLE("device_global") device_global {
public:
  using element_type = std::remove_extent_t<T>;

  constexpr device_global() noexcept(std::is_nothrow_default_constructible_v<T>) : value_{} {}
  device_global(const device_global &) = delete;
  device_global(device_global &&) = delete;
  device_global &operator=(const device_global &) = delete;
  device_global &operator=(device_global &&) = delete;

  T &get() noexcept {
    return value_;
  }
  const T &get() const noexcept {
    return value_;
  }
  operator T &() noexcept {
    return value_;
  }
  operator const T &() const noexcept {
    return value_;
  }
  /* Arrays cannot be assigned as a whole. */
  template <typename U = T, typename = std::enable_if_t<!std::is_array_v<U>>>
  device_global &operator=(const U &value) {
    value_ = value;
    return *this;
  }

private:
  T value_;
};

namespace ext::oneapi::experimental {
using sycl::device_global;
}

} // namespace sycl

#endif
