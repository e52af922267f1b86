/* Creates devices and reads their properties that never change. */
#include "device.h"
#include "../code/select_image.h"
#include "../objects/driver.h"
#include "checks.h"

#include <stdlib.h>

/* Lists root devices, or the sub-devices of parent if it is not NULL. */
pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret) {
  ze_device_handle_t *handles = (ze_device_handle_t *)ret;
  if (parent)
    ZE_TRY(DeviceGetSubDevices, parent->driver.device, count, handles);
  else
    ZE_TRY(DeviceGet, platform->driver.driver, count, handles);
  return PI_SUCCESS;
}

static pi_device_type type_of(ze_device_type_t type) {
  switch (type) {
  case ZE_DEVICE_TYPE_GPU:
    return PI_DEVICE_TYPE_GPU;
  case ZE_DEVICE_TYPE_CPU:
    return PI_DEVICE_TYPE_CPU;
  default: /* FPGAs, copy and vision engines, and types of later drivers */
    return PI_DEVICE_TYPE_ACC;
  }
}

/* Reads the device's properties. Drivers before 1.2 have only the form of the structure that gives
 * the timer's resolution in nanoseconds. */
static pi_result ask_properties(pi_device device) {
  const bool is_frequency = device->platform->driver.api_version >= ZE_API_VERSION_1_2;
  device->driver.properties.stype =
      is_frequency ? ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 : ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  device->driver.compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  device->driver.module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  ZE_TRY(DeviceGetProperties, device->driver.device, &device->driver.properties);
  ZE_TRY(DeviceGetComputeProperties, device->driver.device, &device->driver.compute);
  ZE_TRY(DeviceGetModuleProperties, device->driver.device, &device->driver.module);
  device->driver.properties.name[sizeof device->driver.properties.name - 1] = '\0';
  const ze_device_properties_t *properties = &device->driver.properties;
  device->driver.clock = (level_zero_clock){
      properties->timerResolution ? properties->timerResolution : 1, is_frequency,
      properties->timestampValidBits ? properties->timestampValidBits : 64,
      properties->kernelTimestampValidBits ? properties->kernelTimestampValidBits : 64};
  return PI_SUCCESS;
}

static void choose_groups(pi_device device, const ze_command_queue_group_properties_t *groups,
                          uint32_t count) {
  device->driver.compute_group = device->driver.copy_group = device->driver.link_group =
      DEVICE_NO_GROUP;
  for (uint32_t i = 0; i < count; i++) {
    const ze_command_queue_group_properties_t *group = &groups[i];
    if (group->numQueues == 0)
      continue;
    if (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) {
      if (device->driver.compute_group != DEVICE_NO_GROUP)
        continue;
      device->driver.compute_group = i;
      device->driver.compute_queues = group->numQueues;
      device->driver.fill_pattern_size = group->maxMemoryFillPatternSize;
      device->driver.has_cooperative =
          (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS) != 0;
    } else if (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) {
      if (device->driver.copy_group == DEVICE_NO_GROUP) {
        device->driver.copy_group = i;
        device->driver.copy_queues = group->numQueues;
        device->driver.copy_fill_pattern_size = group->maxMemoryFillPatternSize;
      } else if (device->driver.link_group == DEVICE_NO_GROUP) {
        device->driver.link_group = i;
        device->driver.link_queues = group->numQueues;
      }
    }
  }
}

static pi_result ask_groups(pi_device device) {
  uint32_t count = 0;
  ZE_TRY(DeviceGetCommandQueueGroupProperties, device->driver.device, &count, NULL);
  ze_command_queue_group_properties_t *groups = calloc(count ? count : 1, sizeof *groups);
  REQUIRE_MEMORY(groups, "%u groups of command queues", count);
  for (uint32_t i = 0; i < count; i++)
    groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  const pi_result result =
      ZE_CALL(DeviceGetCommandQueueGroupProperties, device->driver.device, &count, groups);
  if (result == PI_SUCCESS)
    choose_groups(device, groups, count);
  free(groups);
  TRY(result);
  REQUIRE(device->driver.compute_group != DEVICE_NO_GROUP, PI_ERROR_DEVICE_NOT_AVAILABLE,
          "\"%s\" has no command queues for kernels", device->driver.properties.name);
  return PI_SUCCESS;
}

pi_result driver_device_open(pi_device device) {
  device->driver.device = (ze_device_handle_t)device->native;
  TRY(ask_properties(device));
  TRY(ask_groups(device));
  device->type = type_of(device->driver.properties.type);
  pthread_mutex_init(&device->driver.clock_lock, NULL);
  return PI_SUCCESS;
}

void driver_device_close(pi_device device) {
  pthread_mutex_destroy(&device->driver.clock_lock);
}

/* Returns the targets whose images the device takes. GPUs have an additional one for code compiled
 * ahead of time. */
const char *const *driver_device_targets(pi_device device) {
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_SPIRV64_GEN,
                                        PI_DEVICE_BINARY_TARGET_SPIRV64, NULL};
  return device->type == PI_DEVICE_TYPE_GPU ? targets : targets + 1;
}

pi_result driver_device_select(pi_device device, pi_device_binary *images, pi_uint32 count,
                               pi_uint32 *ret) {
  const bool is_gpu = device->type == PI_DEVICE_TYPE_GPU;
  return select_image(images, count, is_gpu ? PI_DEVICE_BINARY_TARGET_SPIRV64_GEN : NULL,
                      PI_DEVICE_BINARY_TARGET_SPIRV64, ret);
}
