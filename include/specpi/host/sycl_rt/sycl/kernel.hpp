/*
 * Replaces DPC++'s header of this name if GCC compiles the host side: in DPC++ a kernel is
 * identified by its name alone. Here the type of its function object is needed, too, because its
 * captures may have another layout.
 */
#pragma once

#define get_kernel_name_t specpi_replaced_kernel_name_t
#include_next <sycl/kernel.hpp>
#undef get_kernel_name_t

#include <sycl/detail/compile_time_kernel_info.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <class Name, class Type> struct get_kernel_name_t {
  using name = specpi::host::named_kernel<Name, Type>;
};
template <class Type> struct get_kernel_name_t<auto_name, Type> {
  using name = Type;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
