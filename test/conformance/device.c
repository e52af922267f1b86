/* Devices: enumeration, queries, sub-devices, image selection, native handles, timers. */
#include "fixture.h"

#include <stdlib.h>

INFO_CALL(device_info, pi_device, pi_device_info, piDeviceGetInfo)

TEST(device, get) {
  pi_uint32 count = 0;
  the_device();
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  pi_device *devices = calloc(count, sizeof *devices);
  expect(devices, "no memory");
  pi_uint32 again = 0;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, count, devices, &again));
  expect_equal(count, again);
  for (pi_uint32 i = 0; i < count; i++)
    expect(devices[i], "device %u is NULL", i);
  free(devices);
}

/* Each device has exactly one type. For a type without devices the call succeeds with count 0. */
TEST(device, get_by_type) {
  static const pi_device_type types[] = {PI_DEVICE_TYPE_CPU, PI_DEVICE_TYPE_GPU, PI_DEVICE_TYPE_ACC,
                                         PI_DEVICE_TYPE_CUSTOM};
  the_device();
  pi_uint32 all = 0;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 0, NULL, &all));
  pi_uint32 sum = 0;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    pi_uint32 count = 77;
    expect_success(pi.piDevicesGet(the_platform(), types[i], 0, NULL, &count));
    expect(count <= all, "type %u has %u devices, all have %u", (unsigned)types[i], count, all);
    sum += count;
  }
  expect_equal(all, sum);
}

TEST(device, get_refuses_null_platform) {
  pi_uint32 count;
  expect_error_keeps(PI_ERROR_INVALID_PLATFORM, count,
                     pi.piDevicesGet(NULL, PI_DEVICE_TYPE_ALL, 0, NULL, &count));
}

TEST(device, get_refuses_nothing_wanted) {
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 0, NULL, NULL));
}

TEST(device, get_refuses_no_room) {
  pi_device device;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, device,
                     pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 0, &device, NULL));
}

TEST(device, get_refuses_unknown_type) {
  pi_uint32 count;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE_TYPE, count,
                     pi.piDevicesGet(the_platform(), UINT64_C(0x100000), 0, NULL, &count));
}

/*
 * Returns whether a device may refuse the query: extensions, and properties that only some kinds of
 * device have. Every device answers the queries of OpenCL 1.2 and those that a runtime depends on.
 */
static bool optional_query(pi_uint32 query) {
  switch (query) {
  case PI_DEVICE_INFO_USM_HOST_SUPPORT:
  case PI_DEVICE_INFO_USM_DEVICE_SUPPORT:
  case PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT:
  case PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL:
  case PI_DEVICE_INFO_BUILD_ON_SUBDEVICE:
  case PI_DEVICE_INFO_ATOMIC_64:
  case PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES:
  case PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES:
    return false;
  default:
    return query > PI_DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS;
  }
}

QUERY_TESTS(device, query, pi_device_info, device_info, the_device(), optional_query,
            PI_ERROR_INVALID_DEVICE)

TEST(device, queries_make_sense) {
  pi_uint64 type = 0;
  device_answer(PI_DEVICE_INFO_TYPE, sizeof type, &type);
  expect(type & (PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU | PI_DEVICE_TYPE_ACC), "type is 0x%llx",
         (unsigned long long)type);
  pi_platform platform = NULL;
  device_answer(PI_DEVICE_INFO_PLATFORM, sizeof platform, &platform);
  expect_same(the_platform(), platform);
  pi_device parent = the_device();
  device_answer(PI_DEVICE_INFO_PARENT_DEVICE, sizeof parent, &parent);
  expect_same(NULL, parent);
  pi_bool available = PI_FALSE;
  device_answer(PI_DEVICE_INFO_AVAILABLE, sizeof available, &available);
  expect_equal(PI_TRUE, available);
  pi_uint32 bits = 0;
  device_answer(PI_DEVICE_INFO_ADDRESS_BITS, sizeof bits, &bits);
  expect_equal(64, bits);
  pi_uint32 dimensions = 0;
  device_answer(PI_DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, sizeof dimensions, &dimensions);
  expect(dimensions >= 3, "%u dimensions", dimensions);
  size_t sizes[3] = {0};
  size_t group = 0;
  device_answer(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes);
  device_answer(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, sizeof group, &group);
  expect(sizes[0] >= 1 && sizes[0] <= group, "a group of %zu, its first size %zu", group, sizes[0]);
}

/* A root device lives as long as its platform: releases that match no retain are harmless. */
TEST(device, root_references) {
  expect_success(pi.piDeviceRetain(the_device()));
  for (int i = 0; i < 3; i++)
    expect_success(pi.piDeviceRelease(the_device()));
  pi_bool available = PI_FALSE;
  device_answer(PI_DEVICE_INFO_AVAILABLE, sizeof available, &available);
  expect_equal(PI_TRUE, available);
}

TEST(device, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_DEVICE, pi.piDeviceRetain(NULL));
  expect_error(PI_ERROR_INVALID_DEVICE, pi.piDeviceRelease(NULL));
}

static bool partitions_by(pi_device_partition_property way) {
  size_t size = 0;
  expect_success(
      pi.piDeviceGetInfo(the_device(), PI_DEVICE_INFO_PARTITION_PROPERTIES, 0, NULL, &size));
  intptr_t ways[16] = {0};
  expect(size <= sizeof ways, "%zu bytes of partition properties", size);
  device_answer(PI_DEVICE_INFO_PARTITION_PROPERTIES, size, ways);
  for (size_t i = 0; i < size / sizeof ways[0]; i++)
    if (ways[i] == way)
      return true;
  return false;
}

static pi_uint32 compute_units(pi_device device) {
  pi_uint32 units = 0;
  expect_success(
      pi.piDeviceGetInfo(device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  return units;
}

/* Partitions the device, which must support it; returns the number of parts. */
static pi_uint32 partition(const pi_device_partition_property *way, pi_device *parts,
                           pi_uint32 room) {
  pi_uint32 count = 0;
  expect_success(pi.piDevicePartition(the_device(), way, 0, NULL, &count));
  expect(count > 0 && count <= room, "%u sub-devices, the test has space for %u", count, room);
  expect_success(pi.piDevicePartition(the_device(), way, count, parts, NULL));
  return count;
}

/* Checks that every part reports its parent, and releases the parts. */
static void check_parts(const pi_device *parts, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++) {
    pi_device parent = NULL;
    expect_success(
        pi.piDeviceGetInfo(parts[i], PI_DEVICE_INFO_PARENT_DEVICE, sizeof parent, &parent, NULL));
    expect_same(the_device(), parent);
    expect_success(pi.piDeviceRetain(parts[i]));
    expect_success(pi.piDeviceRelease(parts[i]));
    expect_success(pi.piDeviceRelease(parts[i]));
  }
}

/* Fills way for two parts with half of the compute units each; returns whether the device can. */
static bool halves(pi_device_partition_property way[3]) {
  const pi_uint32 units = compute_units(the_device());
  way[0] = PI_DEVICE_PARTITION_EQUALLY;
  way[1] = units / 2;
  way[2] = 0;
  return units >= 2 && partitions_by(PI_DEVICE_PARTITION_EQUALLY);
}

/* Fills way for parts that are separate in hardware, e.g. the tiles of a GPU; returns whether the
 * device can. */
static bool domains(pi_device_partition_property way[3]) {
  way[0] = PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
  way[1] = PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  way[2] = 0;
  return partitions_by(PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
}

TEST(device, partition_equally) {
  pi_device_partition_property way[3];
  pi_device parts[8] = {NULL};
  const pi_uint32 units = compute_units(the_device());
  if (!halves(way))
    skip_test("the device cannot be partitioned equally (%u compute units)", units);
  const pi_uint32 count = partition(way, parts, 8);
  expect_equal(units / (units / 2), count);
  check_parts(parts, count);
}

TEST(device, partition_by_affinity_domain) {
  pi_device_partition_property way[3];
  pi_device parts[8] = {NULL};
  if (!domains(way))
    skip_test("the device cannot be partitioned by affinity domains");
  const pi_uint32 count = partition(way, parts, 8);
  pi_uint32 units = 0;
  for (pi_uint32 i = 0; i < count; i++)
    units += compute_units(parts[i]);
  expect_equal(compute_units(the_device()), units);
  check_parts(parts, count);
}

/* A sub-device runs a kernel. */
TEST(device, partition_works) {
  pi_device_partition_property way[3];
  pi_device parts[8] = {NULL};
  cannot_show(PI_INDEX_piDevicePartition, true, "the device cannot be partitioned");
  if (!halves(way) && !domains(way))
    skip_test("the device can be partitioned neither equally nor by affinity domains");
  const pi_uint32 count = partition(way, parts, 8);
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_queue_properties plain[] = {PI_QUEUE_FLAGS, 0, 0};
  expect_success(pi.piContextCreate(NULL, 1, &parts[0], NULL, NULL, &context));
  expect_success(pi.piextQueueCreate(context, parts[0], plain, &queue));
  pi_mem buffer = NULL;
  expect_success(pi.piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &buffer, NULL));
  const char pattern = 0x3c;
  char got[64] = {0};
  char want[64];
  memset(want, pattern, sizeof want);
  expect_success(pi.piEnqueueMemBufferFill(queue, buffer, &pattern, 1, 0, 64, 0, NULL, NULL));
  expect_success(pi.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, 64, got, 0, NULL, NULL));
  expect_bytes(want, got, sizeof got);
  expect_success(pi.piMemRelease(buffer));
  expect_success(pi.piQueueRelease(queue));
  expect_success(pi.piContextRelease(context));
  for (pi_uint32 i = 0; i < count; i++)
    expect_success(pi.piDeviceRelease(parts[i]));
}

TEST(device, partition_by_counts) {
  pi_uint32 units = 0;
  device_answer(PI_DEVICE_INFO_MAX_COMPUTE_UNITS, sizeof units, &units);
  if (!partitions_by(PI_DEVICE_PARTITION_BY_COUNTS) || units < 2)
    skip_test("the device cannot be partitioned by counts (%u compute units)", units);
  const pi_device_partition_property by[] = {PI_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                             PI_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  pi_device parts[2] = {NULL};
  pi_uint32 count = 0;
  expect_success(pi.piDevicePartition(the_device(), by, 2, parts, &count));
  expect_equal(2, count);
  for (int i = 0; i < 2; i++) {
    pi_uint32 own = 0;
    expect_success(
        pi.piDeviceGetInfo(parts[i], PI_DEVICE_INFO_MAX_COMPUTE_UNITS, sizeof own, &own, NULL));
    expect_equal(1, own);
    expect_success(pi.piDeviceRelease(parts[i]));
  }
}

TEST(device, partition_refuses) {
  const pi_device_partition_property single[] = {PI_DEVICE_PARTITION_EQUALLY, 1, 0};
  const pi_device_partition_property unknown[] = {0x10ff, 1, 0};
  pi_uint32 count;
  pi_device part;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, count,
                     pi.piDevicePartition(NULL, single, 0, NULL, &count));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, count,
                     pi.piDevicePartition(the_device(), unknown, 0, NULL, &count));
  expect_refused_keeps(part, pi.piDevicePartition(the_device(), unknown, 1, &part, NULL));
}

/* Counts of compute units that overflow 32 bits, each or in sum. */
TEST(device, partition_refuses_huge_counts) {
  static const pi_device_partition_property ways[][4] = {
      {PI_DEVICE_PARTITION_BY_COUNTS, INT64_MAX, INT64_MAX, 0},
      {PI_DEVICE_PARTITION_BY_COUNTS, 0x80000000, 0x80000000, 0},
      {PI_DEVICE_PARTITION_BY_COUNTS, INT64_C(0x100000001), 1, 0}};
  pi_uint32 count;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    expect_refused_keeps(count, pi.piDevicePartition(the_device(), ways[i], 0, NULL, &count));
}

TEST(device, partition_refuses_null_properties) {
  pi_uint32 count;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, count,
                     pi.piDevicePartition(the_device(), NULL, 0, NULL, &count));
}

/*
 * Describes images, one per target. An image for a foreign target has the head of an ELF file for
 * no machine instead of the module, because plugins may look at the bytes, too.
 */
static void describe(pi_device_binary_struct *images, pi_device_binary *list,
                     const char *const *targets, pi_uint32 count) {
  static const unsigned char foreign[64] = "\177ELF\2\1\1";
  const module code = module_basic();
  for (pi_uint32 i = 0; i < count; i++) {
    const bool here = strncmp(targets[i], "spir", 4) == 0 || strcmp(targets[i], "nvptx64") == 0;
    images[i] = (pi_device_binary_struct){.Version = 2,
                                          .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                          .DeviceTargetSpec = targets[i],
                                          .CompileOptions = "",
                                          .LinkOptions = "",
                                          .BinaryStart = here ? code.bytes : foreign,
                                          .BinaryEnd = here ? code.bytes + code.size
                                                            : foreign + sizeof foreign};
    list[i] = &images[i];
  }
}

/* The plugin selects the one of three images that fits; if none fits the index is UINT32_MAX. */
static void check_selection(const char *target) {
  pi_device_binary_struct images[3];
  pi_device_binary list[3];
  const char *const one[] = {PI_DEVICE_BINARY_TARGET_AMDGCN, target,
                             PI_DEVICE_BINARY_TARGET_UNKNOWN};
  static const char *const none[] = {PI_DEVICE_BINARY_TARGET_AMDGCN, "no-such-target"};
  describe(images, list, one, 3);
  pi_uint32 index = UINT32_MAX;
  if (pi.piextDeviceSelectBinary(the_device(), list, 3, &index) == PI_ERROR_INVALID_BINARY)
    skip_test("the device takes no %s images", target);
  expect_success(pi.piextDeviceSelectBinary(the_device(), list, 3, &index));
  expect_equal(1, index);
  describe(images, list, none, 2);
  index = 0;
  expect_error(PI_ERROR_INVALID_BINARY, pi.piextDeviceSelectBinary(the_device(), list, 2, &index));
  expect_equal(UINT32_MAX, index);
}

TEST(device, select_binary) {
  check_selection(PI_DEVICE_BINARY_TARGET_SPIRV64);
}

TEST(device, select_binary_nvptx64) {
  check_selection(PI_DEVICE_BINARY_TARGET_NVPTX64);
}

/* PTX is refused if its version or its target is newer than any that exists. */
TEST(device, select_binary_looks_at_ptx) {
  static const char *const texts[] = {
      ".version 99.0\n.target sm_60\n.address_size 64\n",
      ".version 7.0\n.target sm_990\n.address_size 64\n",
      "//\n// comment\n//\n\n.version 7.0\n.target sm_60\n.address_size 64\n",
  };
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_NVPTX64,
                                        PI_DEVICE_BINARY_TARGET_NVPTX64,
                                        PI_DEVICE_BINARY_TARGET_NVPTX64};
  pi_device_binary_struct images[3];
  pi_device_binary list[3];
  pi_uint32 index = UINT32_MAX;
  if (!code_is_ptx())
    skip_test("about PTX images");
  describe(images, list, targets, 3);
  for (int i = 0; i < 3; i++) {
    images[i].BinaryStart = (const unsigned char *)texts[i];
    images[i].BinaryEnd = images[i].BinaryStart + strlen(texts[i]);
  }
  expect_success(pi.piextDeviceSelectBinary(the_device(), list, 3, &index));
  expect_equal(2, index);
  expect_error(PI_ERROR_INVALID_BINARY, pi.piextDeviceSelectBinary(the_device(), list, 2, &index));
  expect_equal(UINT32_MAX, index);
}

/* An image compiled for this kind of device is preferred to SPIR-V. */
TEST(device, select_binary_prefers_native) {
  pi_uint64 type = 0;
  device_answer(PI_DEVICE_INFO_TYPE, sizeof type, &type);
  if (type != PI_DEVICE_TYPE_CPU || the_backend() != PI_EXT_PLATFORM_BACKEND_OPENCL)
    skip_test("not an OpenCL CPU device");
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_SPIRV64,
                                        PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64,
                                        PI_DEVICE_BINARY_TARGET_SPIRV64};
  pi_device_binary_struct images[3];
  pi_device_binary list[3];
  describe(images, list, targets, 3);
  pi_uint32 index = UINT32_MAX;
  expect_success(pi.piextDeviceSelectBinary(the_device(), list, 3, &index));
  expect_equal(1, index);
}

/* Compilers label PTX as SPIR-V, because runtimes set constants on SPIR-V only. */
TEST(device, select_binary_looks_at_spirv) {
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_SPIRV64,
                                        PI_DEVICE_BINARY_TARGET_SPIRV64};
  static const unsigned char ptx[] = "//\n.version 7.0\n";
  pi_device_binary_struct images[2];
  pi_device_binary list[2];
  describe(images, list, targets, 2);
  images[0].Format = images[1].Format = PI_DEVICE_BINARY_TYPE_SPIRV;
  pi_uint32 index = UINT32_MAX;
  if (code_is_ptx())
    skip_test("the device takes PTX, whatever it is called");
  if (pi.piextDeviceSelectBinary(the_device(), list, 2, &index) == PI_ERROR_INVALID_BINARY)
    skip_test("the device takes no spir64 images");
  images[1].BinaryStart = ptx;
  images[1].BinaryEnd = ptx + sizeof ptx - 1;
  expect_success(pi.piextDeviceSelectBinary(the_device(), list, 2, &index));
  expect_equal(0, index);
  list[0] = &images[1];
  expect_error(PI_ERROR_INVALID_BINARY, pi.piextDeviceSelectBinary(the_device(), list, 1, &index));
  expect_equal(UINT32_MAX, index);
}

TEST(device, select_binary_refuses_null) {
  pi_device_binary_struct images[1];
  pi_device_binary list[1];
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_SPIRV64};
  describe(images, list, targets, 1);
  pi_uint32 index;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, index,
                     pi.piextDeviceSelectBinary(NULL, list, 1, &index));
  expect_refused(pi.piextDeviceSelectBinary(the_device(), NULL, 1, &index));
  expect_refused(pi.piextDeviceSelectBinary(the_device(), list, 0, &index));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextDeviceSelectBinary(the_device(), list, 1, NULL));
}

TEST(device, native_handle_round_trip) {
  pi_native_handle native = 0;
  pi_device back = NULL;
  if (!is_supported(pi.piextDeviceGetNativeHandle(the_device(), &native)))
    return;
  expect_success(pi.piextDeviceCreateWithNativeHandle(native, the_platform(), &back));
  expect_same(the_device(), back);
  expect_success(pi.piextDeviceCreateWithNativeHandle(native, NULL, &back));
  expect_same(the_device(), back);
}

TEST(device, native_handle_refuses_null) {
  pi_native_handle native;
  pi_device back;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, native, pi.piextDeviceGetNativeHandle(NULL, &native));
  /* Where 0 is a valid handle because handles are indices, the largest number is none. */
  pi_native_handle none = 0;
  pi_uint32 count;
  const pi_device *devices = the_devices(&count);
  if (pi.piextDeviceGetNativeHandle(devices[0], &native) == PI_SUCCESS && native == 0)
    none = UINTPTR_MAX;
  expect_refused_keeps(back, pi.piextDeviceCreateWithNativeHandle(none, the_platform(), &back));
}

TEST(device, native_handle_refuses_null_output) {
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextDeviceGetNativeHandle(the_device(), NULL));
  expect_success(pi.piextDeviceGetNativeHandle(the_device(), &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextDeviceCreateWithNativeHandle(native, the_platform(), NULL));
}

TEST(device, timers) {
  uint64_t device_time[2] = {0};
  uint64_t host_time[2] = {0};
  pi_result result = pi.piGetDeviceAndHostTimer(the_device(), &device_time[0], &host_time[0]);
  if (result == PI_ERROR_INVALID_OPERATION)
    skip_test("the device has no timer that can be read");
  expect_success(result);
  expect_success(pi.piGetDeviceAndHostTimer(the_device(), &device_time[1], &host_time[1]));
  expect(device_time[1] >= device_time[0] && host_time[1] >= host_time[0], "a timer runs back");
  expect_success(pi.piGetDeviceAndHostTimer(the_device(), NULL, &host_time[0]));
  expect_success(pi.piGetDeviceAndHostTimer(the_device(), &device_time[0], NULL));
  expect(device_time[0] >= device_time[1] && host_time[0] >= host_time[1], "a timer runs back");
}

TEST(device, timers_refuse_null) {
  uint64_t time;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, time, pi.piGetDeviceAndHostTimer(NULL, &time, NULL));
}
