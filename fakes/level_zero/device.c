/* Properties of the fake Level Zero driver's devices. */
#include "device.h"
#include "bindless.h"

#include "kernel.h"

#include <stdio.h>

enum { VENDOR = 0x8086, DEVICE_ID = 0x5350 };

/* The units of one slice, which is a sub-device, or a root device without sub-devices. */
enum { SUBSLICES = 4, UNITS = 8, THREADS = 8, SIMD = 8 };

static uint32_t slices(const fake_device *device) {
  return device->part_count > 0 ? device->part_count : 1;
}

uint64_t fake_device_memory(const fake_device *device) {
  return device == device->root ? fake_environment.memory
                                : fake_environment.memory / device->root->part_count;
}

uint64_t fake_ticks(uint64_t time) {
  /* Splits off the seconds, so that the product does not overflow after a long uptime. */
  return time / 1000000000U * FAKE_TIMER + time % 1000000000U * FAKE_TIMER / 1000000000U;
}

static uint64_t mask(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint32_t kernel_bits(void) {
  return fake_environment.timestamp_bits < 32 ? fake_environment.timestamp_bits : 32;
}

uint64_t fake_timestamp(uint64_t time) {
  return fake_ticks(time) & mask(fake_environment.timestamp_bits);
}

uint64_t fake_kernel_timestamp(uint64_t time) {
  return fake_ticks(time) & mask(kernel_bits());
}

static void fill_uuid(const fake_device *device, ze_device_uuid_t *uuid) {
  memset(uuid, 0, sizeof *uuid);
  memcpy(uuid->id, "specpi", sizeof "specpi");
  uuid->id[8] = (uint8_t)device->driver->index;
  uuid->id[9] = (uint8_t)device->root->index;
  uuid->id[10] = device == device->root ? 0 : (uint8_t)(1 + device->index);
}

static void fill_units(const fake_device *device, ze_device_properties_t *properties) {
  properties->numThreadsPerEU = THREADS;
  properties->physicalEUSimdWidth = SIMD;
  properties->numEUsPerSubslice = UNITS;
  properties->numSubslicesPerSlice = SUBSLICES;
  properties->numSlices = slices(device);
  ze_eu_count_ext_t *units = fake_next(properties->pNext, ZE_STRUCTURE_TYPE_EU_COUNT_EXT);
  if (units)
    units->numTotalEUs = UNITS * SUBSLICES * slices(device);
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t handle, ze_device_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(properties, INVALID_NULL_POINTER, "zeDeviceGetProperties: properties are NULL");
  const bool old = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  if (!old)
    FAKE_STRUCT(properties, DEVICE_PROPERTIES_1_2);
  properties->type = fake_environment.cpu ? ZE_DEVICE_TYPE_CPU : ZE_DEVICE_TYPE_GPU;
  properties->vendorId = VENDOR;
  properties->deviceId = DEVICE_ID;
  properties->flags = fake_environment.integrated ? ZE_DEVICE_PROPERTY_FLAG_INTEGRATED : 0;
  properties->subdeviceId = 0;
  if (device != device->root) {
    properties->flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    properties->subdeviceId = device->index;
  }
  properties->coreClockRate = 1600;
  properties->maxMemAllocSize = fake_device_memory(device) / 2;
  properties->maxHardwareContexts = 64;
  properties->maxCommandQueuePriority = 0;
  fill_units(device, properties);
  properties->timerResolution = old ? 1000000000U / FAKE_TIMER : FAKE_TIMER;
  properties->timestampValidBits = fake_environment.timestamp_bits;
  properties->kernelTimestampValidBits = kernel_bits();
  fill_uuid(device, &properties->uuid);
  snprintf(properties->name, sizeof properties->name, "Level Zero device for tests %u",
           device->root->index);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t handle,
                                         ze_device_compute_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetComputeProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_COMPUTE_PROPERTIES);
  properties->maxTotalGroupSize = FAKE_GROUP_MAX;
  properties->maxGroupSizeX = FAKE_GROUP_MAX;
  properties->maxGroupSizeY = FAKE_GROUP_MAX;
  properties->maxGroupSizeZ = FAKE_GROUP_MAX;
  properties->maxGroupCountX = UINT32_MAX;
  properties->maxGroupCountY = UINT32_MAX;
  properties->maxGroupCountZ = UINT32_MAX;
  properties->maxSharedLocalMemory = FAKE_LOCAL_MAX;
  static const uint32_t sizes[] = {8, 16, 32};
  memset(properties->subGroupSizes, 0, sizeof properties->subGroupSizes);
  memcpy(properties->subGroupSizes, sizes, sizeof sizes);
  properties->numSubGroupSizes = sizeof sizes / sizeof sizes[0];
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t handle,
                                        ze_device_module_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetModuleProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_MODULE_PROPERTIES);
  const ze_device_fp_flags_t real =
      ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
      ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO | ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;
  properties->spirvVersionSupported = ZE_MAKE_VERSION(1, 2);
  properties->flags =
      ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  properties->fp16flags = real;
  properties->fp32flags = real | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  properties->fp64flags = real;
  properties->maxArgumentsSize = 2048;
  properties->printfBufferSize = 4 << 20;
  memset(&properties->nativeKernelSupported, 0, sizeof properties->nativeKernelSupported);
  memcpy(properties->nativeKernelSupported.id, "specpi 1", sizeof "specpi 1");
  ze_float_atomic_ext_properties_t *atomics =
      fake_next(properties->pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
  if (atomics && !fake_is_left_out(ZE_FLOAT_ATOMICS_EXT_NAME)) {
    const ze_device_fp_atomic_ext_flags_t flags =
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
    atomics->fp16Flags = 0;
    atomics->fp32Flags = flags;
    atomics->fp64Flags = flags;
  }
  return ZE_RESULT_SUCCESS;
}

static const fake_group groups[] = {
    {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
         ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS,
     128, 4},
    {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY, 16, 1},
    {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY, 16, 2},
};

uint32_t fake_group_count(void) {
  return 1 + fake_environment.copy_groups;
}

const fake_group *fake_group_of(uint32_t ordinal) {
  return ordinal < fake_group_count() ? &groups[ordinal] : NULL;
}

ze_result_t
zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t handle, uint32_t *count,
                                       ze_command_queue_group_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetCommandQueueGroupProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER,
               "zeDeviceGetCommandQueueGroupProperties: pCount is NULL");
  const uint32_t given = fake_give(count, properties != NULL, fake_group_count());
  for (uint32_t i = 0; i < given; i++)
    FAKE_STRUCT(&properties[i], COMMAND_QUEUE_GROUP_PROPERTIES);
  for (uint32_t i = 0; i < given; i++) {
    properties[i].flags = groups[i].flags;
    properties[i].maxMemoryFillPatternSize = groups[i].pattern;
    properties[i].numQueues = groups[i].queues;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t handle, uint32_t *count,
                                        ze_device_memory_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetMemoryProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDeviceGetMemoryProperties: pCount is NULL");
  if (fake_give(count, properties != NULL, 1) == 0)
    return ZE_RESULT_SUCCESS;
  FAKE_STRUCT(properties, DEVICE_MEMORY_PROPERTIES);
  properties->flags = 0;
  properties->maxClockRate = 3200;
  properties->maxBusWidth = 1024;
  properties->totalSize = fake_device_memory(device);
  snprintf(properties->name, sizeof properties->name, "%s",
           fake_environment.integrated ? "DDR" : "HBM");
  ze_device_memory_ext_properties_t *more =
      fake_next(properties->pNext, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES);
  if (more) {
    more->type = fake_environment.integrated ? ZE_DEVICE_MEMORY_EXT_TYPE_DDR4
                                             : ZE_DEVICE_MEMORY_EXT_TYPE_HBM2;
    more->physicalSize = fake_device_memory(device);
    more->readBandwidth = 400;
    more->writeBandwidth = 400;
    more->bandwidthUnit = ZE_BANDWIDTH_UNIT_BYTES_PER_NANOSEC;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t handle,
                                              ze_device_memory_access_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetMemoryAccessProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_MEMORY_ACCESS_PROPERTIES);
  const ze_memory_access_cap_flags_t concurrent =
      ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
      ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  properties->hostAllocCapabilities = concurrent;
  properties->deviceAllocCapabilities = concurrent;
  properties->sharedSingleDeviceAllocCapabilities = concurrent;
  properties->sharedCrossDeviceAllocCapabilities = concurrent;
  properties->sharedSystemAllocCapabilities = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t handle, uint32_t *count,
                                       ze_device_cache_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetCacheProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDeviceGetCacheProperties: pCount is NULL");
  if (fake_give(count, properties != NULL, 1) == 0)
    return ZE_RESULT_SUCCESS;
  FAKE_STRUCT(properties, DEVICE_CACHE_PROPERTIES);
  properties->flags = 0;
  properties->cacheSize = (size_t)slices(device) * (8 << 20);
  return ZE_RESULT_SUCCESS;
}

ze_result_t
zeDeviceGetExternalMemoryProperties(ze_device_handle_t handle,
                                    ze_device_external_memory_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetExternalMemoryProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  const ze_external_memory_type_flags_t files =
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF | ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  properties->memoryAllocationImportTypes = files;
  properties->memoryAllocationExportTypes = files;
  properties->imageImportTypes =
      fake_is_left_out(FAKE_BINDLESS_NAME) ? 0 : ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  properties->imageExportTypes = 0;
  return ZE_RESULT_SUCCESS;
}

bool fake_can_access_peer(const fake_device *device, const fake_device *peer) {
  if (device->driver != peer->driver)
    return false;
  return device->root == peer->root || fake_environment.peers;
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t handle, ze_device_handle_t peerHandle,
                                     ze_device_p2p_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetP2PProperties);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_FIND(fake_device, peer, peerHandle, DEVICE);
  FAKE_STRUCT(properties, DEVICE_P2P_PROPERTIES);
  properties->flags = fake_can_access_peer(device, peer)
                          ? ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS
                          : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t handle, ze_device_handle_t peerHandle,
                                  ze_bool_t *value) {
  FAKE_ENTER(zeDeviceCanAccessPeer);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_FIND(fake_device, peer, peerHandle, DEVICE);
  FAKE_REQUIRE(value, INVALID_NULL_POINTER, "zeDeviceCanAccessPeer: value is NULL");
  *value = fake_can_access_peer(device, peer);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t handle) {
  FAKE_ENTER(zeDeviceGetStatus);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t handle, uint64_t *host,
                                        uint64_t *device_time) {
  FAKE_ENTER(zeDeviceGetGlobalTimestamps);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(host && device_time, INVALID_NULL_POINTER,
               "zeDeviceGetGlobalTimestamps: a place is NULL");
  const uint64_t now = fake_now();
  *host = now;
  *device_time = fake_timestamp(now);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDevicePciGetPropertiesExt(ze_device_handle_t handle,
                                        ze_pci_ext_properties_t *properties) {
  FAKE_ENTER(zeDevicePciGetPropertiesExt);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_STRUCT(properties, PCI_EXT_PROPERTIES);
  if (fake_is_left_out(ZE_PCI_PROPERTIES_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeDevicePciGetPropertiesExt: FAKE_ZE_WITHOUT has the extension");
  properties->address.domain = 0;
  properties->address.bus = 0x10 * (1 + device->driver->index);
  properties->address.device = 1 + device->root->index;
  properties->address.function = 0;
  properties->maxSpeed.genVersion = 4;
  properties->maxSpeed.width = 16;
  properties->maxSpeed.maxBandwidth = INT64_C(31500000000);
  return ZE_RESULT_SUCCESS;
}
