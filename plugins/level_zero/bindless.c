/* Bindless images: image memory, and handles for views of image memory or of USM. */
#include "bindless.h"

#include "newer.h"
#include "usm.h"

#include "../checks/usm_arguments.h"
#include "../objects/bindless.h"
#include "../objects/interop.h"
#include "image.h"
#include "sampler.h"

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

pi_result driver_bindless_require(pi_device device, bindless_feature feature) {
  if (feature == BINDLESS_SEMAPHORES)
    return interop_require_semaphores(device);
  TRY(bindless_require(device));
  if (feature == BINDLESS_LEVELS)
    return LEVEL_ZERO_UNSUPPORTED("images of Level Zero have one level, there are no mip-maps");
  return feature == BINDLESS_IMPORTED_MEMORY ? interop_require_memory(device) : PI_SUCCESS;
}

pi_result driver_image_memory_form(pi_device device, const pi_image_format *format,
                                   const pi_image_desc *desc, bool is_written, image_form *ret) {
  return image_form_read(device, format, desc, is_written, ret);
}

pi_result driver_image_memory_create(image_memory *memory, const external *import) {
  const ze_external_memory_import_fd_t file = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
      .fd = import ? import->file_descriptor : -1,
  };
  const newer_bindless_desc bindless = {.stype = NEWER_STYPE_BINDLESS_IMAGE_DESC,
                                        .next = import ? &file : NULL,
                                        .flags = NEWER_BINDLESS};
  ze_image_desc_t description =
      image_description(&memory->form, image_pixel_is_straight(&memory->form.pixel));
  description.pNext = &bindless;
  ze_image_handle_t image = NULL;
  ZE_TRY(ImageCreate, memory->entry.context->driver.context, memory->device->driver.device,
         &description, &image);
  memory->image = image;
  return PI_SUCCESS;
}

pi_result driver_image_memory_level(const image_memory *mipmap, unsigned level, void **ret) {
  (void)level;
  (void)ret;
  return driver_bindless_require(mipmap->device, BINDLESS_LEVELS);
}

/* Runs when every command enqueued before the release has ended. */
static void free_image_memory(deferred *node) {
  image_memory *memory = OWNER_OF(node, image_memory, deferred);
  ze.ImageDestroy(memory->image);
  registry_free(&memory->entry);
}

pi_result driver_image_memory_destroy(image_memory *memory) {
  deferred_free(memory->entry.context, &memory->deferred, free_image_memory);
  return PI_SUCCESS;
}

/* ---- Views ---- */

/* Checks plain memory: a single row, or rows with the pitch that the driver requires. */
static pi_result check_plain(const image_source *source) {
  const pi_context context = source->context;
  const pi_device device = source->device;
  const image_shape *shape = &source->form.shape;
  const unsigned pixel_size = source->form.pixel.size;
  if (shape->type != PI_MEM_TYPE_IMAGE1D && shape->type != PI_MEM_TYPE_IMAGE2D)
    return LEVEL_ZERO_UNSUPPORTED(
        "img_mem is plain memory, of which Level Zero makes 1D and 2D images only");
  size_t pitch = 0, size;
  TRY(ze_result(context->platform->driver.extensions.MemGetPitchFor2dImage(
                    newer_handle(NEWER_HANDLE_CONTEXT, context->driver.context),
                    newer_handle(NEWER_HANDLE_DEVICE, device->driver.device), shape->width,
                    shape->height, pixel_size, &pitch),
                "zeMemGetPitchFor2dImage"));
  const bool has_pitch = shape->has_height && source->row_pitch != 0;
  if (has_pitch && source->row_pitch != pitch)
    return LEVEL_ZERO_UNSUPPORTED("image_row_pitch is %zu, and the driver's images of this size "
                                  "have %zu, as piextUSMPitchedAlloc says",
                                  source->row_pitch, pitch);
  const size_t row = shape->width * pixel_size;
  TRY(rows_size("image_row_pitch", source->pointer, shape->has_height ? pitch : row, row,
                shape->height, &size));
  usm_range range;
  TRY(usm_check(context, "img_mem", source->pointer, size, &range));
  REQUIRE(range.type == PI_MEM_TYPE_DEVICE || range.type == PI_MEM_TYPE_SHARED,
          PI_ERROR_INVALID_VALUE, "img_mem is neither image memory nor memory of a device");
  return PI_SUCCESS;
}

/* Creates the driver's image from a description with a complete pNext chain. */
static pi_result create_image(const image_source *source, const ze_image_desc_t *description,
                              ze_image_handle_t *ret) {
  const pi_context context = source->context;
  const pi_device device = source->device;
  const ze_image_handle_t memory = source->memory.image; /* NULL: plain memory */
  ze_image_handle_t image = NULL;
  if (memory)
    ZE_TRY(ImageViewCreateExp, context->driver.context, device->driver.device, description, memory,
           &image);
  else
    ZE_TRY(ImageCreate, context->driver.context, device->driver.device, description, &image);
  /* Kernels address the image by number, so the driver does not see which kernels use it. */
  const pi_result result = ZE_CALL(ContextMakeImageResident, context->driver.context,
                                   device->driver.device, memory ? memory : image);
  if (result != PI_SUCCESS) {
    ze.ImageDestroy(image);
    return result;
  }
  *ret = image;
  return PI_SUCCESS;
}

/* Creates a view's image. sampler is NULL for an image that is not sampled. */
static pi_result make_view(const image_source *source, const ze_sampler_desc_t *sampler,
                           ze_image_handle_t *ret) {
  const newer_pitched_desc pitched = {.stype = NEWER_STYPE_PITCHED_IMAGE_DESC,
                                      .pointer = source->pointer};
  const void *chain = source->memory.image ? NULL : &pitched;
  ze_sampler_desc_t with_next = {0};
  if (sampler) {
    with_next = *sampler;
    with_next.pNext = chain;
    chain = &with_next;
  }
  const newer_bindless_desc bindless = {
      .stype = NEWER_STYPE_BINDLESS_IMAGE_DESC,
      .next = chain,
      .flags = (uint32_t)NEWER_BINDLESS | (sampler ? (uint32_t)NEWER_SAMPLED_IMAGE : 0),
  };
  ze_image_desc_t description = image_description(&source->form, !sampler);
  description.pNext = &bindless;
  return create_image(source, &description, ret);
}

/* Reads the number by which kernels address the image. */
static pi_result read_handle(const image_source *source, image_view *view) {
  uint64_t handle = 0;
  TRY(ze_result(source->context->platform->driver.extensions.ImageGetDeviceOffset(
                    newer_handle(NEWER_HANDLE_IMAGE, view->image), &handle),
                "zeImageGetDeviceOffsetExp"));
  view->handle = handle;
  return PI_SUCCESS;
}

pi_result driver_image_view_create(const image_source *source, pi_mem mem, image_view *view) {
  (void)mem;
  const pi_sampler sampler = source->sampler;
  ze_sampler_desc_t description;
  ze_image_handle_t image = NULL;
  if (!source->memory.image)
    TRY(check_plain(source));
  if (sampler)
    TRY(sampler_describe(&sampler->state, &description));
  TRY(make_view(source, sampler ? &description : NULL, &image));
  view->image = image;
  const pi_result result = read_handle(source, view);
  if (result != PI_SUCCESS)
    ze.ImageDestroy(image);
  return result;
}

/* Runs when every command enqueued before the release has ended. */
static void free_view(deferred *node) {
  image_view *view = OWNER_OF(node, image_view, deferred);
  ze.ImageDestroy(view->image);
  registry_free(&view->entry);
}

pi_result driver_image_view_destroy(image_view *view) {
  deferred_free(view->entry.context, &view->deferred, free_view);
  return PI_SUCCESS;
}

/* Rounds the row's bytes up to whole elements, because the driver takes the width in pixels. */
pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch) {
  TRY(bindless_require(device));
  size_t pitch = 0, size;
  TRY(ze_result(context->platform->driver.extensions.MemGetPitchFor2dImage(
                    newer_handle(NEWER_HANDLE_CONTEXT, context->driver.context),
                    newer_handle(NEWER_HANDLE_DEVICE, device->driver.device),
                    width / element_size + (width % element_size != 0), height, element_size,
                    &pitch),
                "zeMemGetPitchFor2dImage"));
  REQUIRE(!__builtin_mul_overflow(pitch, height, &size), PI_ERROR_INVALID_BUFFER_SIZE,
          "%zu rows with a pitch of %zu are more than an address reaches", height, pitch);
  const usm_request request = {context, device, PI_MEM_TYPE_DEVICE, flags, size, 0};
  TRY(usm_take(&request, ret));
  *ret_pitch = pitch;
  return PI_SUCCESS;
}
