/* Devices: listing, references, partitions, native handles. Their queries are in device_info.c. */
#include "device.h"
#include "checks.h"
#include "code.h"

int cuda_ptx_version(void) {
  return cuda_ptx_version_of(cuda_driver_version);
}

int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback) {
  int value = 0;
  return cu.DeviceGetAttribute(&value, attribute, device->ordinal) == CUDA_SUCCESS ? value
                                                                                   : fallback;
}

pi_result piDevicesGet(pi_platform platform, pi_device_type device_type, pi_uint32 num_entries,
                       pi_device *devices, pi_uint32 *num_devices) {
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_check_devices_get(device_type, num_entries, devices, num_devices));

  pi_uint32 count = 0;
  if (device_type & PI_DEVICE_TYPE_GPU)
    count = (pi_uint32)cuda_devices();
  else if (device_type & PI_DEVICE_TYPE_DEFAULT)
    count = 1;
  if (devices)
    for (pi_uint32 i = 0; i < count && i < num_entries; i++)
      devices[i] = cuda_device((int)i);
  if (num_devices)
    *num_devices = count;
  return PI_SUCCESS;
}

/* All devices are root devices, which have no count. */
pi_result piDeviceRetain(pi_device device) {
  REQUIRE_DEVICE(device);
  return PI_SUCCESS;
}

pi_result piDeviceRelease(pi_device device) {
  REQUIRE_DEVICE(device);
  return PI_SUCCESS;
}

/* PI_DEVICE_INFO_PARTITION_PROPERTIES lists no way to do it, so that each one is a wrong value. */
pi_result piDevicePartition(pi_device device, const pi_device_partition_property *properties,
                            pi_uint32 num_devices, pi_device *out_devices,
                            pi_uint32 *out_num_devices) {
  (void)num_devices;
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(properties);
  PI_REQUIRE(out_devices || out_num_devices, PI_ERROR_INVALID_VALUE,
             "out_devices and out_num_devices are both NULL");
  return pi_error(PI_ERROR_INVALID_VALUE,
                  "0x%llx is not a way to partition this device: CUDA cannot divide one",
                  (unsigned long long)properties[0]);
}

/* The CUdevice, a number that counts from 0. */
pi_result piextDeviceGetNativeHandle(pi_device device, pi_native_handle *native_handle) {
  REQUIRE_DEVICE(device);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)device->ordinal;
  return PI_SUCCESS;
}

pi_result piextDeviceCreateWithNativeHandle(pi_native_handle native_handle, pi_platform platform,
                                            pi_device *device) {
  if (platform)
    REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(device);
  for (int i = 0; i < cuda_devices(); i++) {
    if ((pi_native_handle)cuda_device(i)->ordinal != native_handle)
      continue;
    *device = cuda_device(i);
    return PI_SUCCESS;
  }
  return pi_error(PI_ERROR_INVALID_DEVICE, "native_handle %zu is no CUdevice, there are %d",
                  (size_t)native_handle, cuda_devices());
}
