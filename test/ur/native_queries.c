/* Level Zero's functions for kernels, devices, memory and events, without commands of its own. */
#include "native.h"

TEST(group_sizes_are_suggested_and_checked) {
  ze_module_handle_t module = NULL;
  assert_ze(native_module(MODULE_arguments, NULL, &module, NULL));
  const ze_kernel_handle_t kernel = native_kernel(module, "add");
  const ze_kernel_handle_t fixed = native_kernel(module, "fixed_group");
  uint32_t size[3] = {0}, count = 0, flags = 0;
  assert_ze(ZE(zeKernelSuggestGroupSize)(kernel, 1024, 3, 1, &size[0], &size[1], &size[2]));
  assert_int_equal(1024 % size[0], 0);
  assert_int_equal(3 % size[1], 0);
  assert_true(size[0] * size[1] * size[2] > 1);
  assert_ze(ZE(zeKernelSuggestGroupSize)(fixed, 64, 64, 1, &size[0], &size[1], &size[2]));
  assert_int_equal(size[0], 4);
  assert_int_equal(size[1], 2);
  assert_ze_refused(ZE(zeKernelSuggestGroupSize)(kernel, 5, 0, 1, &size[0], &size[1], &size[2]),
                    INVALID_GLOBAL_WIDTH_DIMENSION, "5x0x1");
  assert_ze(ZE(zeKernelSuggestMaxCooperativeGroupCount)(kernel, &count));
  assert_true(count > 0);
  assert_ze_refused(ZE(zeKernelSetGroupSize)(kernel, 0, 1, 1), INVALID_GROUP_SIZE_DIMENSION,
                    "0x1x1");
  assert_int_equal(ZE(zeKernelSetGroupSize)(kernel, 1024, 2, 1),
                   ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_int_equal(ZE(zeKernelSetGroupSize)(fixed, 8, 1, 1),
                   ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  assert_ze(ZE(zeKernelSetGroupSize)(fixed, 4, 2, 1));
  assert_ze(ZE(zeKernelSetIndirectAccess)(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST));
  assert_ze(ZE(zeKernelGetIndirectAccess)(kernel, &flags));
  assert_int_equal(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST);
  assert_ze_refused(ZE(zeKernelSetIndirectAccess)(kernel, 8), INVALID_ENUMERATION, "0x8");
  assert_ze(ZE(zeKernelSetCacheConfig)(kernel, ZE_CACHE_CONFIG_FLAG_LARGE_DATA));
  assert_ze_refused(ZE(zeKernelSetCacheConfig)(kernel, 4), INVALID_ENUMERATION, "0x4");
  char *text = NULL;
  assert_ze(ZE(zeKernelGetSourceAttributes)(kernel, &count, &text));
  assert_string_equal(text, "");
  assert_ze(ZE(zeKernelDestroy)(kernel));
  assert_ze(ZE(zeKernelDestroy)(fixed));
  assert_ze(ZE(zeModuleDestroy)(module));
}

TEST(devices_describe_queues_and_caches) {
  uint32_t count = 0;
  ze_command_queue_group_properties_t group = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
  ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
  ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES,
                                        .maxSamplers = 7};
  ze_device_p2p_properties_t peer = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
  ze_device_properties_t times = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
  ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  assert_ze(ZE(zeDeviceGetCommandQueueGroupProperties)(native_device, &count, NULL));
  assert_int_equal(count, 1);
  assert_ze(ZE(zeDeviceGetCommandQueueGroupProperties)(native_device, &count, &group));
  assert_true(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  assert_true(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  assert_int_equal(group.numQueues, 1);
  count = 5;
  assert_ze(ZE(zeDeviceGetCacheProperties)(native_device, &count, &cache));
  assert_int_equal(count, 1);
  assert_true(cache.cacheSize > 0);
  assert_ze(ZE(zeDeviceGetImageProperties)(native_device, &image));
  assert_int_equal(image.maxSamplers, 0);
  assert_ze(ZE(zeDeviceGetP2PProperties)(native_device, native_device, &peer));
  assert_true(peer.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
  assert_ze(ZE(zeDeviceGetProperties)(native_device, &times));
  assert_int_equal(times.timerResolution, 1000000000);
  assert_ze(ZE(zeDevicePciGetPropertiesExt)(native_device, &pci));
  assert_int_equal(pci.maxSpeed.genVersion, -1);
}

TEST(memory_is_resident_and_freed) {
  const ze_memory_free_ext_desc_t now = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
                                         .freePolicy =
                                             ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  const ze_memory_free_ext_desc_t wrong = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
                                           .freePolicy = 4};
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  void *memory = NULL;
  int outside = 0;
  assert_ze(ZE(zeMemAllocDevice)(native_context, &desc, 64, 0, native_device, &memory));
  assert_ze(ZE(zeContextMakeMemoryResident)(native_context, native_device, memory, 64));
  assert_ze(ZE(zeContextEvictMemory)(native_context, native_device, memory, 64));
  /* A device that reaches all memory of the process takes any pointer. */
  assert_ze(ZE(zeDeviceGetMemoryAccessProperties)(native_device, &access));
  const ze_result_t result =
      ZE(zeContextMakeMemoryResident)(native_context, native_device, &outside, sizeof outside);
  if (access.sharedSystemAllocCapabilities == 0)
    assert_ze_refused(result, INVALID_ARGUMENT, "is no USM allocation");
  else
    assert_ze(result);
  assert_ze_refused(ZE(zeMemFreeExt)(native_context, &wrong, memory), INVALID_ENUMERATION, "0x4");
  assert_ze(ZE(zeMemFreeExt)(native_context, &now, memory));
}

TEST(virtual_memory_is_mapped_and_used) {
  size_t page = 0, span = 0;
  void *start = NULL;
  ze_physical_mem_handle_t physical = NULL;
  ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
  assert_ze(ZE(zeVirtualMemQueryPageSize)(native_context, native_device, 1, &page));
  ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = page};
  assert_ze(ZE(zeVirtualMemReserve)(native_context, NULL, page, &start));
  assert_ze(ZE(zePhysicalMemCreate)(native_context, native_device, &desc, &physical));
  assert_ze(ZE(zeVirtualMemMap)(native_context, start, page, physical, 0,
                                ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  uint32_t *out = run_memory(4);
  const uint32_t number = 0x08080808;
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, start, &number, 4, 0, NULL, NULL));
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, out, start, 4, 0, NULL, NULL));
  assert_int_equal(*out, number);
  assert_ze(ZE(zeVirtualMemSetAccessAttribute)(native_context, start, page,
                                               ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  assert_ze(ZE(zeVirtualMemGetAccessAttribute)(native_context, start, page, &access, &span));
  assert_int_equal(access, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY);
  assert_int_equal(span, page);
  assert_ze_refused(ZE(zeVirtualMemUnmap)(native_context, start, page + 1), UNSUPPORTED_SIZE,
                    "a page has");
  assert_ze_refused(ZE(zeVirtualMemUnmap)(native_context, (char *)start + 1, page),
                    UNSUPPORTED_ALIGNMENT, "a page has");
  assert_ze_refused(ZE(zeVirtualMemSetAccessAttribute)(native_context, start, page,
                                                       (ze_memory_access_attribute_t)9),
                    INVALID_ENUMERATION, "access is 9");
  assert_ze(ZE(zeVirtualMemUnmap)(native_context, start, page));
  assert_ze(ZE(zePhysicalMemDestroy)(native_context, physical));
  assert_ze(ZE(zeVirtualMemFree)(native_context, start, page));
  run_free(out);
}

/* ---- Events ---- */

/* The runtime takes over an event, which the application signals afterwards. */
TEST(an_event_is_given_to_the_runtime) {
  const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  const ur_event_native_properties_t owned = {UR_STRUCTURE_TYPE_EVENT_NATIVE_PROPERTIES, NULL,
                                              true};
  ze_event_pool_handle_t own = NULL;
  ze_event_handle_t event = NULL;
  ur_event_handle_t adopted = NULL;
  assert_ze(ZE(zeEventPoolCreate)(native_context, &desc, 0, NULL, &own));
  assert_ze(ZE(zeEventCreate)(own, &event_desc, &event));
  assert_ok(UR(urEventCreateWithNativeHandle)((ur_native_handle_t)event, place.context, &owned,
                                              &adopted));
  assert_ze(ZE(zeEventHostSignal)(event));
  assert_ok(UR(urEventWait)(1, &adopted));
  assert_ok(UR(urEventRelease)(adopted));
  assert_ze(ZE(zeEventPoolDestroy)(own));
}

TEST(the_host_signals_and_resets) {
  const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 2};
  const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 1};
  ze_event_pool_handle_t pool = NULL;
  ze_event_handle_t event = NULL;
  ur_event_handle_t first = NULL, second = NULL;
  assert_ze(ZE(zeEventPoolCreate)(native_context, &desc, 1, &native_device, &pool));
  assert_ze(ZE(zeEventCreate)(pool, &event_desc, &event));
  assert_int_equal(ZE(zeEventQueryStatus)(event), ZE_RESULT_NOT_READY);
  assert_int_equal(ZE(zeEventHostSynchronize)(event, 1000), ZE_RESULT_NOT_READY);
  /* Events of the runtime from before and after a reset. */
  const ur_native_handle_t native = (ur_native_handle_t)event;
  assert_ok(UR(urEventCreateWithNativeHandle)(native, place.context, NULL, &first));
  assert_ze(ZE(zeEventHostSignal)(event));
  assert_ze(ZE(zeEventQueryStatus)(event));
  assert_ze(ZE(zeEventHostSynchronize)(event, UINT64_MAX));
  assert_ok(UR(urEventWait)(1, &first));
  assert_ze(ZE(zeEventHostReset)(event));
  assert_int_equal(ZE(zeEventQueryStatus)(event), ZE_RESULT_NOT_READY);
  assert_ok(UR(urEventCreateWithNativeHandle)(native, place.context, NULL, &second));
  assert_answer(urEventGetInfo, second, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, uint32_t,
                UR_EVENT_STATUS_SUBMITTED);
  assert_answer(urEventGetInfo, first, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, uint32_t,
                UR_EVENT_STATUS_COMPLETE);
  /* The place in the pool is free again once the event is destroyed. */
  assert_ze_refused(ZE(zeEventCreate)(pool, &event_desc, &event), INVALID_ARGUMENT,
                    "has an event already");
  assert_ze(ZE(zeEventDestroy)(event));
  assert_ze_refused(ZE(zeEventQueryStatus)(event), INVALID_ARGUMENT, "not a live handle");
  assert_ze(ZE(zeEventCreate)(pool, &event_desc, &event));
  assert_ze(ZE(zeEventDestroy)(event));
  assert_ze(ZE(zeEventPoolDestroy)(pool));
  assert_ok(UR(urEventRelease)(first));
  assert_ok(UR(urEventRelease)(second));
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(native_open, run_close);
}
