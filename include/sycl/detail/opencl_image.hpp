// Converts between OpenCL's programs and device images, through libspecpi.
#ifndef SYCL_DETAIL_OPENCL_IMAGE_HPP
#define SYCL_DETAIL_OPENCL_IMAGE_HPP

#include <sycl/context.hpp>

namespace sycl::detail {

void require_opencl(backend of);

/* Makes an input image; create(device, bundle) makes its bundle. */
template <class Create> device_image_ptr new_image(const device &of, const Create &create) {
  bundle_reference made;
  check(create(of.handle(), made.out()));
  return std::make_shared<device_image_impl>(of, std::move(made));
}

/* The cl_program of an image. The caller must release it. */
void *native_program(const device_image_impl &of);

} // namespace sycl::detail

#endif
