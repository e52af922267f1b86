/* Images: creation, answers, native handles. */
#include "image.h"

#include "checks.h"
#include "image_transfer.h"

#include <stdlib.h>

pi_result image_object_new(pi_context context, pi_mem_flags flags, const cuda_image *image,
                           bool is_owned, pi_mem *mem) {
  cuda_image *copy = malloc(sizeof *copy);
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an image object");
  const pi_result result = memory_create(context, MEMORY_IMAGE, flags, image->shape.size, mem);
  if (result != PI_SUCCESS) {
    free(copy);
    return result;
  }
  *copy = *image;
  (*mem)->driver.image = copy;
  (*mem)->is_owned = is_owned;
  (*mem)->pointer = image->array;
  return PI_SUCCESS;
}

/* Nobody is left to tell a failure to. */
void image_destroy(pi_mem mem) {
  cuda_image *image = mem->driver.image;
  if (image->array)
    cu.SurfObjectDestroy(image->surface);
  if (image->array && mem->is_owned)
    cu.ArrayDestroy(image->array);
  free(image);
}

static pi_result make_surface(CUarray array, uint64_t *ret) {
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = array};
  CUsurfObject surface = 0;
  CU_TRY(SurfObjectCreate, &surface, &resource);
  *ret = surface;
  return PI_SUCCESS;
}

/* The host memory that an image begins with, as the description has its pitches. */
static pi_result read_host_side(pi_context context, const pi_image_desc *desc,
                                const cuda_image *image, void *host_ptr, image_side *ret,
                                image_extent *extent) {
  const image_shape *shape = &image->shape;
  *extent = (image_extent){shape->width * image->pixel.size, shape->height, shape->depth};
  if (!host_ptr) {
    PI_REQUIRE(
        desc->image_row_pitch == 0 && desc->image_slice_pitch == 0,
        PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        "image_row_pitch is %zu and image_slice_pitch %zu without host_ptr, both have to be 0",
        desc->image_row_pitch, desc->image_slice_pitch);
    return PI_SUCCESS;
  }
  size_t row = desc->image_row_pitch;
  size_t slice = shape->has_depth || shape->is_layered ? desc->image_slice_pitch : 0;
  size_t size;
  PI_TRY(image_pitches(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, extent, &row, &slice, &size));
  return image_memory_side(context, "host_ptr", host_ptr, size, row, slice, ret);
}

/* Fills the array and makes the surface. */
static pi_result complete(cuda_image *image, bool has_host, const image_side *host,
                          const image_extent *extent) {
  if (has_host) {
    const image_transfer_mode at_once = {.is_blocking = true};
    const image_side whole = {.array = image->array,
                              .is_flat = !image->shape.has_depth && !image->shape.is_layered};
    PI_TRY(image_transfer(&at_once, &whole, host, extent));
  }
  return make_surface(image->array, &image->surface);
}

/* The object of an array that has its surface, which is destroyed again without memory. */
static pi_result finish(pi_context context, pi_mem_flags flags, const cuda_image *image,
                        bool is_owned, pi_mem *ret_mem) {
  pi_mem mem;
  const pi_result result = image_object_new(context, flags, image, is_owned, &mem);
  if (result == PI_SUCCESS)
    *ret_mem = mem;
  else
    cu.SurfObjectDestroy(image->surface);
  return result;
}

/*
 * HOST_PTR_USE copies like HOST_PTR_COPY: a CUDA array is no memory of the host, and nothing in PI
 * maps an image. HOST_PTR_ALLOC changes nothing, for the same reason.
 */
pi_result piMemImageCreate(pi_context context, pi_mem_flags flags,
                           const pi_image_format *image_format, const pi_image_desc *image_desc,
                           void *host_ptr, pi_mem *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(pi_check_mem_flags(flags, host_ptr));
  cuda_image image = {0};
  PI_TRY(image_pixel_read_straight(image_format, &image.pixel));
  PI_TRY(image_shape_read(context->devices[0], image_desc, &image.pixel, &image.shape));
  image.format = *image_format;
  if (image_desc->num_mip_levels > 1)
    return CUDA_UNSUPPORTED("num_mip_levels is %u, and only bindless images have more than one",
                            image_desc->num_mip_levels);
  PI_TRY(cuda_enter(context));
  image_side host;
  image_extent extent;
  PI_TRY(read_host_side(context, image_desc, &image, host_ptr, &host, &extent));

  const CUDA_ARRAY3D_DESCRIPTOR descriptor = image_array_descriptor(&image.shape, &image.pixel);
  CU_TRY(Array3DCreate, &image.array, &descriptor);
  pi_result result = complete(&image, host_ptr != NULL, &host, &extent);
  if (result == PI_SUCCESS)
    result = finish(context, flags, &image, true, ret_mem);
  if (result != PI_SUCCESS)
    cu.ArrayDestroy(image.array);
  return result;
}

pi_result piMemImageGetInfo(pi_mem image, pi_image_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(image);
  PI_REQUIRE(image->driver.image, PI_ERROR_INVALID_MEM_OBJECT, "image is a buffer");
  PI_TRY(pi_answer_check(&answer));
  const cuda_image *self = image->driver.image;
  return image_answer(&answer, param_name, &self->format, &self->pixel, &self->shape);
}

/*
 * An array's surface is made for each image of it. The array knows its sizes and the channels'
 * bits. Whether its integers are normalised only image_format can tell; without one they are not.
 * image_desc is not needed.
 */
static pi_result describe_array(CUarray array, const pi_image_format *image_format,
                                cuda_image *ret) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
  CU_TRY(Array3DGetDescriptor, &descriptor, array);
  cuda_image image = {.array = array};
  PI_REQUIRE(image_format ||
                 image_format_of_array(descriptor.Format, descriptor.NumChannels, &image.format),
             PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
             "the CUarray has %u channels of format %d, which PI has no name for",
             descriptor.NumChannels, (int)descriptor.Format);
  if (image_format)
    image.format = *image_format;
  PI_TRY(image_pixel_read_straight(&image.format, &image.pixel));
  PI_REQUIRE(image_array_format(&image.pixel) == descriptor.Format &&
                 image.pixel.channels == descriptor.NumChannels,
             PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             "image_format has %u channels of CUDA's format %d, the CUarray %u of format %d",
             image.pixel.channels, (int)image_array_format(&image.pixel), descriptor.NumChannels,
             (int)descriptor.Format);
  PI_REQUIRE(descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST, PI_ERROR_INVALID_MEM_OBJECT,
             "the CUarray was made without CUDA_ARRAY3D_SURFACE_LDST, so no kernel can have it as "
             "an argument");
  PI_TRY(image_shape_of_array(&descriptor, &image.pixel, &image.shape));
  *ret = image;
  return PI_SUCCESS;
}

pi_result piextMemImageCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                              bool own_native_handle,
                                              const pi_image_format *image_format,
                                              const pi_image_desc *image_desc, pi_mem *img) {
  (void)image_desc;
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(img);
  PI_TRY(cuda_enter(context));
  cuda_image image;
  PI_TRY(describe_array((CUarray)native_handle, image_format, &image));
  PI_TRY(make_surface(image.array, &image.surface));
  pi_mem mem;
  PI_TRY(finish(context, PI_MEM_FLAGS_ACCESS_RW, &image, false, &mem));
  memory_adopt_pointer(mem, own_native_handle);
  *img = mem;
  return PI_SUCCESS;
}
