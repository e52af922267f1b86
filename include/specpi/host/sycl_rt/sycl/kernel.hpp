/*
 * Stands before the header of this name of DPC++ where GCC compiles the host's side: what names a
 * kernel there is its name alone, and here its function object's type, too, whose captures differ.
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
