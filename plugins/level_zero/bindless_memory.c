/* Image memory of bindless images, and answers about it. */
#include "bindless.h"
#include "checks.h"
#include "newer.h"
#include "usm.h"

#include "../objects/driver.h"
#include "../objects/usm_arguments.h"

#include <stdlib.h>

bool bindless_is_there(pi_device device) {
  const level_zero_extensions *extensions = &device->platform->driver.extensions;
  return platform_has_extension(device->platform, NEWER_BINDLESS_NAME) &&
         extensions->ImageGetDeviceOffset && extensions->MemGetPitchFor2dImage &&
         ze.ImageViewCreateExp && ze.ContextMakeImageResident;
}

pi_result bindless_require(pi_device device) {
  if (!bindless_is_there(device))
    return LEVEL_ZERO_UNSUPPORTED("the driver has no " NEWER_BINDLESS_NAME
                                  ", which bindless images need");
  return PI_SUCCESS;
}

pi_result bindless_limits(pi_device device, size_t *width, size_t *height) {
  newer_pitched_properties pitched = {.stype = NEWER_STYPE_PITCHED_ALLOC_DEVICE_PROPERTIES};
  ze_device_image_properties_t images = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES,
                                         .pNext = &pitched};
  ZE_TRY(DeviceGetImageProperties, device->driver.device, &images);
  *width = pitched.max_width;
  *height = pitched.max_height;
  return PI_SUCCESS;
}

bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret) {
  return handle &&
         registry_read(REGISTRY_IMAGE_MEMORY, (uintptr_t)handle, context, ret, sizeof *ret);
}

/* No command that was enqueued before uses it any more. */
static void destroy_image_memory(deferred *node) {
  image_memory *memory = DEFERRED_OWNER(node, image_memory, deferred);
  ze.ImageDestroy(memory->image.image);
  registry_free(&memory->entry);
}

pi_result image_memory_describe(pi_device device, const pi_image_format *format,
                                const pi_image_desc *desc, level_zero_image *ret,
                                ze_image_desc_t *ret_desc) {
  PI_TRY(image_describe(device, format, desc, false, ret, ret_desc));
  if (image_pixel_is_straight(&ret->pixel))
    ret_desc->flags |= ZE_IMAGE_FLAG_KERNEL_WRITE;
  return PI_SUCCESS;
}

pi_result image_memory_make(pi_context context, const level_zero_image *image,
                            const ze_image_desc_t *description, const void *further,
                            pi_image_mem_handle *ret) {
  const newer_bindless_desc bindless = {
      .stype = NEWER_STYPE_BINDLESS_IMAGE_DESC, .next = further, .flags = NEWER_BINDLESS};
  ze_image_desc_t chained = *description;
  chained.pNext = &bindless;
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_IMAGE_MEMORY, 0, context, sizeof(image_memory), &entry));
  image_memory *memory = (image_memory *)(void *)entry;
  memory->image = *image;
  const pi_result result =
      ze_result(ze.ImageCreate(context->driver.context, image->device->driver.device, &chained,
                               &memory->image.image),
                "zeImageCreate");
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  entry->number = (uintptr_t)memory->image.image;
  *ret = (pi_image_mem_handle)(void *)memory->image.image;
  registry_add(entry); /* a handle of the driver's that is new */
  return PI_SUCCESS;
}

pi_result piextMemImageAllocate(pi_context context, pi_device device, pi_image_format *image_format,
                                pi_image_desc *image_desc, pi_image_mem_handle *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(bindless_require(device));
  level_zero_image image;
  ze_image_desc_t description;
  PI_TRY(image_memory_describe(device, image_format, image_desc, &image, &description));
  return image_memory_make(context, &image, &description, NULL, ret_mem);
}

pi_result piextMemImageFree(pi_context context, pi_device device,
                            pi_image_mem_handle memory_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(bindless_require(device));
  registry_entry *entry = registry_take(REGISTRY_IMAGE_MEMORY, (uintptr_t)memory_handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "memory_handle is no image memory of the context");
  deferred_free(context, &((image_memory *)(void *)entry)->deferred, destroy_image_memory);
  return PI_SUCCESS;
}

static pi_result refuse_levels(pi_context context, pi_device device) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  return LEVEL_ZERO_UNSUPPORTED("images of Level Zero have one level, there are no mip-maps");
}

pi_result piextMemMipmapFree(pi_context context, pi_device device,
                             pi_image_mem_handle memory_handle) {
  (void)memory_handle;
  return refuse_levels(context, device);
}

pi_result piextMemMipmapGetLevel(pi_context context, pi_device device, pi_image_mem_handle mip_mem,
                                 unsigned int level, pi_image_mem_handle *ret_mem) {
  (void)mip_mem;
  (void)level;
  (void)ret_mem;
  return refuse_levels(context, device);
}

/* The one query without a size: the buffer is as large as the answer, whatever it is. */
pi_result piextMemImageGetInfo(const pi_image_mem_handle mem_handle, pi_image_info param_name,
                               void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {SIZE_MAX, param_value, param_value_size_ret};
  image_memory memory;
  PI_REQUIRE(image_memory_find(mem_handle, NULL, &memory), PI_ERROR_INVALID_VALUE,
             "mem_handle is no image memory");
  PI_TRY(pi_answer_check(&answer));
  const level_zero_image *image = &memory.image;
  /* PI has no query for the layers of an array. */
  if (param_name == PI_IMAGE_INFO_DEPTH && image->shape.is_layered)
    return pi_answer_size(&answer, image->shape.depth);
  return image_answer(&answer, param_name, &image->format, &image->pixel, &image->shape);
}

/* The driver counts the width in pixels; a row that is no whole number of them ends in one more. */
pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch) {
  PI_TRY(bindless_require(device));
  size_t pitch = 0, size;
  PI_TRY(ze_result(context->platform->driver.extensions.MemGetPitchFor2dImage(
                       newer_handle(NEWER_HANDLE_CONTEXT, context->driver.context),
                       newer_handle(NEWER_HANDLE_DEVICE, device->driver.device),
                       width / element_size + (width % element_size != 0), height, element_size,
                       &pitch),
                   "zeMemGetPitchFor2dImage"));
  PI_REQUIRE(!__builtin_mul_overflow(pitch, height, &size), PI_ERROR_INVALID_BUFFER_SIZE,
             "%zu rows with a pitch of %zu are more than an address reaches", height, pitch);
  PI_TRY(usm_alloc_device(context, device, flags, size, 0, ret));
  *ret_pitch = pitch;
  return PI_SUCCESS;
}
