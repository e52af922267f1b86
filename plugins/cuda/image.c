/* Images: what they are made of, creation, native handles. */
#include "image.h"

#include "image_transfer.h"
#include "memory.h"

/* Nobody is left to tell a failure to. */
void image_destroy(pi_mem mem) {
  if (mem->pointer)
    cu.SurfObjectDestroy(mem->driver.surface);
  if (mem->is_owned)
    cu.ArrayDestroy(mem->pointer);
}

pi_result image_make_surface(CUarray array, uint64_t *ret) {
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = array};
  CUsurfObject surface = 0;
  CU_TRY(SurfObjectCreate, &surface, &resource);
  *ret = surface;
  return PI_SUCCESS;
}

pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret) {
  (void)is_writable; /* What kernels read they may write. */
  TRY(image_pixel_read_straight(format, &ret->pixel));
  TRY(image_shape_read(context->devices[0], desc, &ret->pixel, &ret->shape));
  ret->format = *format;
  return PI_SUCCESS;
}

/* Fills the array and makes the surface. */
static pi_result complete_image(pi_mem image, CUarray array, const image_pitched *memory) {
  const image_shape *shape = &image->form.shape;
  const image_part whole = {
      array, &image->form, {0, 0, 0, shape->width, shape->height, shape->depth}};
  if (memory)
    TRY(image_transfer_now(&whole, memory));
  return image_make_surface(array, &image->driver.surface);
}

pi_result driver_image_create(pi_mem image, const image_pitched *memory) {
  TRY(cuda_enter(image->context));
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = image_array_descriptor(&image->form);
  CUarray array = NULL;
  CU_TRY(Array3DCreate, &array, &descriptor);
  const pi_result result = complete_image(image, array, memory);
  if (result == PI_SUCCESS)
    image->pointer = array;
  else
    cu.ArrayDestroy(array);
  return result;
}

/*
 * The array knows its sizes and the channels' bits. Whether its integers are normalised only the
 * format can tell; without one they are not. The description is not needed.
 */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret) {
  (void)desc;
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
  image_form form = {0};
  TRY(cuda_enter(context));
  CU_TRY(Array3DGetDescriptor, &descriptor, (CUarray)native);
  REQUIRE(format || image_format_of_array(descriptor.Format, descriptor.NumChannels, &form.format),
          PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
          "the CUarray has %u channels of format %d, which PI has no name for",
          descriptor.NumChannels, (int)descriptor.Format);
  if (format)
    form.format = *format;
  TRY(image_pixel_read_straight(&form.format, &form.pixel));
  REQUIRE(image_array_format(&form.pixel) == descriptor.Format &&
              form.pixel.channels == descriptor.NumChannels,
          PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "image_format has %u channels of CUDA's format %d, the CUarray %u of format %d",
          form.pixel.channels, (int)image_array_format(&form.pixel), descriptor.NumChannels,
          (int)descriptor.Format);
  REQUIRE(descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST, PI_ERROR_INVALID_MEM_OBJECT,
          "the CUarray was made without CUDA_ARRAY3D_SURFACE_LDST, so no kernel can have it as "
          "an argument");
  TRY(image_shape_of_array(&descriptor, &form.pixel, &form.shape));
  *ret = form;
  return PI_SUCCESS;
}

/* An array's surface is made for each image of it. */
pi_result driver_image_adopt(pi_mem image, pi_native_handle native) {
  TRY(image_make_surface((CUarray)native, &image->driver.surface));
  image->pointer = (void *)native;
  return PI_SUCCESS;
}
