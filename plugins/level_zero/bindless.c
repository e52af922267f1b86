/* Handles of bindless images: views of image memory, or images in memory of USM. */
#include "bindless.h"

#include "checks.h"
#include "newer.h"
#include "usm.h"

#include "../objects/usm_arguments.h"

#include <stdlib.h>

/* What a handle stands for. The driver's number is unique only among those of a device. */
typedef struct image_view {
  registry_entry entry;
  deferred deferred;
  ze_image_handle_t image;
} image_view;

/* What a handle is made of: image memory, or plain memory of the device. */
typedef struct image_source {
  level_zero_image image;
  ze_image_desc_t description;
  ze_image_handle_t memory; /* NULL: plain memory */
  void *pointer;            /* of plain memory */
} image_source;

static uint64_t number_of(pi_device device, pi_image_handle handle) {
  return (uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)device->root;
}

/* The memory knows its sizes; what the caller says of it has to agree in kind. */
static pi_result check_same(const level_zero_image *said, const level_zero_image *memory,
                            pi_device device) {
  PI_REQUIRE(
      said->pixel.size == memory->pixel.size && said->pixel.channels == memory->pixel.channels,
      PI_ERROR_IMAGE_FORMAT_MISMATCH, "image_format has %u channels in %u bytes, img_mem %u in %u",
      said->pixel.channels, said->pixel.size, memory->pixel.channels, memory->pixel.size);
  PI_REQUIRE(said->shape.type == memory->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "image_type is 0x%x, and img_mem was made with 0x%x", (unsigned)said->shape.type,
             (unsigned)memory->shape.type);
  PI_REQUIRE(memory->device == device->root, PI_ERROR_INVALID_DEVICE,
             "img_mem is memory of device %u, not of device %u", memory->device->index,
             device->root->index);
  return PI_SUCCESS;
}

/* Plain memory: one row, or rows with the pitch that the driver's images have. */
static pi_result read_plain(pi_context context, pi_device device, const pi_image_desc *desc,
                            image_source *source) {
  const image_shape *shape = &source->image.shape;
  const unsigned pixel_size = source->image.pixel.size;
  if (shape->type != PI_MEM_TYPE_IMAGE1D && shape->type != PI_MEM_TYPE_IMAGE2D)
    return LEVEL_ZERO_UNSUPPORTED(
        "img_mem is plain memory, of which Level Zero makes 1D and 2D images only");
  size_t pitch = 0, size;
  PI_TRY(ze_result(context->platform->driver.extensions.MemGetPitchFor2dImage(
                       newer_handle(NEWER_HANDLE_CONTEXT, context->driver.context),
                       newer_handle(NEWER_HANDLE_DEVICE, device->driver.device), shape->width,
                       shape->height, pixel_size, &pitch),
                   "zeMemGetPitchFor2dImage"));
  const bool has_pitch = shape->has_height && desc->image_row_pitch != 0;
  if (has_pitch && desc->image_row_pitch != pitch)
    return LEVEL_ZERO_UNSUPPORTED("image_row_pitch is %zu, and the driver's images of this size "
                                  "have %zu, as piextUSMPitchedAlloc says",
                                  desc->image_row_pitch, pitch);
  const size_t row = shape->width * pixel_size;
  PI_TRY(pi_rows_size("image_row_pitch", source->pointer, shape->has_height ? pitch : row, row,
                      shape->height, &size));
  usm_range range;
  PI_TRY(usm_check(context, "img_mem", source->pointer, size, &range));
  PI_REQUIRE(range.type == PI_MEM_TYPE_DEVICE || range.type == PI_MEM_TYPE_SHARED,
             PI_ERROR_INVALID_VALUE, "img_mem is neither image memory nor memory of a device");
  return PI_SUCCESS;
}

/* Reads what the create functions have in common. */
static pi_result read_source(pi_context context, pi_device device, pi_image_mem_handle img_mem,
                             const pi_image_format *format, const pi_image_desc *desc,
                             bool is_writable, image_source *ret) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(img_mem);
  PI_TRY(bindless_require(device));
  *ret = (image_source){.pointer = img_mem};
  PI_TRY(image_describe(device, format, desc, is_writable, &ret->image, &ret->description));
  image_memory memory;
  if (!image_memory_find(img_mem, context, &memory))
    return read_plain(context, device, desc, ret);
  PI_TRY(check_same(&ret->image, &memory.image, device));
  const image_shape *shape = &memory.image.shape;
  ret->memory = memory.image.image;
  ret->image.shape = *shape;
  ret->description.width = shape->width;
  ret->description.height = shape->has_height ? (uint32_t)shape->height : 0;
  ret->description.depth = shape->has_depth ? (uint32_t)shape->depth : 0;
  ret->description.arraylevels = shape->is_layered ? (uint32_t)shape->depth : 0;
  return PI_SUCCESS;
}

/* The driver's image, whose chain of descriptions is complete. */
static pi_result create_image(pi_context context, pi_device device, const image_source *source,
                              const ze_image_desc_t *description, ze_image_handle_t *ret) {
  ze_image_handle_t image = NULL;
  if (source->memory)
    ZE_TRY(ImageViewCreateExp, context->driver.context, device->driver.device, description,
           source->memory, &image);
  else
    ZE_TRY(ImageCreate, context->driver.context, device->driver.device, description, &image);
  /* Kernels find it by its number, so that nothing else tells the driver that they use it. */
  const pi_result result =
      ze_result(ze.ContextMakeImageResident(context->driver.context, device->driver.device,
                                            source->memory ? source->memory : image),
                "zeContextMakeImageResident");
  if (result != PI_SUCCESS) {
    ze.ImageDestroy(image);
    return result;
  }
  *ret = image;
  return PI_SUCCESS;
}

/* sampler is NULL for an image without. */
static pi_result make_view(pi_context context, pi_device device, const image_source *source,
                           const ze_sampler_desc_t *sampler, ze_image_handle_t *ret) {
  const newer_pitched_desc pitched = {.stype = NEWER_STYPE_PITCHED_IMAGE_DESC,
                                      .pointer = source->pointer};
  const void *chain = source->memory ? NULL : &pitched;
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
  ze_image_desc_t description = source->description;
  description.pNext = &bindless;
  return create_image(context, device, source, &description, ret);
}

/* The outputs of a create function, for an image that was just made. */
static pi_result give_out(pi_context context, pi_device device, const image_source *source,
                          registry_kind kind, ze_image_handle_t image, pi_mem *ret_mem,
                          pi_image_handle *ret_handle) {
  uint64_t handle = 0;
  PI_TRY(ze_result(context->platform->driver.extensions.ImageGetDeviceOffset(
                       newer_handle(NEWER_HANDLE_IMAGE, image), &handle),
                   "zeImageGetDeviceOffsetExp"));
  registry_entry *entry;
  PI_TRY(registry_new(kind, number_of(device, handle), context, sizeof(image_view), &entry));
  ((image_view *)(void *)entry)->image = image;
  pi_mem mem = NULL;
  pi_result result = image_object_new(context, PI_MEM_FLAGS_ACCESS_RW, &source->image, false, &mem);
  if (result == PI_SUCCESS && !registry_add(entry)) {
    memory_release(mem);
    result = pi_error(PI_ERROR_OUT_OF_RESOURCES, "the driver gave out handle 0x%llx twice",
                      (unsigned long long)handle);
  }
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  *ret_mem = mem;
  *ret_handle = handle;
  return PI_SUCCESS;
}

static pi_result create_view(pi_context context, pi_device device, const image_source *source,
                             const ze_sampler_desc_t *sampler, pi_mem *ret_mem,
                             pi_image_handle *ret_handle) {
  REQUIRE_POINTER(ret_mem);
  REQUIRE_POINTER(ret_handle);
  ze_image_handle_t image = NULL;
  PI_TRY(make_view(context, device, source, sampler, &image));
  const pi_result result =
      give_out(context, device, source, sampler ? REGISTRY_SAMPLED : REGISTRY_UNSAMPLED, image,
               ret_mem, ret_handle);
  if (result != PI_SUCCESS)
    ze.ImageDestroy(image);
  return result;
}

pi_result piextMemUnsampledImageCreate(pi_context context, pi_device device,
                                       pi_image_mem_handle img_mem, pi_image_format *image_format,
                                       pi_image_desc *image_desc, pi_mem *ret_mem,
                                       pi_image_handle *ret_handle) {
  image_source source;
  PI_TRY(read_source(context, device, img_mem, image_format, image_desc, true, &source));
  return create_view(context, device, &source, NULL, ret_mem, ret_handle);
}

pi_result piextMemSampledImageCreate(pi_context context, pi_device device,
                                     pi_image_mem_handle img_mem, pi_image_format *image_format,
                                     pi_image_desc *image_desc, pi_sampler sampler, pi_mem *ret_mem,
                                     pi_image_handle *ret_handle) {
  image_source source;
  PI_TRY(read_source(context, device, img_mem, image_format, image_desc, false, &source));
  REQUIRE_SAMPLER(sampler);
  ze_sampler_desc_t description;
  PI_TRY(sampler_describe(&sampler->state, &description));
  PI_REQUIRE(!sampler->state.is_linear || image_kind_is_filtered(source.image.pixel.kind),
             PI_ERROR_INVALID_VALUE,
             "the sampler has a linear filter, and integers that are not normalised have none");
  return create_view(context, device, &source, &description, ret_mem, ret_handle);
}

/* No command that was enqueued before uses it any more. */
static void destroy_view(deferred *node) {
  image_view *view = DEFERRED_OWNER(node, image_view, deferred);
  ze.ImageDestroy(view->image);
  registry_free(&view->entry);
}

static pi_result destroy_handle(pi_context context, pi_device device, registry_kind kind,
                                pi_image_handle handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(bindless_require(device));
  registry_entry *entry = registry_take(kind, number_of(device, handle), context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "handle 0x%llx is no %s image of the context",
             (unsigned long long)handle, kind == REGISTRY_UNSAMPLED ? "unsampled" : "sampled");
  deferred_free(context, &((image_view *)(void *)entry)->deferred, destroy_view);
  return PI_SUCCESS;
}

pi_result piextMemUnsampledImageHandleDestroy(pi_context context, pi_device device,
                                              pi_image_handle handle) {
  return destroy_handle(context, device, REGISTRY_UNSAMPLED, handle);
}

pi_result piextMemSampledImageHandleDestroy(pi_context context, pi_device device,
                                            pi_image_handle handle) {
  return destroy_handle(context, device, REGISTRY_SAMPLED, handle);
}
