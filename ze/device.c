/* Entries for devices. */
#include "../plugins/objects/device.h"

#include "../plugins/objects/driver.h"
#include "../plugins/objects/peer.h"
#include "ze.h"

#include <stdio.h>
#include <string.h>

/* Returns the answer to a PI query for a number; 0 if the device does not answer. */
static uint64_t number_of(pi_device device, pi_device_info query) {
  uint64_t value = 0;
  return device_answer(device, query, &(info_answer){sizeof value, &value, NULL}) == PI_SUCCESS
             ? value
             : 0;
}

static uint32_t number32_of(pi_device device, pi_device_info query) {
  const uint64_t value = number_of(device, query);
  return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* Returns the answer to a PI query for three sizes; 0 if the device does not answer. */
static void sizes_of(pi_device device, pi_device_info query, uint32_t ret[3]) {
  size_t sizes[3] = {0};
  if (device_answer(device, query, &(info_answer){sizeof sizes, sizes, NULL}) != PI_SUCCESS)
    memset(sizes, 0, sizeof sizes);
  for (int i = 0; i < 3; i++)
    ret[i] = sizes[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)sizes[i];
}

ze_result_t zeDeviceGet(ze_driver_handle_t hDriver, uint32_t *pCount,
                        ze_device_handle_t *phDevices) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(pCount);
  const pi_platform platform = platform_of(hDriver);
  return ze_list_objects(pCount, platform->device_count, platform->devices, phDevices);
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t hDevice, uint32_t *pCount,
                                  ze_device_handle_t *phSubdevices) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pCount);
  const pi_device device = device_of(hDevice);
  return ze_list_objects(pCount, device->part_count, device->parts, phSubdevices);
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t hDevice, ze_device_handle_t *phRootDevice) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(phRootDevice);
  const pi_device device = device_of(hDevice);
  *phRootDevice = device->parent ? device_handle(device->root) : NULL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t hDevice) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  return ZE_RESULT_SUCCESS;
}

/* Level Zero's terms are those of Intel's hardware. Their numbers are chosen so that they are
 * consistent: an execution unit is a multiprocessor. */
ze_result_t zeDeviceGetProperties(ze_device_handle_t hDevice,
                                  ze_device_properties_t *pDeviceProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pDeviceProperties);
  const pi_device device = device_of(hDevice);
  ze_device_properties_t *properties = pDeviceProperties;
  properties->type = device->type == PI_DEVICE_TYPE_GPU ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_CPU;
  properties->vendorId = number32_of(device, PI_DEVICE_INFO_VENDOR_ID);
  properties->deviceId = number32_of(device, PI_DEVICE_INFO_DEVICE_ID);
  properties->flags = number_of(device, PI_DEVICE_INFO_ERROR_CORRECTION_SUPPORT)
                          ? (ze_device_property_flags_t)ZE_DEVICE_PROPERTY_FLAG_ECC
                          : 0;
  properties->subdeviceId = device->parent ? device->index : 0;
  properties->coreClockRate = number32_of(device, PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY);
  properties->maxMemAllocSize = number_of(device, PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE);
  properties->maxHardwareContexts = 1;
  properties->maxCommandQueuePriority = 0;
  properties->numThreadsPerEU = 1;
  properties->physicalEUSimdWidth = 32;
  properties->numEUsPerSubslice = 1;
  properties->numSubslicesPerSlice = number32_of(device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS);
  properties->numSlices = 1;
  /* Times are in nanoseconds: 1 for each tick, or in the later form of the query 10^9 a second. */
  properties->timerResolution =
      properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1000000000 : 1;
  properties->timestampValidBits = properties->kernelTimestampValidBits = 64;
  memset(&properties->uuid, 0, sizeof properties->uuid);
  (void)device_answer(device, PI_DEVICE_INFO_UUID,
                      &(info_answer){sizeof properties->uuid.id, properties->uuid.id, NULL});
  char name[1024] = "";
  (void)device_answer(device, PI_DEVICE_INFO_NAME, &(info_answer){sizeof name, name, NULL});
  snprintf(properties->name, sizeof properties->name, "%.*s", (int)sizeof properties->name - 1,
           name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t hDevice,
                                         ze_device_compute_properties_t *pComputeProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pComputeProperties);
  const pi_device device = device_of(hDevice);
  ze_device_compute_properties_t *properties = pComputeProperties;
  uint32_t group[3], groups[3];
  sizes_of(device, PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, group);
  sizes_of(device, PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, groups);
  properties->maxTotalGroupSize = number32_of(device, PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE);
  properties->maxGroupSizeX = group[0];
  properties->maxGroupSizeY = group[1];
  properties->maxGroupSizeZ = group[2];
  properties->maxGroupCountX = groups[0];
  properties->maxGroupCountY = groups[1];
  properties->maxGroupCountZ = groups[2];
  properties->maxSharedLocalMemory = number32_of(device, PI_DEVICE_INFO_LOCAL_MEM_SIZE);
  size_t sizes[ZE_SUBGROUPSIZE_COUNT] = {0}, bytes = 0;
  ZE_TRY(device_answer(device, PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL,
                       &(info_answer){sizeof sizes, sizes, &bytes}));
  properties->numSubGroupSizes = (uint32_t)(bytes / sizeof sizes[0]);
  for (uint32_t i = 0; i < properties->numSubGroupSizes; i++)
    properties->subGroupSizes[i] = (uint32_t)sizes[i];
  return ZE_RESULT_SUCCESS;
}

/* Translates PI's floating-point bits. All but the last two are the same in Level Zero. */
static ze_device_fp_flags_t floats_of(pi_device device, pi_device_info query) {
  const uint64_t bits = number_of(device, query);
  const uint64_t rounded =
      bits & PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT : 0;
  return (ze_device_fp_flags_t)((bits & (2 * PI_FP_FMA - 1)) | rounded);
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t hDevice,
                                        ze_device_module_properties_t *pModuleProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pModuleProperties);
  const pi_device device = device_of(hDevice);
  ze_device_module_properties_t *properties = pModuleProperties;
  char text[256] = "";
  unsigned major = 0, minor = 0;
  ZE_TRY(device_answer(device, PI_DEVICE_INFO_IL_VERSION, &(info_answer){sizeof text, text, NULL}));
  (void)sscanf(text, "SPIR-V_%u.%u", &major, &minor); // NOLINT(cert-err34-c)
  properties->spirvVersionSupported = ZE_MAKE_VERSION(major, minor);
  properties->fp16flags = floats_of(device, PI_DEVICE_INFO_HALF_FP_CONFIG);
  properties->fp32flags = floats_of(device, PI_DEVICE_INFO_SINGLE_FP_CONFIG);
  properties->fp64flags = floats_of(device, PI_DEVICE_INFO_DOUBLE_FP_CONFIG);
  properties->flags =
      (ze_device_module_flags_t)((properties->fp16flags ? ZE_DEVICE_MODULE_FLAG_FP16 : 0) |
                                 (properties->fp64flags ? ZE_DEVICE_MODULE_FLAG_FP64 : 0) |
                                 (number_of(device, PI_DEVICE_INFO_ATOMIC_64)
                                      ? ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS
                                      : 0));
  properties->maxArgumentsSize = number32_of(device, PI_DEVICE_INFO_MAX_PARAMETER_SIZE);
  properties->printfBufferSize = number32_of(device, PI_DEVICE_INFO_PRINTF_BUFFER_SIZE);
  memset(&properties->nativeKernelSupported, 0, sizeof properties->nativeKernelSupported);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t hDevice, uint32_t *pCount,
                                        ze_device_memory_properties_t *pMemProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pCount);
  const pi_device device = device_of(hDevice);
  if (ze_list(pCount, 1, pMemProperties) == 0)
    return ZE_RESULT_SUCCESS;
  ze_device_memory_properties_t *properties = pMemProperties;
  properties->flags = 0;
  properties->maxClockRate = number32_of(device, PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE);
  properties->maxBusWidth = number32_of(device, PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH);
  properties->totalSize = number_of(device, PI_DEVICE_INFO_GLOBAL_MEM_SIZE);
  properties->name[0] = '\0';
  return ZE_RESULT_SUCCESS;
}

ze_result_t
zeDeviceGetMemoryAccessProperties(ze_device_handle_t hDevice,
                                  ze_device_memory_access_properties_t *pMemAccessProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pMemAccessProperties);
  const pi_device device = device_of(hDevice);
  ze_device_memory_access_properties_t *properties = pMemAccessProperties;
  properties->hostAllocCapabilities = number32_of(device, PI_DEVICE_INFO_USM_HOST_SUPPORT);
  properties->deviceAllocCapabilities = number32_of(device, PI_DEVICE_INFO_USM_DEVICE_SUPPORT);
  properties->sharedSingleDeviceAllocCapabilities =
      number32_of(device, PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT);
  properties->sharedCrossDeviceAllocCapabilities =
      number32_of(device, PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT);
  properties->sharedSystemAllocCapabilities =
      number32_of(device, PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                  ze_bool_t *value) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_HANDLE(hPeerDevice, DEVICE);
  ZE_REQUIRE_POINTER(value);
  bool can;
  ZE_TRY(peer_can(device_of(hDevice), device_of(hPeerDevice), PI_PEER_ACCESS_SUPPORTED, &can));
  *value = hDevice == hPeerDevice || can;
  return ZE_RESULT_SUCCESS;
}

/* Counts accesses of a device to a peer's memory that the hardware has. */
ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
                                     ze_device_p2p_properties_t *pP2PProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_HANDLE(hPeerDevice, DEVICE);
  ZE_REQUIRE_POINTER(pP2PProperties);
  const pi_device device = device_of(hDevice), peer = device_of(hPeerDevice);
  bool access = true, atomics = true;
  if (device != peer) {
    ZE_TRY(peer_can(device, peer, PI_PEER_ACCESS_SUPPORTED, &access));
    ZE_TRY(peer_can(device, peer, PI_PEER_ATOMICS_SUPPORTED, &atomics));
  }
  pP2PProperties->flags = (access ? (uint32_t)ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS : 0) |
                          (atomics ? (uint32_t)ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS : 0);
  return ZE_RESULT_SUCCESS;
}

/* There is one group, whose queues take all commands. */
ze_result_t zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t hDevice, uint32_t *pCount,
    ze_command_queue_group_properties_t *pCommandQueueGroupProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pCount);
  const pi_uint32 queues = driver_device_compute_queues(device_of(hDevice));
  if (ze_list(pCount, 1, pCommandQueueGroupProperties) == 0)
    return ZE_RESULT_SUCCESS;
  pCommandQueueGroupProperties->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
  pCommandQueueGroupProperties->maxMemoryFillPatternSize = SIZE_MAX;
  pCommandQueueGroupProperties->numQueues = queues ? queues : 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t hDevice, uint32_t *pCount,
                                       ze_device_cache_properties_t *pCacheProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pCount);
  if (ze_list(pCount, 1, pCacheProperties) == 0)
    return ZE_RESULT_SUCCESS;
  pCacheProperties->flags = 0;
  pCacheProperties->cacheSize =
      (size_t)number_of(device_of(hDevice), PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE);
  return ZE_RESULT_SUCCESS;
}

/* All limits are 0, because zeImageCreate makes no images. */
ze_result_t zeDeviceGetImageProperties(ze_device_handle_t hDevice,
                                       ze_device_image_properties_t *pImageProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pImageProperties);
  *pImageProperties = (ze_device_image_properties_t){.stype = pImageProperties->stype,
                                                     .pNext = pImageProperties->pNext};
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t hDevice, uint64_t *hostTimestamp,
                                        uint64_t *deviceTimestamp) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(hostTimestamp);
  ZE_REQUIRE_POINTER(deviceTimestamp);
  pi_uint64 device_time, host_time;
  ZE_TRY(driver_device_time(device_of(hDevice), &device_time, &host_time));
  *hostTimestamp = host_time;
  *deviceTimestamp = device_time;
  return ZE_RESULT_SUCCESS;
}

/* Reports the address; the link's speed is unknown, which Level Zero expresses by -1. */
ze_result_t zeDevicePciGetPropertiesExt(ze_device_handle_t hDevice,
                                        ze_pci_ext_properties_t *pPciProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pPciProperties);
  char text[64] = "";
  unsigned domain, bus, device, function;
  ZE_TRY(device_answer(device_of(hDevice), PI_DEVICE_INFO_PCI_ADDRESS,
                       &(info_answer){sizeof text, text, NULL}));
  ZE_REQUIRE(sscanf(text, "%x:%x:%x.%x", &domain, &bus, &device, &function) == 4, // NOLINT
             UNSUPPORTED_FEATURE, "the device's PCI address is %s", text);
  pPciProperties->address = (ze_pci_address_ext_t){domain, bus, device, function};
  pPciProperties->maxSpeed = (ze_pci_speed_ext_t){-1, -1, -1};
  return ZE_RESULT_SUCCESS;
}

/* No memory can be imported or exported by Level Zero's entries. */
ze_result_t zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t hDevice, ze_device_external_memory_properties_t *pExternalMemoryProperties) {
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(pExternalMemoryProperties);
  *pExternalMemoryProperties = (ze_device_external_memory_properties_t){
      .stype = pExternalMemoryProperties->stype, .pNext = pExternalMemoryProperties->pNext};
  return ZE_RESULT_SUCCESS;
}
