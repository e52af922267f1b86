#include "checks.h"
#include "device.h"

#include "../code/select_image.h"

/* GPUs have a target of their own for what was compiled ahead of time. */
pi_result piextDeviceSelectBinary(pi_device device, pi_device_binary *binaries,
                                  pi_uint32 num_binaries, pi_uint32 *selected_binary_ind) {
  REQUIRE_DEVICE(device);
  PI_TRY(pi_check_select_image(binaries, num_binaries, selected_binary_ind));
  const bool is_gpu = device->type == PI_DEVICE_TYPE_GPU;
  return pi_select_image(binaries, num_binaries,
                         is_gpu ? PI_DEVICE_BINARY_TARGET_SPIRV64_GEN : NULL,
                         PI_DEVICE_BINARY_TARGET_SPIRV64, selected_binary_ind);
}
