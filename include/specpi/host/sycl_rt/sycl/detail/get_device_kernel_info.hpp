/*
 * Stands before the header of this name of DPC++ where GCC compiles the host's side: what is known
 * of a kernel is found when it is first launched.
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
