/* PI's entries for devices, and for the access of one to another one's memory. */
#include "../plugins/objects/device.h"

#include "../plugins/objects/arguments.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"
#include "../plugins/objects/peer.h"

pi_result piDevicesGet(pi_platform platform, pi_device_type device_type, pi_uint32 num_entries,
                       pi_device *devices, pi_uint32 *num_devices) {
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_check_devices_get(device_type, num_entries, devices, num_devices));
  /* The default device is the first one. */
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < platform->device_count; i++) {
    const pi_device device = platform->devices[i];
    if (!(device_type & device->type) && !(i == 0 && device_type & PI_DEVICE_TYPE_DEFAULT))
      continue;
    if (devices && count < num_entries)
      devices[count] = device;
    count++;
  }
  if (num_devices)
    *num_devices = count;
  return PI_SUCCESS;
}

/*
 * libsycl asks devices of level_zero for their components, and when there are none once more, with
 * no room for them nor for their size. Unless that succeeds it has no context.
 */
static bool asks_for_nothing(pi_device device, pi_device_info query, const pi_answer *answer) {
  if (query != PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES || answer->size || answer->value ||
      answer->size_ret)
    return false;
  platform_facts facts;
  driver_platform_facts(device->platform, &facts);
  return facts.backend == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO;
}

pi_result piDeviceGetInfo(pi_device device, pi_device_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(device);
  if (asks_for_nothing(device, param_name, &answer))
    return PI_SUCCESS;
  PI_TRY(pi_answer_check(&answer));
  return device_answer(device, param_name, &answer);
}

pi_result piDeviceRetain(pi_device device) {
  REQUIRE_DEVICE(device);
  device_retain(device);
  return PI_SUCCESS;
}

pi_result piDeviceRelease(pi_device device) {
  REQUIRE_DEVICE(device);
  device_release(device);
  return PI_SUCCESS;
}

pi_result piDevicePartition(pi_device device, const pi_device_partition_property *properties,
                            pi_uint32 num_devices, pi_device *out_devices,
                            pi_uint32 *out_num_devices) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  PI_REQUIRE(out_devices || out_num_devices, PI_ERROR_INVALID_VALUE,
             "out_devices and out_num_devices are both NULL");
  PI_TRY(device_partition(device, properties, num_devices, out_devices));
  if (out_num_devices)
    *out_num_devices = device->part_count;
  return PI_SUCCESS;
}

pi_result piextDeviceGetNativeHandle(pi_device device, pi_native_handle *native_handle) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(native_handle);
  *native_handle = device->native;
  return PI_SUCCESS;
}

pi_result piextDeviceCreateWithNativeHandle(pi_native_handle native_handle, pi_platform platform,
                                            pi_device *device) {
  if (platform)
    REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(device);
  const pi_device found = device_find(native_handle);
  PI_REQUIRE(found, PI_ERROR_INVALID_DEVICE,
             "native_handle 0x%zx is no device of %s that is listed", (size_t)native_handle,
             driver_name);
  PI_REQUIRE(!platform || found->platform == platform, PI_ERROR_INVALID_DEVICE,
             "native_handle 0x%zx is a device of another platform", (size_t)native_handle);
  *device = found;
  return PI_SUCCESS;
}

pi_result piGetDeviceAndHostTimer(pi_device device, uint64_t *device_time, uint64_t *host_time) {
  REQUIRE_DEVICE(device);
  pi_uint64 device_now;
  pi_uint64 host_now;
  PI_TRY(driver_device_time(device, &device_now, &host_now));
  if (device_time)
    *device_time = device_now;
  if (host_time)
    *host_time = host_now;
  return PI_SUCCESS;
}

pi_result piextEnablePeerAccess(pi_device command_device, pi_device peer_device) {
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  return peer_enable(command_device, peer_device);
}

pi_result piextDisablePeerAccess(pi_device command_device, pi_device peer_device) {
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  return peer_disable(command_device, peer_device);
}

pi_result piextPeerAccessGetInfo(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  PI_TRY(pi_answer_check(&answer));
  if (attr != PI_PEER_ACCESS_SUPPORTED && attr != PI_PEER_ATOMICS_SUPPORTED)
    return pi_answer_unknown("pi_peer_attr", attr);
  bool can = false;
  if (command_device != peer_device)
    PI_TRY(driver_peer_can(command_device, peer_device, attr, &can));
  return pi_answer_bool(&answer, can);
}
