/*
 * Memory of another interface (Vulkan), imported by file descriptor. The driver imports it only
 * when an image is made from it, and does not take over the descriptor. A successful import passes
 * the descriptor to the plugin, which closes it when the import is released. After a failed import
 * it still belongs to the caller.
 */
#define _XOPEN_SOURCE 700 /* S_ISSOCK */
#include "bindless.h"

#include "../objects/driver.h"
#include "../objects/interop.h"

#include <sys/stat.h>
#include <unistd.h>

bool interop_has_memory(pi_device device) {
  ze_device_external_memory_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  return bindless_is_there(device) &&
         ze.DeviceGetExternalMemoryProperties(device->driver.device, &properties) ==
             ZE_RESULT_SUCCESS &&
         (properties.imageImportTypes & ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD) != 0;
}

pi_result interop_require_memory(pi_device device) {
  if (!interop_has_memory(device))
    return LEVEL_ZERO_UNSUPPORTED("the device imports no images by opaque file descriptors");
  return PI_SUCCESS;
}

/* Checks the descriptor's type. The driver checks the rest when an image is made. */
pi_result driver_external_memory_open(external *external) {
  struct stat status;
  REQUIRE(fstat(external->file_descriptor, &status) == 0, PI_ERROR_INVALID_VALUE,
          "file_descriptor %d is not open", external->file_descriptor);
  REQUIRE(!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode) && !S_ISDIR(status.st_mode),
          PI_ERROR_INVALID_VALUE, "file_descriptor %d is no memory", external->file_descriptor);
  return PI_SUCCESS;
}

/* Closes the import. Images that were made from it keep the memory alive. */
pi_result driver_external_memory_close(external *external) {
  close(external->file_descriptor);
  registry_free(&external->entry);
  return PI_SUCCESS;
}
