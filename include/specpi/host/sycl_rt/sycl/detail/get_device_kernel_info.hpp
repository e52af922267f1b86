/*
 * Replaces DPC++'s header of this name if GCC compiles the host side: the facts about a kernel are
 * found at its first launch.
 */
#pragma once

#include <sycl/detail/compile_time_kernel_info.hpp>
#include <sycl/detail/export.hpp>
#include <sycl/detail/kernel_desc.hpp>

#include <string_view>

namespace sycl {
inline namespace _V1 {
namespace detail {

class DeviceKernelInfo;

__SYCL_EXPORT DeviceKernelInfo &getDeviceKernelInfo(const CompileTimeKernelInfoTy &);
__SYCL_EXPORT DeviceKernelInfo &getDeviceKernelInfo(std::string_view KernelName);

template <class Kernel> DeviceKernelInfo &getDeviceKernelInfo() {
  static DeviceKernelInfo &info = getDeviceKernelInfo(specpi::host::kernel_slot<Kernel>::known());
  return info;
}

template <auto *Func> DeviceKernelInfo &getDeviceKernelInfo() {
  static DeviceKernelInfo &info =
      getDeviceKernelInfo(FreeFunctionInfoData<Func>::getFunctionName());
  return info;
}

} // namespace detail
} // namespace _V1
} // namespace sycl
