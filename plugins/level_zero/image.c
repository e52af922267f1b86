/* Images: descriptions, creation, native handles. */
#include "image.h"

#include "image_format.h"
#include "image_transfer.h"
#include "memory.h"

static ze_image_type_t type_of(const image_shape *shape) {
  if (shape->is_layered)
    return shape->has_height ? ZE_IMAGE_TYPE_2DARRAY : ZE_IMAGE_TYPE_1DARRAY;
  return shape->has_depth    ? ZE_IMAGE_TYPE_3D
         : shape->has_height ? ZE_IMAGE_TYPE_2D
                             : ZE_IMAGE_TYPE_1D;
}

/* Checks an image's size. The limits of a device without images are 0. */
static pi_result check_limits(pi_device device, const image_shape *shape) {
  ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  ZE_TRY(DeviceGetImageProperties, device->driver.device, &limits);
  REQUIRE(limits.maxImageDims2D != 0, PI_ERROR_INVALID_OPERATION, "the device has no images");
  const size_t size = shape->has_depth    ? limits.maxImageDims3D
                      : shape->has_height ? limits.maxImageDims2D
                                          : limits.maxImageDims1D;
  return image_shape_limit(shape, size, size,
                           shape->is_layered ? limits.maxImageArraySlices : size);
}

pi_result image_form_read(pi_device device, const pi_image_format *format,
                          const pi_image_desc *desc, bool is_writable, image_form *ret) {
  image_form form;
  TRY(image_pixel_read(format, is_writable, &form.pixel));
  TRY(image_shape_of(desc, "Level Zero", &form.pixel, &form.shape));
  if (form.shape.type == PI_MEM_TYPE_IMAGE_CUBEMAP)
    return LEVEL_ZERO_UNSUPPORTED("image_type is PI_MEM_TYPE_IMAGE_CUBEMAP, Level Zero has none");
  if (desc->num_mip_levels > 1)
    return LEVEL_ZERO_UNSUPPORTED("num_mip_levels is %u, and images of Level Zero have one level",
                                  desc->num_mip_levels);
  TRY(check_limits(device, &form.shape));
  form.format = *format;
  *ret = form;
  return PI_SUCCESS;
}

ze_image_desc_t image_description(const image_form *form, bool is_writable) {
  const image_shape *shape = &form->shape;
  return (ze_image_desc_t){
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = is_writable ? (ze_image_flags_t)ZE_IMAGE_FLAG_KERNEL_WRITE : 0,
      .type = type_of(shape),
      .format = image_format_of(form),
      .width = shape->width,
      .height = shape->has_height ? (uint32_t)shape->height : 0,
      .depth = shape->has_depth ? (uint32_t)shape->depth : 0,
      .arraylevels = shape->is_layered ? (uint32_t)shape->depth : 0,
  };
}

/* Ignores a failure, because nobody is left to report it to. */
void image_destroy(pi_mem mem) {
  if (mem->is_owned)
    ze.ImageDestroy(mem->pointer);
}

pi_result driver_image_form(pi_context context, const pi_image_format *format,
                            const pi_image_desc *desc, bool is_writable, image_form *ret) {
  return image_form_read(context->roots[0], format, desc, is_writable, ret);
}

pi_result driver_image_create(pi_mem image, const image_pitched *memory) {
  const pi_context context = image->context;
  const image_shape *shape = &image->form.shape;
  const ze_image_desc_t description =
      image_description(&image->form, (image->flags & PI_MEM_ACCESS_READ_ONLY) == 0);
  image_part whole = {.form = &image->form,
                      .box = {0, 0, 0, shape->width, shape->height, shape->depth}};
  ze_image_handle_t made = NULL;
  ZE_TRY(ImageCreate, context->driver.context, context->roots[0]->driver.device, &description,
         &made);
  whole.image = made;
  const pi_result result = memory ? image_transfer_now(context, &whole, memory) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    image->pointer = made;
  else
    ze.ImageDestroy(made);
  return result;
}

/*
 * Checks the description against the device's limits only. Level Zero reports nothing about a
 * native image, so the caller must describe it correctly.
 */
pi_result driver_image_describe(pi_context context, pi_native_handle native,
                                const pi_image_format *format, const pi_image_desc *desc,
                                image_form *ret) {
  (void)native;
  return image_form_read(context->roots[0], format, desc, false, ret);
}

pi_result driver_image_adopt(pi_mem image, pi_native_handle native) {
  image->pointer = (void *)native;
  return PI_SUCCESS;
}
