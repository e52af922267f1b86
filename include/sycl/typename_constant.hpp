/*
 * Constants named by types: spec_constant of the proposal with typename ids, "DPC++ Headers"; and
 * spec_constant_id, which names a constant of an OpenCL program by a number: SYCL Specialization
 * Constant, "OpenCL Interoperability".
 */
#ifndef SYCL_TYPENAME_CONSTANT_HPP
#define SYCL_TYPENAME_CONSTANT_HPP

#include <sycl/detail/builtins.hpp>
#include <sycl/detail/config.hpp>

#include <type_traits>

namespace sycl {

namespace experimental {

/* Names the constant with that SpecId in a module. */
template <unsigned NID> struct spec_constant_id {
  static constexpr unsigned id = NID;
};

} // namespace experimental

namespace ONEAPI::experimental {

/*
 * The value of the constant that the type ID names, for kernels of a program that sets the
 * constant. ID may be incomplete. On a device it is the value that the kernel was built with; on
 * the host and the host device it is the value that the object was made with.
 */
template <typename T, typename ID = T> class spec_constant {
  static_assert(std::is_trivially_copyable_v<T>,
                "the type of a specialization constant has to be trivially copyable");

public:
  using type = T;

  spec_constant() = default;
  explicit constexpr spec_constant(const T &value) : value_(value) {}

  T get() const {
#ifdef __SYCL_DEVICE_ONLY__
    const char *name = __builtin_sycl_unique_stable_name(ID);
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      return __sycl_getScalarSpecConstantValue<T>(name);
    else
      return __sycl_getCompositeSpecConstantValue<T>(name);
#else
    return value_;
#endif
  }
  operator T() const {
    return get();
  }

private:
  T value_{};
};

} // namespace ONEAPI::experimental

} // namespace sycl

#endif
