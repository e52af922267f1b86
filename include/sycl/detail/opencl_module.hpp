// Modules made of OpenCL's programs, and the objects behind them, through libspecpi.
#ifndef SYCL_DETAIL_OPENCL_MODULE_HPP
#define SYCL_DETAIL_OPENCL_MODULE_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/kernel.hpp>

namespace sycl::detail {

inline void require_opencl(backend of) {
  if (of != backend::opencl)
    throw feature_not_supported("that is for contexts of the backend opencl");
}

/* An input module: create(device, bundle) makes it for each device. */
template <class Create> module_ptr create_from_opencl(const context &in, const Create &create) {
  require_opencl(in.get_backend());
  device_images images;
  for (const device &of : in.get_devices()) {
    bundle_reference made;
    check(create(of.handle(), made.out()));
    images.push_back(std::make_shared<device_image_impl>(of, std::move(made)));
  }
  return std::make_shared<module_impl>(SPECPI_BUNDLE_INPUT,
                                       std::vector<device_images>{std::move(images)});
}

/* A module of a cl_program: of the device in whose context it is. */
inline module_ptr import_from_opencl(const context &in, specpi_bundle_state state, void *program) {
  require_opencl(in.get_backend());
  specpi_result result = SPECPI_SUCCESS;
  for (const device &of : in.get_devices()) {
    bundle_reference made;
    result = specpiBundleImport(of.handle(), state, program, made.out());
    if (result == SPECPI_ERROR_INVALID_STATE)
      throw invalid_object(specpiGetLastError());
    if (result == SPECPI_SUCCESS)
      return std::make_shared<module_impl>(
          state,
          std::vector<device_images>{{std::make_shared<device_image_impl>(of, std::move(made))}});
    if (result != SPECPI_ERROR_INVALID_ARGUMENT)
      break;
  }
  fail(result);
}

inline void *native_program(const module_impl &of) {
  if (of.images().size() != 1)
    throw invalid_object("a module with one device image has a cl_program, and this has " +
                         std::to_string(of.images().size()));
  require_opencl(of.images().front()->get_device().get_backend());
  void *program = nullptr;
  check(specpiBundleGetNativeProgram(of.images().front()->bundle(), 0, &program));
  return program;
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
