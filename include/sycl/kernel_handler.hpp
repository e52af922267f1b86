// kernel_handler: the specialization constants of a running kernel. SYCL 2020, 4.9.4.3.
#ifndef SYCL_KERNEL_HANDLER_HPP
#define SYCL_KERNEL_HANDLER_HPP

#include <sycl/detail/constant.hpp>

namespace sycl {

namespace detail {
struct handler_access;
}

class kernel_handler {
public:
  /* The value of a constant. On a device it is an immediate of the kernel's code. */
  template <auto &S> detail::constant_type<S> get_specialization_constant() const {
#ifdef __SYCL_DEVICE_ONLY__
    return detail::constant_value<S>();
#else
    if (!values_)
      return detail::constant_default<S>();
    return detail::constant_among<S>(*values_);
#endif
  }

private:
  friend struct detail::handler_access;
  explicit kernel_handler(const detail::constant_values *values) noexcept : values_(values) {}
  [[maybe_unused]] const detail::constant_values *values_;
};

namespace detail {
/* Makes handlers. Only handlers of a host device have values; NULL: all constants have their
 * defaults. */
struct handler_access {
  static kernel_handler make(const constant_values *values = nullptr) noexcept {
    return kernel_handler(values);
  }
  /* Records that the calling thread runs a function object with that handler. */
  static void enter([[maybe_unused]] const kernel_handler &handler) noexcept {
#ifndef __SYCL_DEVICE_ONLY__
    specpiThreadGet()->constants = handler.values_;
#endif
  }
};
} // namespace detail

} // namespace sycl

#endif
