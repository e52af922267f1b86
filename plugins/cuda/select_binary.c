/* The choice of a device image, by what its bytes are (code.h). */
#include "checks.h"
#include "code.h"
#include "device.h"

#include <stdio.h>
#include <string.h>

/* The index of none. Runtimes look at it, and not only at the result. */
#define NO_IMAGE UINT32_MAX

/*
 * Targets whose images may be for CUDA; what they are their bytes say. PTX goes by nvptx64, and by
 * spir64 to runtimes which set constants on nothing else. The format is not looked at.
 */
static bool is_target(const char *target) {
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_NVPTX64,
                                        PI_DEVICE_BINARY_TARGET_SPIRV64,
                                        PI_DEVICE_BINARY_TARGET_UNKNOWN};
  for (size_t i = 0; target && i < sizeof targets / sizeof targets[0]; i++)
    if (strcmp(targets[i], target) == 0)
      return true;
  return false;
}

static cuda_code read_image(const pi_device_binary_struct *image) {
  if (!image->BinaryStart || image->BinaryEnd <= image->BinaryStart)
    return cuda_code_read(NULL, 0);
  return cuda_code_read(image->BinaryStart, (size_t)(image->BinaryEnd - image->BinaryStart));
}

static void describe(const pi_device_binary_struct *image, char *text, size_t size) {
  const cuda_code code = read_image(image);
  if (is_target(image->DeviceTargetSpec))
    cuda_code_describe(&code, text, size);
  else
    snprintf(text, size, "for %.32s",
             image->DeviceTargetSpec ? image->DeviceTargetSpec : "no target");
}

/* What each image is, as far as the text has room. */
static void describe_all(const pi_device_binary *binaries, pi_uint32 count, char *text,
                         size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (pi_uint32 i = 0; i < count; i++) {
    char one[64];
    describe(binaries[i], one, sizeof one);
    const int written = snprintf(text + used, size - used, "%s%u is %s", i ? ", " : "", i, one);
    if (written < 0 || (size_t)written >= size - used) {
      /* Cut at a whole image. */
      text[used] = '\0';
      return;
    }
    used += (size_t)written;
  }
}

pi_result piextDeviceSelectBinary(pi_device device, pi_device_binary *binaries,
                                  pi_uint32 num_binaries, pi_uint32 *selected_binary_ind) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(binaries);
  PI_REQUIRE(num_binaries != 0, PI_ERROR_INVALID_VALUE, "num_binaries is 0");
  REQUIRE_POINTER(selected_binary_ind);
  for (pi_uint32 i = 0; i < num_binaries; i++)
    PI_REQUIRE(binaries[i], PI_ERROR_INVALID_VALUE, "binaries[%u] is NULL", i);

  const cuda_target target = {device->driver.major * 10 + device->driver.minor, cuda_ptx_version()};
  pi_uint32 found = NO_IMAGE;
  int best = 0;
  for (pi_uint32 i = 0; i < num_binaries; i++) {
    if (!is_target(binaries[i]->DeviceTargetSpec))
      continue;
    const cuda_code code = read_image(binaries[i]);
    const int rank = cuda_code_rank(&code, &target);
    if (rank <= best)
      continue;
    best = rank;
    found = i;
  }
  *selected_binary_ind = found;
  if (found != NO_IMAGE)
    return PI_SUCCESS;
  char images[512];
  describe_all(binaries, num_binaries, images, sizeof images);
  return pi_error(PI_ERROR_INVALID_BINARY,
                  "none of %u images is a cubin or PTX that runs on sm_%d with PTX up to %d.%d: %s",
                  num_binaries, target.capability, target.ptx_version / 10, target.ptx_version % 10,
                  images);
}
