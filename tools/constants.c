#include "constants.h"

#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a device takes an image of these bytes. */
static bool takes_bytes(specpi_device device, const char *target, const void *bytes, size_t size) {
  const pi_device_binary_struct binary = {.Version = 2,
                                          .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                          .DeviceTargetSpec = target,
                                          .BinaryStart = bytes,
                                          .BinaryEnd = (const unsigned char *)bytes + size};
  specpi_image image;
  size_t index;
  if (specpiImageCreate(&binary, &image) != SPECPI_SUCCESS)
    return false;
  const bool takes = specpiImageSelect(device, 1, &image, &index) == SPECPI_SUCCESS;
  specpiImageRelease(image);
  return takes;
}

/* Returns whether a blank-separated text contains a word. */
static bool has_word(const char *text, const char *word) {
  const size_t size = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += size)
    if ((at == text || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
      return true;
  return false;
}

/*
 * Returns whether a device compiles SPIR-V. An OpenCL device may select a SPIR-V image by its
 * target and still not compile it: only OpenCL 2.1, 2.2 and devices with cl_khr_il_program do.
 */
static bool has_programs_of_spirv(specpi_device device) {
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_device handle = specpiDeviceGetHandle(device);
  size_t size = 0;
  pi_bool compiles = PI_FALSE;
  if (pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_COMPILER_AVAILABLE, sizeof compiles, &compiles,
                          NULL) != PI_SUCCESS ||
      !compiles)
    return false;
  if (specpiDeviceGetBackend(device) != SPECPI_BACKEND_OPENCL)
    return true;
  const char *version = specpiPlatformGetVersion(specpiDeviceGetPlatform(device));
  if (has_word(version, "2.1") || has_word(version, "2.2"))
    return true;
  if (pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_EXTENSIONS, 0, NULL, &size) != PI_SUCCESS)
    return false;
  char *text = calloc(size + 1, 1);
  if (!text)
    tool_no_memory();
  const bool has =
      pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_EXTENSIONS, size, text, NULL) == PI_SUCCESS &&
      has_word(text, "cl_khr_il_program");
  free(text);
  return has;
}

const char *constants_code(specpi_device device) {
  /* A module's header. Plugins look at its magic and version when they select an image. */
  static const unsigned char spirv[20] = {0x03, 0x02, 0x23, 0x07};
  static const char ptx[] = ".version 6.0\n.target sm_30\n";
  if ((takes_bytes(device, PI_DEVICE_BINARY_TARGET_SPIRV64, spirv, sizeof spirv) ||
       takes_bytes(device, PI_DEVICE_BINARY_TARGET_SPIRV32, spirv, sizeof spirv)) &&
      has_programs_of_spirv(device))
    return "SPIR-V";
  return takes_bytes(device, PI_DEVICE_BINARY_TARGET_NVPTX64, ptx, sizeof ptx - 1) ? "PTX" : NULL;
}
