/* Bindless images of the fake Level Zero driver: their descriptors and their handles. */
#include "bindless.h"

#include <sys/stat.h>

enum { BINDLESS = 1, SAMPLED = 2, PITCH = 256 };

typedef struct bindless_desc {
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
} bindless_desc;

typedef struct pitched_desc {
  ze_structure_type_t stype;
  const void *next;
  void *pointer;
} pitched_desc;

static const void *find_extension(const void *chain, unsigned stype) {
  return fake_next(chain, (ze_structure_type_t)stype);
}

size_t fake_bindless_pitch(size_t width, size_t pixel_size) {
  return (width * pixel_size + PITCH - 1) / PITCH * PITCH;
}

/* Checks an image in plain memory, with one row, or with rows of fake_bindless_pitch. */
static ze_result_t check_plain(fake_context *context, const fake_device *device,
                               const ze_image_desc_t *desc, const uint32_t extents[3],
                               size_t pixel_size, const char *function, fake_bindless *bindless) {
  FAKE_REQUIRE(desc->type == ZE_IMAGE_TYPE_1D || desc->type == ZE_IMAGE_TYPE_2D, INVALID_ARGUMENT,
               "%s: an image of type %d in plain memory", function, (int)desc->type);
  const size_t row = extents[0] * pixel_size;
  const size_t size = fake_bindless_pitch(extents[0], pixel_size) * (extents[1] - 1) + row;
  FAKE_TRY(
      fake_memory_check(context, device, bindless->pointer, size, function, &bindless->allocation));
  FAKE_REQUIRE(bindless->allocation && bindless->allocation->type != ZE_MEMORY_TYPE_HOST,
               INVALID_ARGUMENT, "%s: %p is no device memory", function, bindless->pointer);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_import(const ze_external_memory_import_fd_t *import,
                                const uint32_t extents[3], size_t pixel_size, const char *function,
                                fake_bindless *bindless) {
  FAKE_REQUIRE(import->flags == ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, UNSUPPORTED_ENUMERATION,
               "%s: no import of 0x%x", function, import->flags);
  struct stat status;
  if (fstat(import->fd, &status) != 0 || !S_ISREG(status.st_mode))
    return fake_deny(ZE_RESULT_ERROR_INVALID_ARGUMENT, "%s: %d is no descriptor of memory",
                     function, import->fd);
  const uint64_t size = (uint64_t)extents[0] * extents[1] * extents[2] * pixel_size;
  if ((uint64_t)status.st_size < size)
    return fake_deny(ZE_RESULT_ERROR_INVALID_SIZE, "%s: an image of %llu bytes in memory of %lld",
                     function, (unsigned long long)size, (long long)status.st_size);
  bindless->file = import->fd;
  return ZE_RESULT_SUCCESS;
}

ze_result_t fake_bindless_read(fake_context *context, const fake_device *device,
                               const ze_image_desc_t *desc, const uint32_t extents[3],
                               size_t pixel_size, const char *function, fake_bindless *ret) {
  const bindless_desc *bindless = find_extension(desc->pNext, FAKE_STYPE_BINDLESS_IMAGE);
  const pitched_desc *pitched = find_extension(desc->pNext, FAKE_STYPE_PITCHED_IMAGE);
  const void *sampler = find_extension(desc->pNext, ZE_STRUCTURE_TYPE_SAMPLER_DESC);
  const ze_external_memory_import_fd_t *import =
      find_extension(desc->pNext, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  *ret = (fake_bindless){.file = -1};
  FAKE_REQUIRE(bindless || (!pitched && !import && !sampler), INVALID_ARGUMENT,
               "%s: a chain without what makes the image bindless", function);
  if (!bindless)
    return ZE_RESULT_SUCCESS;
  FAKE_REQUIRE(!fake_is_left_out(FAKE_BINDLESS_NAME), INVALID_ARGUMENT, "%s: %s is left out",
               function, FAKE_BINDLESS_NAME);
  FAKE_REQUIRE((bindless->flags & BINDLESS) != 0 && bindless->flags <= (BINDLESS | SAMPLED),
               INVALID_ENUMERATION, "%s: bindless flags 0x%x", function, bindless->flags);
  ret->is_bindless = true;
  ret->is_sampled = (bindless->flags & SAMPLED) != 0;
  FAKE_REQUIRE(ret->is_sampled == (sampler != NULL), INVALID_ARGUMENT,
               "%s: a sampled image has a sampler, and another one has none", function);
  FAKE_REQUIRE(!pitched || pitched->pointer, INVALID_NULL_POINTER, "%s: plain memory is NULL",
               function);
  if (import)
    return check_import(import, extents, pixel_size, function, ret);
  if (!pitched)
    return ZE_RESULT_SUCCESS;
  ret->pointer = pitched->pointer;
  return check_plain(context, device, desc, extents, pixel_size, function, ret);
}

ze_result_t zeImageGetDeviceOffsetExp(ze_image_handle_t handle, uint64_t *ret) {
  FAKE_ENTER(zeImageGetDeviceOffsetExp);
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeImageGetDeviceOffsetExp: pDeviceOffset is NULL");
  FAKE_REQUIRE(image->bindless, INVALID_ARGUMENT,
               "zeImageGetDeviceOffsetExp: the image is not bindless");
  /* An offset, as in a table of images. */
  *ret = 64 * image->id;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetPitchFor2dImage(ze_context_handle_t context_handle,
                                    ze_device_handle_t device_handle, size_t width, size_t height,
                                    unsigned pixel_size, size_t *ret) {
  FAKE_ENTER(zeMemGetPitchFor2dImage);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeMemGetPitchFor2dImage: rowPitch is NULL");
  FAKE_REQUIRE(fake_context_has(context, device), INVALID_ARGUMENT,
               "zeMemGetPitchFor2dImage: the device is none of the context's");
  if (width == 0 || height == 0 || pixel_size == 0 || width > FAKE_IMAGE_DIMS ||
      height > FAKE_IMAGE_DIMS)
    return fake_deny(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                     "zeMemGetPitchFor2dImage: %zu * %zu pixels of %u bytes", width, height,
                     pixel_size);
  *ret = fake_bindless_pitch(width, pixel_size);
  return ZE_RESULT_SUCCESS;
}
