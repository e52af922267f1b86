#include "device_abilities.h"

#include <stdlib.h>

/* The properties of all memories of a device. speeds are 0 if the driver does not report them. */
typedef struct memory_list {
  uint32_t count;
  ze_device_memory_properties_t *properties;
  ze_device_memory_ext_properties_t *speeds;
} memory_list;

static void memory_list_free(memory_list *list) {
  free(list->properties);
  free(list->speeds);
}

static pi_result memory_list_get(pi_device device, memory_list *ret) {
  const bool has_speed =
      platform_has_extension(device->platform, ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME);
  memory_list list = {0, NULL, NULL};
  ZE_TRY(DeviceGetMemoryProperties, device->driver.device, &list.count, NULL);
  const size_t room = list.count ? list.count : 1;
  list.properties = calloc(room, sizeof *list.properties);
  list.speeds = calloc(room, sizeof *list.speeds);
  if (!list.properties || !list.speeds) {
    memory_list_free(&list);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the properties of %u memories",
                        list.count);
  }
  for (uint32_t i = 0; i < list.count; i++) {
    list.properties[i].stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
    list.speeds[i].stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES;
    if (has_speed)
      list.properties[i].pNext = &list.speeds[i];
  }
  const pi_result result =
      ZE_CALL(DeviceGetMemoryProperties, device->driver.device, &list.count, list.properties);
  if (result == PI_SUCCESS)
    *ret = list;
  else
    memory_list_free(&list);
  return result;
}

/* Returns bytes per second; clock is in MHz. */
static pi_uint64 bandwidth_of(const ze_device_memory_ext_properties_t *speed, uint32_t clock) {
  switch (speed->bandwidthUnit) {
  case ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC:
    return (pi_uint64)speed->readBandwidth * 1000000000u;
  case ZE_BANDWIDTH_UNIT_BYTES_PER_CLOCK:
    return (pi_uint64)speed->readBandwidth * clock * 1000000u;
  default:
    return 0;
  }
}

pi_result device_memory_of(pi_device device, device_memory *ret) {
  memory_list list = {0, NULL, NULL};
  TRY(memory_list_get(device, &list));
  device_memory sum = {0, 0, 0, 0};
  for (uint32_t i = 0; i < list.count; i++) {
    const ze_device_memory_properties_t *one = &list.properties[i];
    sum.size += one->totalSize;
    sum.clock = one->maxClockRate > sum.clock ? one->maxClockRate : sum.clock;
    sum.bus = one->maxBusWidth > sum.bus ? one->maxBusWidth : sum.bus;
    sum.bandwidth += bandwidth_of(&list.speeds[i], one->maxClockRate);
  }
  memory_list_free(&list);
  *ret = sum;
  return PI_SUCCESS;
}

pi_result device_cache_of(pi_device device, pi_uint64 *ret) {
  uint32_t count = 0;
  ZE_TRY(DeviceGetCacheProperties, device->driver.device, &count, NULL);
  ze_device_cache_properties_t *caches = calloc(count ? count : 1, sizeof *caches);
  REQUIRE_MEMORY(caches, "the properties of %u caches", count);
  for (uint32_t i = 0; i < count; i++)
    caches[i].stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES;
  const pi_result result = ZE_CALL(DeviceGetCacheProperties, device->driver.device, &count, caches);
  if (result == PI_SUCCESS) {
    *ret = 0;
    for (uint32_t i = 0; i < count; i++)
      *ret = caches[i].cacheSize > *ret ? caches[i].cacheSize : *ret;
  }
  free(caches);
  return result;
}

pi_result device_usm_of(pi_device device, pi_device_info query, pi_uint64 *ret) {
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  ZE_TRY(DeviceGetMemoryAccessProperties, device->driver.device, &access);
  ze_memory_access_cap_flags_t flags = 0;
  switch ((int)query) {
  case PI_DEVICE_INFO_USM_HOST_SUPPORT:
    flags = access.hostAllocCapabilities;
    break;
  case PI_DEVICE_INFO_USM_DEVICE_SUPPORT:
    flags = access.deviceAllocCapabilities;
    break;
  case PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT:
    flags = access.sharedSingleDeviceAllocCapabilities;
    break;
  case PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT:
    flags = access.sharedCrossDeviceAllocCapabilities;
    break;
  default:
    flags = access.sharedSystemAllocCapabilities;
    break;
  }
  *ret =
      (flags & ZE_MEMORY_ACCESS_CAP_FLAG_RW ? PI_USM_ACCESS : 0u) |
      (flags & ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC ? PI_USM_ATOMIC_ACCESS : 0u) |
      (flags & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT ? PI_USM_CONCURRENT_ACCESS : 0u) |
      (flags & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC ? PI_USM_CONCURRENT_ATOMIC_ACCESS : 0u);
  return PI_SUCCESS;
}

pi_uint64 device_fp_of(ze_device_fp_flags_t flags) {
  static const struct {
    ze_device_fp_flags_t ze;
    pi_uint64 pi;
  } bits[] = {
      {ZE_DEVICE_FP_FLAG_DENORM, PI_FP_DENORM},
      {ZE_DEVICE_FP_FLAG_INF_NAN, PI_FP_INF_NAN},
      {ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST, PI_FP_ROUND_TO_NEAREST},
      {ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO, PI_FP_ROUND_TO_ZERO},
      {ZE_DEVICE_FP_FLAG_ROUND_TO_INF, PI_FP_ROUND_TO_INF},
      {ZE_DEVICE_FP_FLAG_FMA, PI_FP_FMA},
      {ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT, PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT},
      {ZE_DEVICE_FP_FLAG_SOFT_FLOAT, PI_FP_SOFT_FLOAT},
  };
  pi_uint64 ret = 0;
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
    ret |= flags & bits[i].ze ? bits[i].pi : 0;
  return ret;
}

pi_uint32 device_units_of(pi_device device) {
  const ze_device_properties_t *properties = &device->driver.properties;
  const pi_uint32 units =
      properties->numSlices * properties->numSubslicesPerSlice * properties->numEUsPerSubslice;
  return units ? units : 1;
}
