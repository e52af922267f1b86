/*
 * Memory of another interface (Vulkan), imported by file descriptor. The driver takes it where an
 * image is made of it, and keeps no claim on the descriptor: that is the plugin's from a successful
 * import on, and closed when the import is given up. One that fails leaves it with the caller.
 */
#define _XOPEN_SOURCE 700 /* S_ISSOCK */
#include "bindless.h"
#include "checks.h"

#include <sys/stat.h>
#include <unistd.h>

/* An entry of the registry, whose number is the address of the entry. */
typedef struct external_memory {
  registry_entry entry;
  int file_descriptor;
  size_t size; /* bytes */
} external_memory;

/* Of what can be told before an image is made of it; the driver says the rest. */
static pi_result check_memory(int file_descriptor) {
  struct stat status;
  PI_REQUIRE(file_descriptor >= 0, PI_ERROR_INVALID_VALUE, "file_descriptor is %d",
             file_descriptor);
  PI_REQUIRE(fstat(file_descriptor, &status) == 0, PI_ERROR_INVALID_VALUE,
             "file_descriptor %d is not open", file_descriptor);
  PI_REQUIRE(!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode) && !S_ISDIR(status.st_mode),
             PI_ERROR_INVALID_VALUE, "file_descriptor %d is no memory", file_descriptor);
  return PI_SUCCESS;
}

bool interop_has_memory(pi_device device) {
  ze_device_external_memory_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  return bindless_is_there(device) &&
         ze.DeviceGetExternalMemoryProperties(device->driver.device, &properties) ==
             ZE_RESULT_SUCCESS &&
         (properties.imageImportTypes & ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD) != 0;
}

static pi_result require_import(pi_device device) {
  PI_TRY(bindless_require(device));
  if (!interop_has_memory(device))
    return LEVEL_ZERO_UNSUPPORTED("the device imports no images by opaque file descriptors");
  return PI_SUCCESS;
}

pi_result piextMemImportOpaqueFD(pi_context context, pi_device device, size_t size,
                                 int file_descriptor, pi_interop_mem_handle *ret_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_handle);
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  PI_TRY(check_memory(file_descriptor));
  PI_TRY(require_import(device));
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_EXTERNAL_MEMORY, 0, context, sizeof(external_memory), &entry));
  external_memory *memory = (external_memory *)(void *)entry;
  memory->file_descriptor = file_descriptor;
  memory->size = size;
  entry->number = (uintptr_t)entry;
  *ret_handle = entry->number;
  registry_add(entry); /* an address is there once */
  return PI_SUCCESS;
}

/* Images that were made of it keep the memory by themselves. */
pi_result piextMemReleaseInterop(pi_context context, pi_device device,
                                 pi_interop_mem_handle memory_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  registry_entry *entry = registry_take(REGISTRY_EXTERNAL_MEMORY, memory_handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "memory_handle is no imported memory of the context");
  close(((external_memory *)(void *)entry)->file_descriptor);
  registry_free(entry);
  return PI_SUCCESS;
}

/* Whether the layout is that of the other interface's image is for the caller to know. */
pi_result piextMemMapExternalArray(pi_context context, pi_device device,
                                   pi_image_format *image_format, pi_image_desc *image_desc,
                                   pi_interop_mem_handle mem_handle, pi_image_mem_handle *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_mem);
  PI_TRY(bindless_require(device));
  level_zero_image image;
  ze_image_desc_t description;
  PI_TRY(image_memory_describe(device, image_format, image_desc, &image, &description));
  external_memory memory;
  PI_REQUIRE(registry_read(REGISTRY_EXTERNAL_MEMORY, mem_handle, context, &memory, sizeof memory),
             PI_ERROR_INVALID_VALUE, "mem_handle is no imported memory of the context");
  PI_REQUIRE(image.shape.size <= memory.size, PI_ERROR_INVALID_IMAGE_SIZE,
             "the image has %zu bytes, and the imported memory %zu", image.shape.size, memory.size);
  const ze_external_memory_import_fd_t import = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
      .fd = memory.file_descriptor,
  };
  return image_memory_make(context, &image, &description, &import, ret_mem);
}
