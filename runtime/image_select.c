/* Selects the image for a device. The plugin decides. */
#include "driver_error.h"
#include "error.h"
#include "image.h"

#include <stdlib.h>

const char *image_refusal(specpi_device device) {
  const char *words = driver_words(specpiDeviceGetFunctions(device), PI_ERROR_INVALID_BINARY);
  return *words ? words : "its plugin takes no such target";
}

static specpi_result ask_plugin(specpi_device device, pi_device_binary *binaries, size_t count,
                                size_t *index) {
  pi_uint32 found = UINT32_MAX;
  const pi_result result = specpiDeviceGetFunctions(device)->piextDeviceSelectBinary(
      specpiDeviceGetHandle(device), binaries, (pi_uint32)count, &found);
  if (result != PI_SUCCESS && result != PI_ERROR_INVALID_BINARY)
    return driver_error(specpiDeviceGetFunctions(device), result, "piextDeviceSelectBinary");
  if (result == PI_ERROR_INVALID_BINARY || found >= count)
    ERROR_FAIL(SPECPI_ERROR_NO_IMAGE, "no image (of %zu) is for %s (%s): %s", count,
               specpiDeviceGetSelector(device), specpiDeviceGetName(device), image_refusal(device));
  *index = found;
  return SPECPI_SUCCESS;
}

specpi_result specpiImageSelect(specpi_device device, size_t count, const specpi_image *images,
                                size_t *index) {
  enum { FEW = 16 };
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(images, "images is NULL");
  ERROR_REQUIRE(count >= 1 && count <= UINT32_MAX, "count is %zu, not 1 to %u", count, UINT32_MAX);
  ERROR_REQUIRE(index, "index is NULL");
  for (size_t i = 0; i < count; i++)
    ERROR_REQUIRE(images[i], "images[%zu] is NULL", i);
  pi_device_binary few[FEW];
  pi_device_binary *binaries = count > FEW ? calloc(count, sizeof(pi_device_binary)) : few;
  if (!binaries)
    return error_memory();
  /* PI's type is not const, but plugins only read. */
  for (size_t i = 0; i < count; i++)
    binaries[i] = (pi_device_binary)images[i]->binary;
  const specpi_result result = ask_plugin(device, binaries, count, index);
  if (binaries != few)
    free(binaries);
  return result;
}
