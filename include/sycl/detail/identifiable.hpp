// Variables that have ids: the mark of their types, and the way from a variable to its id.
// docs/internals/host.md says who makes the ids. The sources are the proposals "Mapping host
// variables to compiler-generated info", section "Common headers part", and "Specialization
// constants", section "sycl/detail/spec_const_integration.hpp header file".
#pragma once

#if !defined(__SYCL_DEVICE_ONLY__)
#include <specpi/identifiable.h>
#endif

// Marks a class or class template, between its key and its name: its variables get ids of the kind,
// a string literal.
//
//   template <typename T> class __SYCL_UNIQUELY_IDENTIFIABLE("device_global") device_global {
//
// A compiler that has the proposal's attribute gets it. Other ones of the clang family, libclang
// among them, get an annotation that says the same and of which nothing comes in the object file;
// specpi-cc reads it. The rest get nothing.
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

// The same for callers: templates of any header, which the unit instantiates where it uses them.
// Its definition stands after the specialisations, in spec_const_integration.hpp, which the
// footer includes.
template <auto &Constant> const char *get_spec_constant_symbolic_ID();

} // namespace detail
} // namespace sycl

// Objects of which the compiler's pass registers the variables have no footer.
#if defined(__INTEL_SYCL_HOST_COMPILER__) && !defined(__SYCL_DEVICE_ONLY__)
#include <sycl/detail/spec_const_integration.hpp>
#endif
