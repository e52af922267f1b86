/* Images: creation, answers, native handles. */
#include "image.h"

#include "checks.h"
#include "image_format.h"
#include "image_transfer.h"
#include "queue.h"

#include "../objects/image_command.h"

#include <stdlib.h>

static ze_image_type_t type_of(const image_shape *shape) {
  if (shape->is_layered)
    return shape->has_height ? ZE_IMAGE_TYPE_2DARRAY : ZE_IMAGE_TYPE_1DARRAY;
  return shape->has_depth    ? ZE_IMAGE_TYPE_3D
         : shape->has_height ? ZE_IMAGE_TYPE_2D
                             : ZE_IMAGE_TYPE_1D;
}

/* A device without images has limits of 0. */
static pi_result check_limits(pi_device device, const image_shape *shape) {
  ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  ZE_TRY(DeviceGetImageProperties, device->driver.device, &limits);
  PI_REQUIRE(limits.maxImageDims2D != 0, PI_ERROR_INVALID_OPERATION, "the device has no images");
  const size_t size = shape->has_depth    ? limits.maxImageDims3D
                      : shape->has_height ? limits.maxImageDims2D
                                          : limits.maxImageDims1D;
  return image_shape_limit(shape, size, size,
                           shape->is_layered ? limits.maxImageArraySlices : size);
}

pi_result image_describe(pi_device device, const pi_image_format *format, const pi_image_desc *desc,
                         bool is_writable, level_zero_image *ret, ze_image_desc_t *ret_desc) {
  level_zero_image image = {.device = device->root};
  ze_image_format_t ze_format = {0};
  PI_TRY(image_format_of(format, is_writable, &image.pixel, &ze_format));
  PI_TRY(image_shape_of(desc, "Level Zero", &image.pixel, &image.shape));
  const image_shape *shape = &image.shape;
  if (shape->type == PI_MEM_TYPE_IMAGE_CUBEMAP)
    return LEVEL_ZERO_UNSUPPORTED("image_type is PI_MEM_TYPE_IMAGE_CUBEMAP, Level Zero has none");
  if (desc->num_mip_levels > 1)
    return LEVEL_ZERO_UNSUPPORTED("num_mip_levels is %u, and images of Level Zero have one level",
                                  desc->num_mip_levels);
  PI_TRY(check_limits(device, shape));
  image.format = *format;
  *ret_desc = (ze_image_desc_t){
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = is_writable ? (ze_image_flags_t)ZE_IMAGE_FLAG_KERNEL_WRITE : 0,
      .type = type_of(shape),
      .format = ze_format,
      .width = shape->width,
      .height = shape->has_height ? (uint32_t)shape->height : 0,
      .depth = shape->has_depth ? (uint32_t)shape->depth : 0,
      .arraylevels = shape->is_layered ? (uint32_t)shape->depth : 0,
  };
  *ret = image;
  return PI_SUCCESS;
}

pi_result image_object_new(pi_context context, pi_mem_flags flags, const level_zero_image *image,
                           bool is_owned, pi_mem *mem) {
  level_zero_image *copy = malloc(sizeof *copy);
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an image object");
  const pi_result result = memory_create(context, MEMORY_IMAGE, flags, image->shape.size, mem);
  if (result != PI_SUCCESS) {
    free(copy);
    return result;
  }
  *copy = *image;
  (*mem)->driver.image = copy;
  (*mem)->pointer = image->image;
  (*mem)->is_owned = is_owned;
  return PI_SUCCESS;
}

/* Nobody is left to tell a failure to. */
void image_destroy(pi_mem mem) {
  level_zero_image *image = mem->driver.image;
  if (image->image && mem->is_owned)
    ze.ImageDestroy(image->image);
  free(image);
}

/* The host memory that an image begins with, as the description has its pitches. */
static pi_result read_host_side(const pi_image_desc *desc, const level_zero_image *image,
                                void *host_ptr, image_transfer *ret) {
  const image_shape *shape = &image->shape;
  if (!host_ptr) {
    PI_REQUIRE(
        desc->image_row_pitch == 0 && desc->image_slice_pitch == 0,
        PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        "image_row_pitch is %zu and image_slice_pitch %zu without host_ptr, both have to be 0",
        desc->image_row_pitch, desc->image_slice_pitch);
    return PI_SUCCESS;
  }
  const image_extent extent = {shape->width * image->pixel.size, shape->height, shape->depth};
  size_t row = desc->image_row_pitch;
  size_t slice = shape->has_depth || shape->is_layered ? desc->image_slice_pitch : 0;
  size_t size;
  PI_TRY(image_pitches(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, &extent, &row, &slice, &size));
  *ret = (image_transfer){.box = {0, 0, 0, shape->width, shape->height, shape->depth},
                          .memory = host_ptr,
                          .row_pitch = row,
                          .slice_pitch = slice};
  return PI_SUCCESS;
}

/*
 * HOST_PTR_USE copies like HOST_PTR_COPY: an image is no memory of the host, and nothing in PI maps
 * one. HOST_PTR_ALLOC changes nothing, for the same reason.
 */
pi_result piMemImageCreate(pi_context context, pi_mem_flags flags,
                           const pi_image_format *image_format, const pi_image_desc *image_desc,
                           void *host_ptr, pi_mem *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(pi_check_mem_flags(flags, host_ptr));
  level_zero_image image = {0};
  ze_image_desc_t description = {0};
  image_transfer host = {0};
  const pi_device device = context->roots[0];
  PI_TRY(image_describe(device, image_format, image_desc, (flags & PI_MEM_ACCESS_READ_ONLY) == 0,
                        &image, &description));
  PI_TRY(read_host_side(image_desc, &image, host_ptr, &host));
  ZE_TRY(ImageCreate, context->driver.context, device->driver.device, &description, &image.image);
  host.image = &image;
  pi_result result = host_ptr ? image_transfer_now(context, &host) : PI_SUCCESS;
  pi_mem mem = NULL;
  if (result == PI_SUCCESS)
    result = image_object_new(context, flags, &image, true, &mem);
  if (result != PI_SUCCESS) {
    ze.ImageDestroy(image.image);
    return result;
  }
  *ret_mem = mem;
  return PI_SUCCESS;
}

pi_result piMemImageGetInfo(pi_mem image, pi_image_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(image);
  PI_REQUIRE(image->driver.image, PI_ERROR_INVALID_MEM_OBJECT, "image is a buffer");
  PI_TRY(pi_answer_check(&answer));
  const level_zero_image *self = image->driver.image;
  return image_answer(&answer, param_name, &self->format, &self->pixel, &self->shape);
}

/*
 * Level Zero tells nothing about an image that is there, so that the description has to be right;
 * it is compared with what the device can have.
 */
pi_result piextMemImageCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                              bool own_native_handle,
                                              const pi_image_format *image_format,
                                              const pi_image_desc *image_desc, pi_mem *img) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(img);
  level_zero_image image = {0};
  ze_image_desc_t description = {0};
  PI_TRY(image_describe(context->roots[0], image_format, image_desc, false, &image, &description));
  image.image = (ze_image_handle_t)native_handle;
  pi_mem mem = NULL;
  PI_TRY(image_object_new(context, PI_MEM_FLAGS_ACCESS_RW, &image, false, &mem));
  memory_adopt_pointer(mem, own_native_handle);
  *img = mem;
  return PI_SUCCESS;
}

static pi_result check_device(pi_mem mem, pi_device device, const char *name) {
  PI_REQUIRE(mem->driver.image->device == device->root, PI_ERROR_INVALID_DEVICE,
             "%s is an image of device %u, and the command is for device %u; images of Level Zero "
             "are those of the first device of their context",
             name, mem->driver.image->device->index, device->root->index);
  return PI_SUCCESS;
}

pi_result driver_image_form(pi_mem image, pi_device device, const char *name, image_form *ret) {
  const level_zero_image *self = image->driver.image;
  PI_TRY(check_device(image, device, name));
  *ret = (image_form){&self->format, &self->pixel, &self->shape};
  return PI_SUCCESS;
}

pi_result image_for_device(pi_mem mem, pi_device device, ze_image_handle_t *ret) {
  PI_TRY(image_check_kind(mem, "the argument"));
  PI_TRY(check_device(mem, device, "the argument"));
  *ret = mem->driver.image->image;
  return PI_SUCCESS;
}
