/* Devices: listing, parts, references, native handles. Their queries are in device_info.c. */
#include "device.h"
#include "checks.h"

bool device_is_in(pi_device device, pi_device whole) {
  while (device && device != whole)
    device = device->parent;
  return device != NULL;
}

static pi_device find_in(pi_device *devices, pi_uint32 count, ze_device_handle_t handle) {
  for (pi_uint32 i = 0; i < count; i++) {
    if (devices[i]->device == handle)
      return devices[i];
    pi_device part = find_in(devices[i]->parts, devices[i]->part_count, handle);
    if (part)
      return part;
  }
  return NULL;
}

pi_device device_find(ze_device_handle_t device) {
  for (pi_uint32 i = 0; i < level_zero_platforms(); i++) {
    pi_platform platform = level_zero_platform(i);
    pi_device found = find_in(platform->devices, platform->device_count, device);
    if (found)
      return found;
  }
  return NULL;
}

pi_device_type device_type(pi_device device) {
  switch (device->properties.type) {
  case ZE_DEVICE_TYPE_GPU:
    return PI_DEVICE_TYPE_GPU;
  case ZE_DEVICE_TYPE_CPU:
    return PI_DEVICE_TYPE_CPU;
  default: /* FPGAs, copy and vision engines, and what later drivers may have */
    return PI_DEVICE_TYPE_ACC;
  }
}

pi_result piDevicesGet(pi_platform platform, pi_device_type type, pi_uint32 num_entries,
                       pi_device *devices, pi_uint32 *num_devices) {
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_check_devices_get(type, num_entries, devices, num_devices));

  /* The default device is the first one. */
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < platform->device_count; i++) {
    pi_device device = platform->devices[i];
    if (!(type & device_type(device)) && !(i == 0 && type & PI_DEVICE_TYPE_DEFAULT))
      continue;
    if (devices && count < num_entries)
      devices[count] = device;
    count++;
  }
  if (num_devices)
    *num_devices = count;
  return PI_SUCCESS;
}

/* Root devices have no count. */
pi_result piDeviceRetain(pi_device device) {
  REQUIRE_DEVICE(device);
  if (device->parent)
    atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
  return PI_SUCCESS;
}

/*
 * Parts are never freed, so that the count is for the caller alone. It ends at 0: a runtime also
 * releases devices which it made from native handles, and those it did not retain.
 */
pi_result piDeviceRelease(pi_device device) {
  REQUIRE_DEVICE(device);
  unsigned references = atomic_load_explicit(&device->references, memory_order_relaxed);
  while (device->parent && references &&
         !atomic_compare_exchange_weak_explicit(&device->references, &references, references - 1,
                                                memory_order_relaxed, memory_order_relaxed))
    ;
  return PI_SUCCESS;
}

/*
 * Level Zero has one way to divide a device, into the parts that it lists, which are what OpenCL
 * calls the next affinity domain that can be divided, and NUMA domains on all known devices.
 */
static pi_result check_partition(pi_device device, const pi_device_partition_property *properties) {
  PI_REQUIRE(properties[0] == PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_ERROR_INVALID_VALUE,
             "0x%llx is not a way to partition this device, which knows affinity domains only",
             (unsigned long long)properties[0]);
  PI_REQUIRE(properties[1] == PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE ||
                 properties[1] == PI_DEVICE_AFFINITY_DOMAIN_NUMA,
             PI_ERROR_INVALID_VALUE,
             "0x%llx is not an affinity domain of this device: it has the next partitionable one "
             "and NUMA",
             (unsigned long long)properties[1]);
  PI_REQUIRE(properties[2] == 0, PI_ERROR_INVALID_VALUE,
             "properties do not end after the affinity domain: 0x%llx",
             (unsigned long long)properties[2]);
  PI_REQUIRE(device->part_count, PI_ERROR_DEVICE_PARTITION_FAILED, "\"%s\" has no sub-devices",
             device->properties.name);
  return PI_SUCCESS;
}

pi_result piDevicePartition(pi_device device, const pi_device_partition_property *properties,
                            pi_uint32 num_devices, pi_device *out_devices,
                            pi_uint32 *out_num_devices) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  PI_REQUIRE(out_devices || out_num_devices, PI_ERROR_INVALID_VALUE,
             "out_devices and out_num_devices are both NULL");
  PI_TRY(check_partition(device, properties));
  if (out_devices) {
    PI_REQUIRE(num_devices >= device->part_count, PI_ERROR_INVALID_VALUE,
               "num_devices is %u, there are %u sub-devices", num_devices, device->part_count);
    for (pi_uint32 i = 0; i < device->part_count; i++) {
      pi_device part = device->parts[i];
      atomic_fetch_add_explicit(&part->references, 1, memory_order_relaxed);
      out_devices[i] = part;
    }
  }
  if (out_num_devices)
    *out_num_devices = device->part_count;
  return PI_SUCCESS;
}

/* The ze_device_handle_t. */
pi_result piextDeviceGetNativeHandle(pi_device device, pi_native_handle *native_handle) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)device->device;
  return PI_SUCCESS;
}

pi_result piextDeviceCreateWithNativeHandle(pi_native_handle native_handle, pi_platform platform,
                                            pi_device *device) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_DEVICE, "native_handle is 0");
  if (platform)
    REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(device);
  pi_device found = device_find((ze_device_handle_t)native_handle);
  PI_REQUIRE(found, PI_ERROR_INVALID_DEVICE,
             "native_handle 0x%zx is no ze_device_handle_t of a listed device",
             (size_t)native_handle);
  PI_REQUIRE(!platform || found->platform == platform, PI_ERROR_INVALID_DEVICE,
             "native_handle 0x%zx is a device of another platform", (size_t)native_handle);
  *device = found;
  return PI_SUCCESS;
}
