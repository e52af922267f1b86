// The last line of the integration footer includes this: what must not be instantiated before the
// footer's specialisations. The source is the proposal "Specialization constants", section
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
// A unit with __INTEL_SYCL_HOST_COMPILER__ has no footer: there the id is the one that the
// compiler's pass registers for the variable's address, and std::logic_error says that there is
// none.
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
