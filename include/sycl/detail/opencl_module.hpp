// Converts between OpenCL's programs and modules, through libspecpi.
#ifndef SYCL_DETAIL_OPENCL_MODULE_HPP
#define SYCL_DETAIL_OPENCL_MODULE_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/opencl_image.hpp>
#include <sycl/kernel.hpp>

namespace sycl::detail {

/* Makes an input module; create(device, bundle) makes the bundle for each device. */
template <class Create> module_ptr create_from_opencl(const context &in, const Create &create) {
  require_opencl(in.get_backend());
  device_images images;
  for (const device &of : in.get_devices())
    images.push_back(new_image(of, create));
  return std::make_shared<module_impl>(SPECPI_BUNDLE_INPUT,
                                       std::vector<device_images>{std::move(images)});
}

/* Makes a module from a cl_program, for the device that the cl_program's context belongs to. */
module_ptr import_from_opencl(const context &in, specpi_bundle_state state, void *program);

void *native_program(const module_impl &of);

void *native_kernel(const kernel &of);

pi_native_handle native_device(const device &of);

pi_native_handle native_context(const context &of);

} // namespace sycl::detail

#endif
