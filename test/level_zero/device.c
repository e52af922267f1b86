/* The Level Zero driver's numbers as PI's answers, parts of devices, timers, image selection. */
#include "../plugins/device.h"
#include "world.h"

#include "../../plugins/level_zero/device.h"

#include <stdio.h>

/* Returns the driver's handle of a device. */
static ze_device_handle_t native_of(pi_device device) {
  pi_native_handle native = 0;
  must(piextDeviceGetNativeHandle(device, &native));
  return (ze_device_handle_t)native; // NOLINT(performance-no-int-to-ptr)
}

static ze_device_properties_t properties_of(ze_device_handle_t device) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
  driver(ze.DeviceGetProperties(device, &properties));
  return properties;
}

/* The answers that runtimes read. */
WORLD_TEST(runtimes_find_their_answers) {
  char text[2048];
  char expected[64];
  ask_text(PI_DEVICE_INFO_EXTENSIONS, text, sizeof text);
  static const char *const words[] = {"cl_khr_il_program", "cl_khr_subgroups",
                                      "ur_exp_command_buffer", "cl_intel_unified_shared_memory"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    assert_true(has_word(text, words[i]));
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  driver(ze.DeviceGetModuleProperties(native_of(w.device), &module));
  assert_int_equal(has_word(text, "cl_khr_fp16"), (module.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0);
  assert_int_equal(has_word(text, "cl_khr_fp64"), (module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0);
  assert_int_equal(ask4(PI_DEVICE_INFO_COMPILER_AVAILABLE), PI_TRUE);
  ask_text(PI_DEVICE_INFO_BACKEND_VERSION, text, sizeof text);
  ze_api_version_t version = ZE_API_VERSION_1_0;
  driver(ze.DriverGetApiVersion(w.platform->driver.driver, &version));
  snprintf(expected, sizeof expected, "%u.%u", ZE_MAJOR_VERSION(version),
           ZE_MINOR_VERSION(version));
  assert_string_equal(text, expected);
  ask_text(PI_DEVICE_INFO_IL_VERSION, text, sizeof text);
  snprintf(expected, sizeof expected, "SPIR-V_%u.%u",
           ZE_MAJOR_VERSION(module.spirvVersionSupported),
           ZE_MINOR_VERSION(module.spirvVersionSupported));
  assert_string_equal(text, expected);
}

WORLD_TEST(numbers_come_from_the_driver) {
  const ze_device_properties_t properties = properties_of(native_of(w.device));
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  driver(ze.DeviceGetComputeProperties(native_of(w.device), &compute));
  assert_int_equal(ask8(PI_DEVICE_INFO_TYPE),
                   properties.type == ZE_DEVICE_TYPE_CPU ? PI_DEVICE_TYPE_CPU : PI_DEVICE_TYPE_GPU);
  assert_int_equal(ask4(PI_DEVICE_INFO_VENDOR_ID), properties.vendorId);
  assert_int_equal(ask4(PI_DEVICE_INFO_DEVICE_ID), properties.deviceId);
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY), properties.coreClockRate);
  assert_int_equal(ask8(PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE), properties.maxMemAllocSize);
  assert_int_equal(ask8(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE), compute.maxTotalGroupSize);
  assert_int_equal(ask8(PI_DEVICE_INFO_LOCAL_MEM_SIZE), compute.maxSharedLocalMemory);
  size_t sizes[3] = {0};
  ask(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes);
  assert_int_equal(sizes[0], compute.maxGroupSizeX);
  assert_int_equal(sizes[2], compute.maxGroupSizeZ);
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, sizeof sizes, sizes);
  assert_int_equal(sizes[1], compute.maxGroupCountY);
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, 2 * sizeof sizes[0], sizes);
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, sizeof sizes[0], sizes);
  size_t groups[ZE_SUBGROUPSIZE_COUNT] = {0};
  ask(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, compute.numSubGroupSizes * sizeof groups[0], groups);
  for (uint32_t i = 0; i < compute.numSubGroupSizes; i++)
    assert_int_equal(groups[i], compute.subGroupSizes[i]);
  unsigned char uuid[16];
  ask(PI_DEVICE_INFO_UUID, sizeof uuid, uuid);
  assert_memory_equal(uuid, properties.uuid.id, sizeof uuid);
  ze_device_memory_access_properties_t access = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  driver(ze.DeviceGetMemoryAccessProperties(native_of(w.device), &access));
  /* The bits are the same in PI and in Level Zero. */
  assert_int_equal(ask8(PI_DEVICE_INFO_USM_HOST_SUPPORT), access.hostAllocCapabilities);
  assert_int_equal(ask8(PI_DEVICE_INFO_USM_DEVICE_SUPPORT), access.deviceAllocCapabilities);
  assert_int_equal(ask8(PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT),
                   access.sharedSystemAllocCapabilities);
  uint32_t count = 1;
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
  driver(ze.DeviceGetMemoryProperties(native_of(w.device), &count, &memory));
  assert_int_equal(ask8(PI_DEVICE_INFO_GLOBAL_MEM_SIZE), memory.totalSize);
}

static pi_uint32 references(pi_device device) {
  pi_uint32 count = 0;
  ask_of(device, PI_DEVICE_INFO_REFERENCE_COUNT, sizeof count, &count);
  return count;
}

/* Every supported way to partition a device, and the others. */
WORLD_TEST(devices_are_partitioned) {
  pi_device_partition_property by[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                       PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  pi_uint32 count = 0;
  pi_device made[3] = {NULL, NULL, NULL};
  must(piDevicePartition(w.device, by, 0, NULL, &count));
  assert_int_equal(count, 2);
  assert_int_equal(ask4(PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES), 2);
  must(piDevicePartition(w.device, by, 3, made, NULL));
  assert_non_null(made[1]);
  assert_null(made[2]);
  by[1] = PI_DEVICE_AFFINITY_DOMAIN_NUMA;
  pi_device again[2] = {NULL, NULL};
  must(piDevicePartition(w.device, by, 2, again, &count));
  assert_ptr_equal(again[0], made[0]);
  assert_int_equal(references(made[0]), 2);
  pi_device_partition_property way[3] = {0};
  ask(PI_DEVICE_INFO_PARTITION_PROPERTIES, sizeof way[0], way);
  assert_int_equal(way[0], PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  ask_of(made[1], PI_DEVICE_INFO_PARTITION_TYPE, sizeof way, way);
  assert_int_equal(way[1], PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
  pi_device parent = NULL;
  ask_of(made[1], PI_DEVICE_INFO_PARENT_DEVICE, sizeof parent, (void *)&parent);
  assert_ptr_equal(parent, w.device);
  assert_true(native_of(made[0]) != native_of(made[1]));
  pi_device back = NULL;
  must(piextDeviceCreateWithNativeHandle((pi_native_handle)native_of(made[1]), NULL, &back));
  assert_ptr_equal(back, made[1]);
  /* A part cannot be partitioned again. */
  fails(PI_ERROR_DEVICE_PARTITION_FAILED, piDevicePartition(made[0], by, 2, again, NULL));
  for (int i = 0; i < 2; i++) {
    must(piDeviceRetain(made[i]));
    assert_int_equal(references(made[i]), 3);
    for (int k = 0; k < 5; k++)
      must(piDeviceRelease(made[i]));
    assert_int_equal(references(made[i]), 0);
  }
}

WORLD_TEST(other_partitions_are_refused) {
  static const pi_device_partition_property wrong[][4] = {
      {PI_DEVICE_PARTITION_EQUALLY, 1, 0},
      {PI_DEVICE_PARTITION_BY_COUNTS, 1, 0},
      {PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE, 0},
      {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0},
      {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NUMA, 1, 0},
      {0},
  };
  static const pi_device_partition_property right[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                       PI_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  pi_device made[2] = {NULL, NULL};
  pi_uint32 count = 77;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    fails(PI_ERROR_INVALID_VALUE, piDevicePartition(w.device, wrong[i], 2, made, &count));
  fails(PI_ERROR_INVALID_VALUE, piDevicePartition(w.device, NULL, 2, made, &count));
  fails(PI_ERROR_INVALID_VALUE, piDevicePartition(w.device, right, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_VALUE, piDevicePartition(w.device, right, 1, made, &count));
  fails(PI_ERROR_INVALID_DEVICE, piDevicePartition(NULL, right, 2, made, &count));
  assert_null(made[0]);
  assert_int_equal(count, 77);
}

/* Both clocks advance, by the same amount. */
WORLD_TEST(both_clocks_advance_alike) {
  uint64_t device[2] = {0, 0};
  uint64_t host[2] = {0, 0};
  must(piGetDeviceAndHostTimer(w.device, &device[0], &host[0]));
  do
    must(piGetDeviceAndHostTimer(w.device, &device[1], &host[1]));
  while (host[1] - host[0] < 20000000);
  const double ratio = (double)(device[1] - device[0]) / (double)(host[1] - host[0]);
  assert_true(ratio > 0.9 && ratio < 1.1);
  must(piGetDeviceAndHostTimer(w.device, NULL, NULL));
  assert_true(ask8(PI_DEVICE_INFO_PROFILING_TIMER_RESOLUTION) >= 1);
  fails(PI_ERROR_INVALID_DEVICE, piGetDeviceAndHostTimer(NULL, &device[0], &host[0]));
  fake_ze_fail("zeDeviceGetGlobalTimestamps", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  device[0] = 77;
  fails(PI_ERROR_INVALID_OPERATION, piGetDeviceAndHostTimer(w.device, &device[0], NULL));
  assert_int_equal(device[0], 77);
  assert_non_null(fake_ze_unfail());
}

/* ---- The choice of an image ---- */

static pi_uint32 select_test_image(size_t count, const char *const *targets, const char *bytes) {
  struct pi_device_binary_struct images[4];
  pi_device_binary list[4];
  memset(images, 0, sizeof images);
  for (size_t i = 0; i < count; i++) {
    images[i].Version = PI_DEVICE_BINARY_VERSION;
    images[i].Format = PI_DEVICE_BINARY_TYPE_SPIRV;
    images[i].DeviceTargetSpec = targets[i];
    images[i].BinaryStart = (const unsigned char *)bytes;
    images[i].BinaryEnd = (const unsigned char *)bytes + 8;
    list[i] = &images[i];
  }
  pi_uint32 index = 77;
  const pi_result result = piextDeviceSelectBinary(w.device, list, (pi_uint32)count, &index);
  assert_int_equal(result, index == UINT32_MAX ? PI_ERROR_INVALID_BINARY : PI_SUCCESS);
  return index;
}

WORLD_TEST(the_best_image_is_chosen) {
  static const char spirv[] = "\x03\x02\x23\x07....";
  const bool is_gpu = ask8(PI_DEVICE_INFO_TYPE) == PI_DEVICE_TYPE_GPU;
  static const char *const portable[] = {"spir64", "nvptx64", "spir64"};
  static const char *const native[] = {"spir64", "spir64_gen", "spir64_gen", "spir64"};
  static const char *const others[] = {"spir64_x86_64", "nvptx64", NULL};
  assert_int_equal(select_test_image(3, portable, spirv), 2);
  assert_int_equal(select_test_image(4, native, spirv), is_gpu ? 1 : 3);
  assert_int_equal(select_test_image(3, others, spirv), UINT32_MAX);
  /* The plugin does not take PTX that is labelled SPIR-V. */
  assert_int_equal(select_test_image(1, portable, ".version"), UINT32_MAX);
  pi_uint32 index = 77;
  pi_device_binary none[1] = {NULL};
  fails(PI_ERROR_INVALID_VALUE, piextDeviceSelectBinary(w.device, NULL, 1, &index));
  fails(PI_ERROR_INVALID_VALUE, piextDeviceSelectBinary(w.device, none, 1, &index));
  fails(PI_ERROR_INVALID_VALUE, piextDeviceSelectBinary(w.device, none, 0, &index));
  fails(PI_ERROR_INVALID_DEVICE, piextDeviceSelectBinary(NULL, none, 1, &index));
  assert_int_equal(index, 77);
}
