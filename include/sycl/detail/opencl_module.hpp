// Modules made of OpenCL's programs, and the objects behind them, through libspecpi.
#ifndef SYCL_DETAIL_OPENCL_MODULE_HPP
#define SYCL_DETAIL_OPENCL_MODULE_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/opencl_image.hpp>
#include <sycl/kernel.hpp>

namespace sycl::detail {

/* An input module: create(device, bundle) makes it for each device. */
template <class Create> module_ptr create_from_opencl(const context &in, const Create &create) {
  require_opencl(in.get_backend());
  device_images images;
  for (const device &of : in.get_devices())
    images.push_back(new_image(of, create));
  return std::make_shared<module_impl>(SPECPI_BUNDLE_INPUT,
                                       std::vector<device_images>{std::move(images)});
}

/* A module of a cl_program: of the device in whose context it is. */
inline module_ptr import_from_opencl(const context &in, specpi_bundle_state state, void *program) {
  device_image_ptr image = import_image(in, state, program);
  if (!image)
    throw invalid_object(specpiGetLastError());
  return std::make_shared<module_impl>(state, std::vector<device_images>{{std::move(image)}});
}

inline void *native_program(const module_impl &of) {
  if (of.images().size() != 1)
    throw invalid_object("a module with one device image has a cl_program, and this has " +
                         std::to_string(of.images().size()));
  return native_program(*of.images().front());
}

inline void *native_kernel(const kernel &of) {
  require_opencl(of.get_context().get_backend());
  for (const device_image_ptr &image : of.images()) {
    if (!image->has_kernel(of.name()))
      continue;
    void *native = nullptr;
    check(specpiKernelGetNative(image->kernel(of.name(), {}).get(), &native));
    return native;
  }
  throw invalid_object("kernel " + of.name() + " has no device image");
}

inline pi_native_handle native_device(const device &of) {
  require_opencl(of.get_backend());
  const pi_function_table *pi = specpiDeviceGetFunctions(of.handle());
  pi_native_handle native = 0;
  if (pi->piextDeviceGetNativeHandle(specpiDeviceGetHandle(of.handle()), &native) != PI_SUCCESS ||
      pi->piDeviceRetain(specpiDeviceGetHandle(of.handle())) != PI_SUCCESS)
    throw runtime_error("the device does not give its native handle");
  return native;
}

inline pi_native_handle native_context(const context &of) {
  require_opencl(of.get_backend());
  if (of.get_devices().size() != 1)
    throw invalid_object("a context with one device has a cl_context, and this has " +
                         std::to_string(of.get_devices().size()) + " devices");
  const specpi_device handle = of.get_devices().front().handle();
  const pi_function_table *pi = specpiDeviceGetFunctions(handle);
  pi_context context = nullptr;
  check(specpiDeviceGetContext(handle, &context));
  pi_native_handle native = 0;
  if (pi->piextContextGetNativeHandle(context, &native) != PI_SUCCESS ||
      pi->piContextRetain(context) != PI_SUCCESS)
    throw runtime_error("the context does not give its native handle");
  return native;
}

} // namespace sycl::detail

#endif
