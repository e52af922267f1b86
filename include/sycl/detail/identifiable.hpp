// Variables that have ids: the mark of their types, and the way from a variable to its id.
// docs/internals/host.md says who makes the ids. The sources are the proposals "Mapping host
// variables to compiler-generated info", section "Common headers part", and "Specialization
// constants", section "sycl/detail/spec_const_integration.hpp header file".
#pragma once

#if !defined(__SYCL_DEVICE_ONLY__)
#include <specpi/identifiable.h>
#endif

// Marks a class or class template, whose variables then get ids of the kind, a string literal. It
// is written between class and the class's name:
//
//   template <typename T> class __SYCL_UNIQUELY_IDENTIFIABLE("device_global") device_global {
//
// Compilers with the proposal's attribute get the attribute. Other compilers of the clang family,
// including libclang, get an annotation, which specpi-cc reads and which leaves nothing in the
// object file. All others get nothing.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(__sycl_detail__::uniquely_identifiable_object) &&                          \
    (defined(__SYCL_DEVICE_ONLY__) || defined(__INTEL_SYCL_HOST_COMPILER__))
#define __SYCL_UNIQUELY_IDENTIFIABLE(kind) [[__sycl_detail__::uniquely_identifiable_object(kind)]]
#endif
#endif
#if !defined(__SYCL_UNIQUELY_IDENTIFIABLE) && defined(__clang__)
#define __SYCL_UNIQUELY_IDENTIFIABLE(kind) __attribute__((annotate("sycl-uid-kind=" kind)))
#elif !defined(__SYCL_UNIQUELY_IDENTIFIABLE)
#define __SYCL_UNIQUELY_IDENTIFIABLE(kind)
#endif

namespace sycl {
namespace detail {

// The symbolic id of a specialization constant. The integration footer specialises it, at the end
// of the unit.
template <auto &Constant> const char *get_spec_constant_symbolic_ID_impl();

// The same id, for callers: templates of any header, instantiated where the unit uses them. The
// definition is in spec_const_integration.hpp, which the footer includes after the specialisations.
template <auto &Constant> const char *get_spec_constant_symbolic_ID();

} // namespace detail
} // namespace sycl

// Units whose variables are registered by the compiler's pass have no footer.
#if defined(__INTEL_SYCL_HOST_COMPILER__) && !defined(__SYCL_DEVICE_ONLY__)
#include <sycl/detail/spec_const_integration.hpp>
#endif
