/* USM in Level Zero: the limit of allocations, parts and peers, failures of the driver. */
#include "../plugins/usm.h"
#include "world.h"

#include "../../plugins/level_zero/device.h"

enum { SIZE = 4096 };

/* Allocations beyond the device's limit use the extension, where the driver has it. */
WORLD_TEST(allocations_beyond_the_limit_need_the_extension) {
  pi_uint64 limit = 0;
  void *memory = NULL;
  must(piDeviceGetInfo(w.device, PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE, sizeof limit, &limit, NULL));
  const bool is_there = platform_has_extension(w.platform, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
  for (kind kind = HOST; kind < PLAIN; kind++) {
    if (is_there) {
      must(try_alloc(kind, none, limit + 4096, 0, &memory));
      must(piextUSMFree(w.context, memory));
    } else {
      fails(PI_ERROR_INVALID_BUFFER_SIZE, try_alloc(kind, none, limit + 4096, 0, &memory));
    }
    must(try_alloc(kind, none, limit, 0, &memory));
    must(piextUSMFree(w.context, memory));
  }
}

/* Shared memory without a device, memory of a part, and devices of another context. */
WORLD_TEST(memory_belongs_to_devices_of_its_context) {
  void *memory = NULL;
  pi_device parts[2] = {NULL, NULL}, others[2];
  must(piextUSMSharedAlloc(&memory, w.context, NULL, none, SIZE, 0));
  expect_info(memory, PI_MEM_TYPE_SHARED, memory, SIZE, NULL);
  must(piextUSMEnqueueMemset(w.queue, memory, 3, SIZE, 0, NULL, NULL));
  must(piextUSMFree(w.context, memory));
  const pi_device_partition_property partition[] = {
      PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  must(piDevicePartition(w.device, partition, 2, parts, NULL));
  must(piextUSMDeviceAlloc(&memory, w.context, parts[1], none, SIZE, 0));
  expect_info(memory, PI_MEM_TYPE_DEVICE, memory, SIZE, parts[1]);
  must(piextUSMFree(w.context, memory));
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, others, NULL));
  void *not_made = &w;
  fails(PI_ERROR_INVALID_DEVICE,
        piextUSMDeviceAlloc(&not_made, w.context, others[1], none, SIZE, 0));
  fails(PI_ERROR_INVALID_DEVICE,
        piextUSMSharedAlloc(&not_made, w.context, others[1], none, SIZE, 0));
  assert_ptr_equal(not_made, &w);
  for (int i = 0; i < 2; i++)
    must(piDeviceRelease(parts[i]));
}

/* In a context of several devices each reaches the memory of the others. */
WORLD_TEST(devices_of_a_context_reach_each_other_s_memory) {
  const pi_context context = context_of_all();
  pi_device devices[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  void *memory = NULL;
  unsigned char got[SIZE];
  pi_queue queue = NULL;
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  must(piextUSMDeviceAlloc(&memory, context, devices[0], none, SIZE, 0));
  must(piextQueueCreate(context, devices[1], in_order, &queue));
  must(piextUSMEnqueueMemset(queue, memory, 0x5c, SIZE, 0, NULL, NULL));
  must(piextUSMEnqueueMemcpy(queue, PI_TRUE, got, memory, SIZE, 0, NULL, NULL));
  assert_int_equal(got[0], 0x5c);
  assert_int_equal(got[SIZE - 1], 0x5c);
  expect_info(memory, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL); /* w.context is another one */
  fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory));
  must(piextUSMFree(context, memory));
  must(piQueueRelease(queue));
  must(piContextRelease(context));
}

/* A call that fails on the way leaves no object, and the output unchanged. */
WORLD_TEST(failed_allocations_leave_nothing) {
  static const char *const calls[] = {"zeMemAllocHost", "zeMemAllocDevice", "zeMemAllocShared"};
  void *memory = &w;
  for (kind kind = HOST; kind < PLAIN; kind++) {
    fake_ze_fail(calls[kind], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES, try_alloc(kind, none, SIZE, 0, &memory));
    assert_string_equal(fake_ze_unfail(), calls[kind]);
  }
  const pi_context context = context_of_all();
  const size_t before = fake_ze_live(FAKE_MEMORY);
  fake_ze_fail("zeContextMakeMemoryResident", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES, piextUSMDeviceAlloc(&memory, context, w.device, none, SIZE, 0));
  assert_string_equal(fake_ze_unfail(), "zeContextMakeMemoryResident");
  assert_int_equal(fake_ze_live(FAKE_MEMORY), before);
  assert_ptr_equal(memory, &w);
  must(piContextRelease(context));
  static const char *const queries[] = {"zeMemGetAllocProperties", "zeMemGetAddressRange"};
  unsigned char *host = new_memory(HOST, SIZE);
  pi_uint32 type = 99;
  for (int i = 0; i < 2; i++) {
    fake_ze_fail(queries[i], 1, ZE_RESULT_ERROR_DEVICE_LOST);
    fails(PI_ERROR_DEVICE_NOT_AVAILABLE, info(host, PI_MEM_ALLOC_TYPE, sizeof type, &type));
    fake_ze_fail(queries[i], 1, ZE_RESULT_ERROR_DEVICE_LOST);
    fails(PI_ERROR_DEVICE_NOT_AVAILABLE, piextUSMFree(w.context, host));
  }
  assert_int_equal(type, 99);
  free_memory(HOST, host);
}
