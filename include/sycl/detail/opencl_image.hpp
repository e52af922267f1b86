// Device images of OpenCL's programs, and the programs behind images, through libspecpi.
#ifndef SYCL_DETAIL_OPENCL_IMAGE_HPP
#define SYCL_DETAIL_OPENCL_IMAGE_HPP

#include <sycl/context.hpp>

namespace sycl::detail {

inline void require_opencl(backend of) {
  if (of != backend::opencl)
    throw feature_not_supported("that is for contexts of the backend opencl");
}

/* An input image: create(device, bundle) makes its bundle. */
template <class Create> device_image_ptr new_image(const device &of, const Create &create) {
  bundle_reference made;
  check(create(of.handle(), made.out()));
  return std::make_shared<device_image_impl>(of, std::move(made));
}

/*
 * The image of a cl_program: for the device in whose context it is. NULL, and libspecpi's sentence:
 * it is in another state. runtime_error, errc::invalid: it is NULL, or of another context.
 */
inline device_image_ptr import_image(const context &in, specpi_bundle_state state, void *program) {
  require_opencl(in.get_backend());
  specpi_result result = SPECPI_SUCCESS;
  for (const device &of : in.get_devices()) {
    bundle_reference made;
    result = specpiBundleImport(of.handle(), state, program, made.out());
    if (result == SPECPI_ERROR_INVALID_STATE)
      return nullptr;
    if (result == SPECPI_SUCCESS)
      return std::make_shared<device_image_impl>(of, std::move(made));
    if (result != SPECPI_ERROR_INVALID_ARGUMENT)
      break;
  }
  fail(result);
}

/* The cl_program of an image, with a reference that the caller gives up. */
inline void *native_program(const device_image_impl &of) {
  require_opencl(of.get_device().get_backend());
  void *program = nullptr;
  check(specpiBundleGetNativeProgram(of.bundle(), 0, &program));
  return program;
}

} // namespace sycl::detail

#endif
