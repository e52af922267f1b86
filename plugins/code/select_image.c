#include "select_image.h"

#include "../base/error.h"
#include "spirv.h"

#include <string.h>

pi_result check_select_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                             const pi_uint32 *selected_binary_ind) {
  REQUIRE(binaries, PI_ERROR_INVALID_VALUE, "binaries is NULL");
  REQUIRE(num_binaries != 0, PI_ERROR_INVALID_VALUE, "num_binaries is 0");
  REQUIRE(selected_binary_ind, PI_ERROR_INVALID_VALUE, "selected_binary_ind is NULL");
  for (pi_uint32 i = 0; i < num_binaries; i++)
    REQUIRE(binaries[i], PI_ERROR_INVALID_VALUE, "binaries[%u] is NULL", i);
  return PI_SUCCESS;
}

/*
 * Returns false for an image whose format says SPIR-V but whose bytes are something else. specpi-cc
 * labels PTX as SPIR-V for runtimes that set constants only on SPIR-V.
 */
static bool is_what_it_says(const pi_device_binary_struct *image) {
  uint32_t first;
  if (image->Format != PI_DEVICE_BINARY_TYPE_SPIRV || !image->BinaryStart ||
      image->BinaryEnd < image->BinaryStart ||
      (size_t)(image->BinaryEnd - image->BinaryStart) < sizeof first)
    return true;
  memcpy(&first, image->BinaryStart, sizeof first);
  return first == SPIRV_MAGIC || __builtin_bswap32(first) == SPIRV_MAGIC;
}

pi_result select_image(pi_device_binary *binaries, pi_uint32 num_binaries, const char *own,
                       const char *portable, pi_uint32 *selected_binary_ind) {
  const bool has_own = own && *own;
  pi_uint32 found = UINT32_MAX;
  for (pi_uint32 i = 0; i < num_binaries; i++) {
    const char *target = binaries[i]->DeviceTargetSpec;
    if (!target)
      continue;
    if (has_own && strcmp(target, own) == 0) {
      found = i;
      break;
    }
    if (strcmp(target, portable) == 0 && is_what_it_says(binaries[i]))
      found = i;
  }
  *selected_binary_ind = found;
  REQUIRE(found != UINT32_MAX, PI_ERROR_INVALID_BINARY,
          "no image (of %u) has the target \"%s\"%s%s%s", num_binaries, portable,
          has_own ? " or \"" : "", has_own ? own : "", has_own ? "\"" : "");
  return PI_SUCCESS;
}
