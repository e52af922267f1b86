/* Drivers and devices of the fake Level Zero driver, and their properties. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "check.h"

#include <time.h>

CONTEXT_TEST(a_driver_reports_its_properties) {
  const check *test = *state;
  ze_api_version_t version;
  ok(zeDriverGetApiVersion(test->driver, &version));
  assert_int_equal(version, ZE_API_VERSION_1_4);
  ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  ok(zeDriverGetProperties(test->driver, &properties));
  assert_int_not_equal(properties.driverVersion, 0);
  ze_driver_ipc_properties_t ipc = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES};
  ok(zeDriverGetIpcProperties(test->driver, &ipc));
  assert_int_equal(ipc.flags, ZE_IPC_PROPERTY_FLAG_MEMORY);
  refused(INVALID_NULL_POINTER, "NULL", zeDriverGetApiVersion(test->driver, NULL));
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  refused(INVALID_ARGUMENT, "stype", zeDriverGetProperties(test->driver, &properties));
}

CONTEXT_TEST(a_driver_lists_its_extensions) {
  const check *test = *state;
  ze_driver_extension_properties_t extensions[64];
  uint32_t count = 0;
  ok(zeDriverGetExtensionProperties(test->driver, &count, NULL));
  assert_in_range(count, 10, 64);
  const uint32_t all = count;
  count = 64;
  ok(zeDriverGetExtensionProperties(test->driver, &count, extensions));
  assert_int_equal(count, all);
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    found = found || strcmp(extensions[i].name, ZE_MODULE_PROGRAM_EXP_NAME) == 0;
  assert_true(found);
  count = 1;
  memset(&extensions[1], 0x55, sizeof extensions[1]);
  ok(zeDriverGetExtensionProperties(test->driver, &count, extensions));
  assert_int_equal(count, 1);
  assert_int_equal(extensions[1].version, 0x55555555);
}

CONTEXT_TEST(a_device_has_two_sub_devices) {
  const check *test = *state;
  ze_device_handle_t parts[3] = {0};
  uint32_t count = 0;
  ok(zeDeviceGetSubDevices(test->device, &count, NULL));
  assert_int_equal(count, 2);
  count = 3;
  ok(zeDeviceGetSubDevices(test->device, &count, parts));
  assert_int_equal(count, 2);
  assert_null(parts[2]);
  ze_device_properties_t root = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ok(zeDeviceGetProperties(test->device, &root));
  assert_int_equal(root.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE, 0);
  ze_device_uuid_t uuids[2];
  uint32_t units = 0;
  for (uint32_t i = 0; i < 2; i++) {
    ze_device_properties_t part = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    ok(zeDeviceGetProperties(parts[i], &part));
    assert_int_equal(part.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE,
                     ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
    assert_int_equal(part.subdeviceId, i);
    assert_memory_not_equal(&part.uuid, &root.uuid, sizeof root.uuid);
    uuids[i] = part.uuid;
    units += part.numSlices;
    count = 0;
    ok(zeDeviceGetSubDevices(parts[i], &count, NULL));
    assert_int_equal(count, 0);
  }
  assert_memory_not_equal(&uuids[0], &uuids[1], sizeof uuids[0]);
  assert_int_equal(units, root.numSlices);
}

CONTEXT_TEST(clocks_are_in_nanoseconds_or_cycles) {
  const check *test = *state;
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ok(zeDeviceGetProperties(test->device, &properties));
  assert_int_equal(properties.timerResolution, 52);
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ok(zeDeviceGetProperties(test->device, &properties));
  assert_int_equal(properties.timerResolution, 19200000);
  assert_int_equal(properties.timestampValidBits, 36);
  assert_int_equal(properties.kernelTimestampValidBits, 32);
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  refused(INVALID_ARGUMENT, "stype", zeDeviceGetProperties(test->device, &properties));
}

CONTEXT_TEST(clocks_run_at_their_rate) {
  const check *test = *state;
  uint64_t host[2];
  uint64_t device[2];
  ok(zeDeviceGetGlobalTimestamps(test->device, &host[0], &device[0]));
  const struct timespec wait = {.tv_nsec = 20000000};
  nanosleep(&wait, NULL);
  ok(zeDeviceGetGlobalTimestamps(test->device, &host[1], &device[1]));
  const uint64_t passed = host[1] - host[0];
  const uint64_t ticks = (device[1] - device[0]) & ((UINT64_C(1) << 36) - 1);
  assert_true(passed >= 20000000);
  const uint64_t expected = passed * 192 / 10000;
  assert_in_range(ticks, expected - 1, expected + 1);
}

CONTEXT_TEST(a_device_has_one_compute_and_two_copy_groups) {
  const check *test = *state;
  ze_command_queue_group_properties_t groups[4];
  for (int i = 0; i < 4; i++)
    groups[i] = (ze_command_queue_group_properties_t){
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
  uint32_t count = 4;
  ok(zeDeviceGetCommandQueueGroupProperties(test->device, &count, groups));
  assert_int_equal(count, 3);
  assert_true(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  for (int i = 1; i < 3; i++) {
    assert_int_equal(groups[i].flags, ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
    assert_true(groups[i].maxMemoryFillPatternSize < groups[0].maxMemoryFillPatternSize);
  }
  groups[0].stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  refused(INVALID_ARGUMENT, "stype",
          zeDeviceGetCommandQueueGroupProperties(test->device, &count, groups));
}

CONTEXT_TEST(device_properties_are_consistent) {
  const check *test = *state;
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  ok(zeDeviceGetComputeProperties(test->device, &compute));
  assert_true(compute.maxGroupSizeX <= compute.maxTotalGroupSize);
  assert_in_range(compute.numSubGroupSizes, 1, ZE_SUBGROUPSIZE_COUNT);
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  ok(zeDeviceGetModuleProperties(test->device, &module));
  assert_int_equal(ZE_MAJOR_VERSION(module.spirvVersionSupported), 1);
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
  uint32_t count = 1;
  ok(zeDeviceGetMemoryProperties(test->device, &count, &memory));
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ok(zeDeviceGetProperties(test->device, &properties));
  assert_int_equal(memory.totalSize, 8ULL << 30);
  assert_true(properties.maxMemAllocSize <= memory.totalSize);
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  ok(zeDeviceGetMemoryAccessProperties(test->device, &access));
  assert_true(access.deviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  assert_int_equal(access.sharedSystemAllocCapabilities, 0);
  ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
  ok(zeDeviceGetCacheProperties(test->device, &count, &cache));
  assert_int_not_equal(cache.cacheSize, 0);
  ok(zeDeviceGetStatus(test->device));
}

CONTEXT_TEST(chained_structures_are_filled_in) {
  const check *test = *state;
  ze_eu_count_ext_t units = {.stype = ZE_STRUCTURE_TYPE_EU_COUNT_EXT};
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                       .pNext = &units};
  ok(zeDeviceGetProperties(test->device, &properties));
  assert_int_equal(units.numTotalEUs, properties.numSlices * properties.numSubslicesPerSlice *
                                          properties.numEUsPerSubslice);
  assert_ptr_equal(properties.pNext, &units);
  ze_float_atomic_ext_properties_t atomics = {.stype =
                                                  ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES};
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                          .pNext = &atomics};
  ok(zeDeviceGetModuleProperties(test->device, &module));
  assert_int_not_equal(atomics.fp32Flags, 0);
  assert_int_equal(atomics.fp16Flags, 0);
  ze_device_memory_ext_properties_t more = {.stype =
                                                ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES};
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES,
                                          .pNext = &more};
  uint32_t count = 1;
  ok(zeDeviceGetMemoryProperties(test->device, &count, &memory));
  assert_int_equal(more.physicalSize, memory.totalSize);
}

CONTEXT_TEST(a_device_has_a_pci_address) {
  const check *test = *state;
  ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  ok(zeDevicePciGetPropertiesExt(test->device, &pci));
  assert_int_equal(pci.address.bus, 0x10);
  assert_int_equal(pci.address.device, 1);
}

CONTEXT_TEST(a_device_can_access_itself) {
  const check *test = *state;
  ze_bool_t can = false;
  ok(zeDeviceCanAccessPeer(test->device, test->device, &can));
  assert_true(can);
  ze_device_p2p_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
  ok(zeDeviceGetP2PProperties(test->device, test->device, &properties));
  assert_true(properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
}

CONTEXT_TEST(a_context_allocates_on_its_devices_only) {
  const check *test = *state;
  ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context = NULL;
  ze_device_handle_t devices[] = {test->device, NULL};
  refused(INVALID_NULL_HANDLE, "NULL",
          zeContextCreateEx(test->driver, &desc, 2, devices, &context));
  refused(INVALID_SIZE, "at NULL", zeContextCreateEx(test->driver, &desc, 1, NULL, &context));
  refused(INVALID_NULL_POINTER, "NULL", zeContextCreate(test->driver, &desc, NULL));
  desc.flags = 2;
  refused(INVALID_ENUMERATION, "flags", zeContextCreate(test->driver, &desc, &context));
  assert_null(context);
  desc.flags = 0;
  uint32_t count = 1;
  ze_device_handle_t part;
  ok(zeDeviceGetSubDevices(test->device, &count, &part));
  ok(zeContextCreateEx(test->driver, &desc, 1, &part, &context));
  const ze_device_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *address = NULL;
  refused(INVALID_ARGUMENT, "not of the context",
          zeMemAllocDevice(context, &memory, 8, 8, test->device, &address));
  ok(zeMemAllocDevice(context, &memory, 8, 8, part, &address));
  ok(zeMemFree(context, address));
  ok(zeContextSystemBarrier(context, part));
  ok(zeContextDestroy(context));
}
