/* Makes the devices of a platform, with what the driver says of them once and for all. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* How deep parts of parts are looked for; Level Zero has tiles, and no driver more than two. */
enum { MOST_DEPTH = 4 };

/* Drivers before 1.2 do not know the form in which the timer's resolution is a frequency. */
static pi_result ask_properties(pi_device device) {
  const bool is_frequency = device->platform->api_version >= ZE_API_VERSION_1_2;
  device->properties.stype =
      is_frequency ? ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 : ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  device->compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  device->module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  ZE_TRY(DeviceGetProperties, device->device, &device->properties);
  ZE_TRY(DeviceGetComputeProperties, device->device, &device->compute);
  ZE_TRY(DeviceGetModuleProperties, device->device, &device->module);
  device->properties.name[sizeof device->properties.name - 1] = '\0';
  const ze_device_properties_t *properties = &device->properties;
  device->clock = (level_zero_clock){
      properties->timerResolution ? properties->timerResolution : 1, is_frequency,
      properties->timestampValidBits ? properties->timestampValidBits : 64,
      properties->kernelTimestampValidBits ? properties->kernelTimestampValidBits : 64};
  return PI_SUCCESS;
}

static void choose_groups(pi_device device, const ze_command_queue_group_properties_t *groups,
                          uint32_t count) {
  device->compute_group = device->copy_group = device->link_group = DEVICE_NO_GROUP;
  for (uint32_t i = 0; i < count; i++) {
    const ze_command_queue_group_properties_t *group = &groups[i];
    if (group->numQueues == 0)
      continue;
    if (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) {
      if (device->compute_group != DEVICE_NO_GROUP)
        continue;
      device->compute_group = i;
      device->compute_queues = group->numQueues;
      device->fill_pattern_size = group->maxMemoryFillPatternSize;
      device->has_cooperative =
          (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS) != 0;
    } else if (group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) {
      if (device->copy_group == DEVICE_NO_GROUP) {
        device->copy_group = i;
        device->copy_queues = group->numQueues;
        device->copy_fill_pattern_size = group->maxMemoryFillPatternSize;
      } else if (device->link_group == DEVICE_NO_GROUP) {
        device->link_group = i;
        device->link_queues = group->numQueues;
      }
    }
  }
}

static pi_result ask_groups(pi_device device) {
  uint32_t count = 0;
  ZE_TRY(DeviceGetCommandQueueGroupProperties, device->device, &count, NULL);
  ze_command_queue_group_properties_t *groups = calloc(count ? count : 1, sizeof *groups);
  PI_REQUIRE(groups, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u groups of command queues",
             count);
  for (uint32_t i = 0; i < count; i++)
    groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  const pi_result result =
      ze_result(ze.DeviceGetCommandQueueGroupProperties(device->device, &count, groups),
                "zeDeviceGetCommandQueueGroupProperties");
  if (result == PI_SUCCESS)
    choose_groups(device, groups, count);
  free(groups);
  PI_TRY(result);
  PI_REQUIRE(device->compute_group != DEVICE_NO_GROUP, PI_ERROR_DEVICE_NOT_AVAILABLE,
             "\"%s\" has no command queues for kernels", device->properties.name);
  return PI_SUCCESS;
}

static void device_close(pi_device device) {
  if (!device)
    return;
  for (pi_uint32 i = 0; i < device->part_count; i++)
    device_close(device->parts[i]);
  free(device->parts);
  pthread_mutex_destroy(&device->clock_lock);
  free(device);
}

static pi_result open_parts(pi_device device, unsigned depth);

static pi_result device_open(pi_platform platform, pi_device parent, pi_uint32 index,
                             ze_device_handle_t native, unsigned depth, pi_device *ret) {
  pi_device device = calloc(1, sizeof *device);
  PI_REQUIRE(device, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a device");
  pi_handle_init(&device->handle, PI_HANDLE_DEVICE);
  pthread_mutex_init(&device->clock_lock, NULL);
  device->platform = platform;
  device->parent = parent;
  device->root = parent ? parent->root : device;
  device->index = index;
  device->device = native;
  pi_result result = ask_properties(device);
  if (result == PI_SUCCESS)
    result = ask_groups(device);
  if (result == PI_SUCCESS)
    result = open_parts(device, depth);
  if (result == PI_SUCCESS)
    *ret = device;
  else
    device_close(device);
  return result;
}

/*
 * The devices behind count handles, which this frees; what was made before a failure is in
 * *devices, *device_count of them.
 */
static pi_result open_list(pi_platform platform, pi_device parent, uint32_t count,
                           ze_device_handle_t *handles, unsigned depth, pi_device **devices,
                           pi_uint32 *device_count) {
  *devices = calloc(count ? count : 1, sizeof **devices);
  PI_REQUIRE(*devices, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u devices", count);
  pi_result result = PI_SUCCESS;
  for (uint32_t i = 0; i < count && result == PI_SUCCESS; i++) {
    result = device_open(platform, parent, i, handles[i], depth, &(*devices)[i]);
    if (result == PI_SUCCESS)
      (*device_count)++;
  }
  return result;
}

/* zeDeviceGet and zeDeviceGetSubDevices have the same way of giving a list. */
static pi_result list_devices(pi_platform platform, pi_device parent, uint32_t *count,
                              ze_device_handle_t *handles) {
  if (parent)
    ZE_TRY(DeviceGetSubDevices, parent->device, count, handles);
  else
    ZE_TRY(DeviceGet, platform->driver, count, handles);
  return PI_SUCCESS;
}

static pi_result open_children(pi_platform platform, pi_device parent, unsigned depth,
                               pi_device **devices, pi_uint32 *device_count) {
  uint32_t count = 0;
  PI_TRY(list_devices(platform, parent, &count, NULL));
  if (count == 0)
    return PI_SUCCESS;
  ze_device_handle_t *handles = calloc(count, sizeof(ze_device_handle_t));
  PI_REQUIRE(handles, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u devices", count);
  pi_result result = list_devices(platform, parent, &count, handles);
  if (result == PI_SUCCESS)
    result = open_list(platform, parent, count, handles, depth, devices, device_count);
  free(handles);
  return result;
}

static pi_result open_parts(pi_device device, unsigned depth) {
  if (depth == MOST_DEPTH)
    return PI_SUCCESS;
  return open_children(device->platform, device, depth + 1, &device->parts, &device->part_count);
}

pi_result device_open_all(pi_platform platform) {
  const pi_result result =
      open_children(platform, NULL, 0, &platform->devices, &platform->device_count);
  if (result != PI_SUCCESS)
    device_close_all(platform);
  return result;
}

void device_close_all(pi_platform platform) {
  for (pi_uint32 i = 0; i < platform->device_count; i++)
    device_close(platform->devices[i]);
  free(platform->devices);
  platform->devices = NULL;
  platform->device_count = 0;
}
