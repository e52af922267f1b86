#include "device.h"

#include "../base/error.h"
#include "driver.h"
#include "native.h"

bool device_is_in(pi_device device, pi_device whole) {
  while (device && device != whole)
    device = device->parent;
  return device != NULL;
}

/* The device to search for: by its object's address if is_pointer, else by the driver's handle. */
typedef struct wanted_device {
  bool is_pointer;
  pi_native_handle handle;
} wanted_device;

static pi_device find_in(pi_device *devices, pi_uint32 count, const wanted_device *wanted) {
  for (pi_uint32 i = 0; i < count; i++) {
    if ((wanted->is_pointer ? (pi_native_handle)devices[i] : devices[i]->native) == wanted->handle)
      return devices[i];
    pi_device part = find_in(devices[i]->parts, devices[i]->part_count, wanted);
    if (part)
      return part;
  }
  return NULL;
}

static pi_device find_wanted(const wanted_device *wanted) {
  const pi_platform *platforms = NULL;
  const pi_uint32 count = platforms_get(&platforms);
  pi_device found = NULL;
  for (pi_uint32 i = 0; i < count && !found; i++)
    found = find_in(platforms[i]->devices, platforms[i]->device_count, wanted);
  return found;
}

pi_device device_find(pi_native_handle native) {
  return find_wanted(&(wanted_device){false, native});
}

pi_result device_native(pi_device device, pi_native_handle *ret) {
  if (native_is_foreign())
    TRY(native_check("device"));
  *ret = native_is_foreign() ? (pi_native_handle)device : device->native;
  return PI_SUCCESS;
}

pi_result device_adopt(pi_native_handle native, pi_platform platform, pi_device *ret) {
  const wanted_device wanted = {native_is_foreign(), native};
  if (wanted.is_pointer)
    TRY(native_check("device"));
  const pi_device found = find_wanted(&wanted);
  REQUIRE(found, PI_ERROR_INVALID_DEVICE, "native_handle 0x%zx is no device of %s that is listed",
          (size_t)native, driver_name);
  REQUIRE(!platform || found->platform == platform, PI_ERROR_INVALID_DEVICE,
          "native_handle 0x%zx is a device of another platform", (size_t)native);
  *ret = found;
  return PI_SUCCESS;
}

pi_uint32 devices_list(pi_platform platform, pi_device_type types, pi_uint32 room, pi_device *ret) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < platform->device_count; i++) {
    const pi_device device = platform->devices[i];
    if (!(types & device->type) && !(i == 0 && types & PI_DEVICE_TYPE_DEFAULT))
      continue;
    if (count < room)
      ret[count] = device;
    count++;
  }
  return count;
}

/*
 * A device can only be divided into the parts that the driver lists. In OpenCL's terms this is the
 * next partitionable affinity domain; on all known devices that is NUMA.
 */
static pi_result check_partition(pi_device device, const pi_device_partition_property *properties) {
  REQUIRE(properties[0] == PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_ERROR_INVALID_VALUE,
          "0x%llx is not a way to partition this device, which knows affinity domains only",
          (unsigned long long)properties[0]);
  REQUIRE(properties[1] == PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE ||
              properties[1] == PI_DEVICE_AFFINITY_DOMAIN_NUMA,
          PI_ERROR_INVALID_VALUE,
          "0x%llx is not an affinity domain of this device: it has the next partitionable one "
          "and NUMA",
          (unsigned long long)properties[1]);
  REQUIRE(properties[2] == 0, PI_ERROR_INVALID_VALUE,
          "properties do not end after the affinity domain: 0x%llx",
          (unsigned long long)properties[2]);
  REQUIRE(device->part_count, PI_ERROR_DEVICE_PARTITION_FAILED, "the device has no sub-devices");
  return PI_SUCCESS;
}

pi_result device_partition(pi_device device, const pi_device_partition_property *properties,
                           pi_uint32 room, pi_device *parts) {
  TRY(check_partition(device, properties));
  if (!parts)
    return PI_SUCCESS;
  REQUIRE(room >= device->part_count, PI_ERROR_INVALID_VALUE,
          "num_devices is %u, there are %u sub-devices", room, device->part_count);
  for (pi_uint32 i = 0; i < device->part_count; i++) {
    parts[i] = device->parts[i];
    object_retain(&parts[i]->handle);
  }
  return PI_SUCCESS;
}

/*
 * Parts are never freed: the count only answers the application's queries. It stays at 0, because a
 * runtime also releases devices that it made from native handles or did not retain.
 */
void device_release(pi_device device) {
  unsigned references = atomic_load_explicit(&device->handle.references, memory_order_relaxed);
  while (device->parent && references &&
         !atomic_compare_exchange_weak_explicit(&device->handle.references, &references,
                                                references - 1, memory_order_relaxed,
                                                memory_order_relaxed))
    ;
}
