#include "select_image.h"

#include "../base/error.h"
#include "ptx_image.h"

#include <stdio.h>
#include <string.h>

/*
 * Targets of images that may be for CUDA. The bytes of an image then decide, and its format is
 * ignored. PTX has the target nvptx64, or spir64 for runtimes that set constants only on spir64.
 */
const char *const ptx_image_targets[] = {PI_DEVICE_BINARY_TARGET_NVPTX64,
                                         PI_DEVICE_BINARY_TARGET_SPIRV64,
                                         PI_DEVICE_BINARY_TARGET_UNKNOWN, NULL};

static bool is_target(const char *target) {
  for (const char *const *one = ptx_image_targets; target && *one; one++)
    if (strcmp(*one, target) == 0)
      return true;
  return false;
}

static code_head read_image(const pi_device_binary_struct *image) {
  if (!image->BinaryStart || image->BinaryEnd <= image->BinaryStart)
    return code_head_read(NULL, 0);
  return code_head_read(image->BinaryStart, (size_t)(image->BinaryEnd - image->BinaryStart));
}

/*
 * Returns whether the runtime would not set the constants of this PTX. Such an image must not be
 * selected, because it would run with the defaults instead of the application's values.
 */
static bool keeps_defaults(const pi_device_binary_struct *image, const code_head *head,
                           const ptx_target *target) {
  return target->sets_spir64_only && head->kind == CODE_IS_PTX &&
         strcmp(image->DeviceTargetSpec, PI_DEVICE_BINARY_TARGET_SPIRV64) != 0 &&
         ptx_image_is_patched(image->BinaryStart, (size_t)(image->BinaryEnd - image->BinaryStart));
}

static int rank_image(const pi_device_binary_struct *image, const code_head *head,
                      const ptx_target *target) {
  return is_target(image->DeviceTargetSpec) && !keeps_defaults(image, head, target)
             ? code_head_rank(head, target)
             : 0;
}

static void describe_image(const pi_device_binary_struct *image, const ptx_target *target,
                           char *text, size_t size) {
  const code_head code = read_image(image);
  if (!is_target(image->DeviceTargetSpec)) {
    snprintf(text, size, "for %.32s",
             image->DeviceTargetSpec ? image->DeviceTargetSpec : "no target");
    return;
  }
  code_head_describe(&code, text, size);
  const size_t used = strlen(text);
  if (keeps_defaults(image, &code, target))
    snprintf(text + used, size - used,
             " without specpi-cc's --sycl-native, so that its constants would not be set");
}

/* Describes the images in a list. If the list exceeds size, the last images are left out. */
static void describe_images(const pi_device_binary *binaries, pi_uint32 count,
                            const ptx_target *target, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (pi_uint32 i = 0; i < count; i++) {
    char one[128];
    describe_image(binaries[i], target, one, sizeof one);
    const int written =
        snprintf(text + used, size - used, "%simage %u is %s", i ? ", " : "", i, one);
    if (written < 0 || (size_t)written >= size - used) {
      text[used] = '\0';
      return;
    }
    used += (size_t)written;
  }
}

pi_result select_ptx_image(pi_device_binary *binaries, pi_uint32 num_binaries,
                           const ptx_target *target, pi_uint32 *selected_binary_ind) {
  pi_uint32 found = UINT32_MAX;
  int best = 0;
  bool has_spirv = false;
  for (pi_uint32 i = 0; i < num_binaries; i++) {
    const code_head head = read_image(binaries[i]);
    const int rank = rank_image(binaries[i], &head, target);
    has_spirv |= is_target(binaries[i]->DeviceTargetSpec) && head.kind == CODE_IS_SPIRV;
    if (rank <= best)
      continue;
    best = rank;
    found = i;
  }
  *selected_binary_ind = found;
  if (found != UINT32_MAX)
    return PI_SUCCESS;
  char images[400];
  describe_images(binaries, num_binaries, target, images, sizeof images);
  const char *reason = has_spirv && target->no_spirv ? target->no_spirv : "";
  return plugin_error(
      PI_ERROR_INVALID_BINARY,
      "no image (of %u) is a cubin or PTX that runs on sm_%d with PTX up to %d.%d%s: %s%s%s",
      num_binaries, target->capability, target->ptx_version / 10, target->ptx_version % 10,
      target->no_spirv ? "" : ", or SPIR-V", images, *reason ? "; SPIR-V " : "", reason);
}
