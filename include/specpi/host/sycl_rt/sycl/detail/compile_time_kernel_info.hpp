/*
 * Replaces DPC++'s header of this name if GCC compiles the host side. DPC++'s integration header
 * names kernels by facts about types that only clang knows at compile time. Here kernel_slot.hpp,
 * included after the integration header, finds each kernel at its first use by GCC's mangled name
 * of the type.
 */
#pragma once

#include <sycl/detail/kernel_desc.hpp>
#include <sycl/detail/string_view.hpp>

#include <cstddef>
#include <string_view>

namespace specpi::host {
template <class Name, class Type> struct named_kernel;
namespace { /* each unit has its own tables */
template <class K> struct kernel_slot;
}
} // namespace specpi::host

namespace sycl {
inline namespace _V1 {
namespace detail {

inline namespace compile_time_kernel_info_v1 {
/* The same as in DPC++, because DPC++'s library reads it. */
struct CompileTimeKernelInfoTy {
  detail::string_view Name{};
  unsigned NumParams = 0;
  bool IsESIMD = false;
  detail::string_view FileName{};
  detail::string_view FunctionName{};
  unsigned LineNumber = 0;
  unsigned ColumnNumber = 0;
  int64_t KernelSize = 0;
  using ParamDescGetterT = kernel_param_desc_t (*)(int);
  ParamDescGetterT ParamDescGetter = nullptr;
  bool HasSpecialCaptures = true;
};

/* The members that DPC++'s headers use at compile time. The values follow at run time. */
template <class Kernel> struct late_kernel_info {
  struct late_name {
    operator detail::string_view() const {
      return std::string_view(specpi::host::kernel_slot<Kernel>::name());
    }
    friend constexpr bool operator==(late_name, std::string_view) {
      return false;
    }
    friend constexpr bool operator!=(late_name, std::string_view) {
      return true;
    }
  };
  /* Equals any size: at the launch, objects of another size are moved or refused. */
  struct any_size {
    friend constexpr bool operator==(std::size_t, any_size) {
      return true;
    }
  };
  late_name Name{};
  any_size KernelSize{};
  bool IsESIMD = false;
  std::string_view FileName{""};
  std::string_view FunctionName{""};
  unsigned LineNumber = 0;
  unsigned ColumnNumber = 0;

  operator CompileTimeKernelInfoTy() const {
    return specpi::host::kernel_slot<Kernel>::known();
  }
};
template <class Kernel> inline constexpr late_kernel_info<Kernel> CompileTimeKernelInfo{};
} // namespace compile_time_kernel_info_v1

} // namespace detail
} // namespace _V1
} // namespace sycl
