// Code that must not be instantiated before the specialisations in the integration footer, whose
// last line includes this file. The source is the proposal "Specialization constants", section
// "sycl/detail/spec_const_integration.hpp header file".
#pragma once

#include <sycl/detail/identifiable.hpp>

#if defined(__INTEL_SYCL_HOST_COMPILER__)
#include <stdexcept>
#endif

namespace sycl {
namespace detail {

// The symbolic id of the constant; valid until the process ends. Any thread may call it.
//
// A unit with __INTEL_SYCL_HOST_COMPILER__ has no footer. There the compiler's pass registers the
// id for the variable's address. std::logic_error: no id is registered.
template <auto &Constant> const char *get_spec_constant_symbolic_ID() {
#if defined(__INTEL_SYCL_HOST_COMPILER__)
  const char *id = specpiIdentifiableGetId(&Constant, "specialization_id");
  if (id == nullptr)
    throw std::logic_error("a specialization constant has no symbolic id: its unit was compiled "
                           "for specpi-cc --host-pass, but not run through it");
  return id;
#else
  return get_spec_constant_symbolic_ID_impl<Constant>();
#endif
}

} // namespace detail
} // namespace sycl
