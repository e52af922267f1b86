/* PI's entries for devices, and for the access of a device to the memory of another. */
#include "../plugins/objects/device.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/code/select_image.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"
#include "../plugins/objects/peer.h"

pi_result piDevicesGet(pi_platform platform, pi_device_type device_type, pi_uint32 num_entries,
                       pi_device *devices, pi_uint32 *num_devices) {
  REQUIRE_PLATFORM(platform);
  TRY(check_devices_get(device_type, num_entries, devices, num_devices));
  const pi_uint32 count = devices_list(platform, device_type, devices ? num_entries : 0, devices);
  if (num_devices)
    *num_devices = count;
  return PI_SUCCESS;
}

pi_result piDeviceGetInfo(pi_device device, pi_device_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(device);
  if (param_name == PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES &&
      device_asks_for_nothing(device, &answer))
    return PI_SUCCESS;
  TRY(answer_check(&answer));
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
  TRY(check_partition_get(out_devices, out_num_devices));
  TRY(device_partition(device, properties, num_devices, out_devices));
  if (out_num_devices)
    *out_num_devices = device->part_count;
  return PI_SUCCESS;
}

pi_result piextDeviceGetNativeHandle(pi_device device, pi_native_handle *native_handle) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(native_handle);
  return device_native(device, native_handle);
}

pi_result piextDeviceCreateWithNativeHandle(pi_native_handle native_handle, pi_platform platform,
                                            pi_device *device) {
  if (platform)
    REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(device);
  return device_adopt(native_handle, platform, device);
}

pi_result piextDeviceSelectBinary(pi_device device, pi_device_binary *binaries,
                                  pi_uint32 num_binaries, pi_uint32 *selected_binary_ind) {
  REQUIRE_DEVICE(device);
  TRY(check_select_image(binaries, num_binaries, selected_binary_ind));
  return driver_device_select(device, binaries, num_binaries, selected_binary_ind);
}

pi_result piGetDeviceAndHostTimer(pi_device device, uint64_t *device_time, uint64_t *host_time) {
  REQUIRE_DEVICE(device);
  pi_uint64 device_now;
  pi_uint64 host_now;
  TRY(driver_device_time(device, &device_now, &host_now));
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
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(command_device);
  REQUIRE_DEVICE(peer_device);
  TRY(answer_check(&answer));
  if (attr != PI_PEER_ACCESS_SUPPORTED && attr != PI_PEER_ATOMICS_SUPPORTED)
    return answer_unknown("pi_peer_attr", attr);
  bool can = false;
  TRY(peer_can(command_device, peer_device, attr, &can));
  return answer_bool(&answer, can);
}
