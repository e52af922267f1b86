/* UR's entries for devices, and for the access of devices to each other's memory. */
#include "../plugins/objects/device.h"

#include "../plugins/objects/driver.h"
#include "../plugins/objects/peer.h"
#include "handles.h"
#include "reply.h"

#include <string.h>

/* X(UR's type, PI's): UR's types are numbers, PI's are bits. */
#define DEVICE_TYPES(X)                                                                            \
  X(DEFAULT, DEFAULT)                                                                              \
  X(ALL, ALL)                                                                                      \
  X(GPU, GPU)                                                                                      \
  X(CPU, CPU)                                                                                      \
  X(FPGA, ACC)                                                                                     \
  X(CUSTOM, CUSTOM)

/* Reads a type of devices. No driver here has other kinds of accelerators, so these match none. */
static ur_result_t read_type(ur_device_type_t type, pi_device_type *ret) {
  switch ((int)type) {
#define DEVICE_TYPE(ur, pi)                                                                        \
  case UR_DEVICE_TYPE_##ur:                                                                        \
    *ret = PI_DEVICE_TYPE_##pi;                                                                    \
    return UR_RESULT_SUCCESS;
    DEVICE_TYPES(DEVICE_TYPE)
#undef DEVICE_TYPE
  case UR_DEVICE_TYPE_MCA:
  case UR_DEVICE_TYPE_VPU:
    *ret = 0;
    return UR_RESULT_SUCCESS;
  }
  face_error(UR_RESULT_ERROR_INVALID_ENUMERATION, "0x%x is not a type of devices", type);
  return UR_RESULT_ERROR_INVALID_ENUMERATION;
}

ur_result_t urDeviceGet(ur_platform_handle_t hPlatform, ur_device_type_t DeviceType,
                        uint32_t NumEntries, ur_device_handle_t *phDevices, uint32_t *pNumDevices) {
  pi_device_type types;
  UR_REQUIRE_PLATFORM(hPlatform);
  UR_REQUIRE_ROOM(NumEntries, phDevices, pNumDevices);
  UR_PASS(read_type(DeviceType, &types));
  const uint32_t count = devices_list(platform_of(hPlatform), types, phDevices ? NumEntries : 0,
                                      devices_of(phDevices));
  if (pNumDevices)
    *pNumDevices = count;
  return UR_RESULT_SUCCESS;
}

ur_result_t urDeviceRetain(ur_device_handle_t hDevice) {
  UR_REQUIRE_DEVICE(hDevice);
  device_retain(device_of(hDevice));
  return UR_RESULT_SUCCESS;
}

ur_result_t urDeviceRelease(ur_device_handle_t hDevice) {
  UR_REQUIRE_DEVICE(hDevice);
  device_release(device_of(hDevice));
  return UR_RESULT_SUCCESS;
}

/* Converts the properties to PI's list, which ends with 0. The one supported way to partition a
 * device has one property. */
static ur_result_t read_partition(const ur_device_partition_properties_t *properties,
                                  pi_device_partition_property ret[3]) {
  UR_REQUIRE_POINTER(properties->pProperties);
  UR_REQUIRE(properties->PropCount == 1, UR_RESULT_ERROR_INVALID_VALUE,
             "PropCount is %zu, and a device is divided in one way", properties->PropCount);
  const ur_device_partition_property_t *way = properties->pProperties;
  switch ((int)way->type) {
  case UR_DEVICE_PARTITION_EQUALLY:
  case UR_DEVICE_PARTITION_BY_COUNTS:
  case UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
  case UR_DEVICE_PARTITION_BY_CSLICE:
    break;
  default:
    face_error(UR_RESULT_ERROR_INVALID_ENUMERATION, "0x%x is not a way to partition a device",
               way->type);
    return UR_RESULT_ERROR_INVALID_ENUMERATION;
  }
  ret[0] = way->type;
  ret[1] = way->value.affinity_domain;
  ret[2] = 0;
  return UR_RESULT_SUCCESS;
}

ur_result_t urDevicePartition(ur_device_handle_t hDevice,
                              const ur_device_partition_properties_t *pProperties,
                              uint32_t NumDevices, ur_device_handle_t *phSubDevices,
                              uint32_t *pNumDevicesRet) {
  pi_device_partition_property properties[3];
  UR_REQUIRE_DEVICE(hDevice);
  UR_REQUIRE_POINTER(pProperties);
  UR_REQUIRE_ROOM(NumDevices, phSubDevices, pNumDevicesRet);
  UR_PASS(read_partition(pProperties, properties));
  const pi_device device = device_of(hDevice);
  UR_TRY(device_partition(device, properties, NumDevices, devices_of(phSubDevices)));
  if (pNumDevicesRet)
    *pNumDevicesRet = device->part_count;
  return UR_RESULT_SUCCESS;
}

/*
 * Selects the first image with the driver's best target that any image has. UR does not pass the
 * images' bytes, so only the targets count.
 */
ur_result_t urDeviceSelectBinary(ur_device_handle_t hDevice, const ur_device_binary_t *pBinaries,
                                 uint32_t NumBinaries, uint32_t *pSelectedBinary) {
  UR_REQUIRE_DEVICE(hDevice);
  UR_REQUIRE_POINTER(pBinaries);
  UR_REQUIRE_POINTER(pSelectedBinary);
  UR_REQUIRE(NumBinaries != 0, UR_RESULT_ERROR_INVALID_SIZE, "NumBinaries is 0");
  for (const char *const *target = driver_device_targets(device_of(hDevice)); *target; target++)
    for (uint32_t i = 0; i < NumBinaries; i++)
      if (pBinaries[i].pDeviceTargetSpec && strcmp(*target, pBinaries[i].pDeviceTargetSpec) == 0) {
        *pSelectedBinary = i;
        return UR_RESULT_SUCCESS;
      }
  face_error(UR_RESULT_ERROR_INVALID_BINARY,
             "no image (of %u) has a target of %s; the first one's is %s", NumBinaries, driver_name,
             pBinaries->pDeviceTargetSpec ? pBinaries->pDeviceTargetSpec : "NULL");
  return UR_RESULT_ERROR_INVALID_BINARY;
}

ur_result_t urDeviceGetNativeHandle(ur_device_handle_t hDevice,
                                    ur_native_handle_t *phNativeDevice) {
  UR_REQUIRE_DEVICE(hDevice);
  UR_REQUIRE_POINTER(phNativeDevice);
  return face_result(device_native(device_of(hDevice), phNativeDevice));
}

/* pProperties are ignored: they only say who owns the device, and devices are never freed. */
ur_result_t urDeviceCreateWithNativeHandle(ur_native_handle_t hNativeDevice,
                                           ur_adapter_handle_t hAdapter,
                                           const ur_device_native_properties_t *pProperties,
                                           ur_device_handle_t *phDevice) {
  (void)pProperties;
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_REQUIRE_POINTER(phDevice);
  UR_TRY(platforms_open());
  pi_device found;
  UR_TRY(device_adopt(hNativeDevice, NULL, &found));
  *phDevice = device_handle(found);
  return UR_RESULT_SUCCESS;
}

ur_result_t urDeviceGetGlobalTimestamps(ur_device_handle_t hDevice, uint64_t *pDeviceTimestamp,
                                        uint64_t *pHostTimestamp) {
  UR_REQUIRE_DEVICE(hDevice);
  pi_uint64 device_now, host_now;
  UR_TRY(driver_device_time(device_of(hDevice), &device_now, &host_now));
  if (pDeviceTimestamp)
    *pDeviceTimestamp = device_now;
  if (pHostTimestamp)
    *pHostTimestamp = host_now;
  return UR_RESULT_SUCCESS;
}

ur_result_t urUsmP2PEnablePeerAccessExp(ur_device_handle_t commandDevice,
                                        ur_device_handle_t peerDevice) {
  UR_REQUIRE_DEVICE(commandDevice);
  UR_REQUIRE_DEVICE(peerDevice);
  return face_result(peer_enable(device_of(commandDevice), device_of(peerDevice)));
}

ur_result_t urUsmP2PDisablePeerAccessExp(ur_device_handle_t commandDevice,
                                         ur_device_handle_t peerDevice) {
  UR_REQUIRE_DEVICE(commandDevice);
  UR_REQUIRE_DEVICE(peerDevice);
  return face_result(peer_disable(device_of(commandDevice), device_of(peerDevice)));
}

/* UR's queries have the same numbers as PI's. */
ur_result_t urUsmP2PPeerAccessGetInfoExp(ur_device_handle_t commandDevice,
                                         ur_device_handle_t peerDevice, ur_exp_peer_info_t propName,
                                         size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_DEVICE(commandDevice);
  UR_REQUIRE_DEVICE(peerDevice);
  UR_PASS(reply_check(&answer));
  if (propName != UR_EXP_PEER_INFO_UR_PEER_ACCESS_SUPPORT &&
      propName != UR_EXP_PEER_INFO_UR_PEER_ATOMICS_SUPPORT)
    return reply_unknown("ur_exp_peer_info_t", propName);
  bool can;
  UR_TRY(peer_can(device_of(commandDevice), device_of(peerDevice), (pi_peer_attr)propName, &can));
  return reply_uint32(&answer, can);
}
