/*
 * Pooled memory of Level Zero: the number of the driver's calls, native handles, devices and
 * contexts, the limit, and gathered commands.
 */
#define _XOPEN_SOURCE 700 /* setenv */
#include "../plugins/block_pool.h"
#include "world.h"

#include "../../plugins/level_zero/context.h"

#include <stdlib.h>

enum { SIZE = 4096, MIB = 1 << 20, PAIRS = 1000000, NATIVE_LIST = 1 };

#define LIMIT "SPECPI_LEVEL_ZERO_POOL_BYTES"

static unsigned long memory_calls(void) {
  return fake_ze_calls("zeMemAllocDevice") + fake_ze_calls("zeMemAllocShared") +
         fake_ze_calls("zeMemAllocHost") + fake_ze_calls("zeMemFree");
}

WORLD_TEST(a_million_pairs_cost_one_call) {
  const unsigned long before = memory_calls();
  for (int i = 0; i < PAIRS; i++)
    give_memory(take_memory(DEVICE, SIZE));
  assert_int_equal(memory_calls(), before + 1);
}

/* With kernels in flight the number of blocks is bounded by that of the commands in flight. */
WORLD_TEST(pairs_around_commands_cost_few_calls) {
  enum { COMMANDS = 2000 };
  const unsigned long before = memory_calls();
  for (int i = 0; i < COMMANDS; i++) {
    void *memory = take_memory(DEVICE, SIZE);
    set_bytes(w.queue, memory, i, SIZE, NULL);
    give_memory(memory);
  }
  must(piQueueFinish(w.queue));
  assert_true(memory_calls() - before < COMMANDS / 2);
}

/* A buffer of a pending command goes to the pool when the command has ended. */
WORLD_TEST(buffers_around_commands_cost_few_calls) {
  enum { COMMANDS = 200 };
  const unsigned long before = memory_calls();
  for (int i = 0; i < COMMANDS; i++) {
    const pi_mem buffer = new_buffer(SIZE, NULL);
    fill_buffer(w.queue, buffer, 1, NULL, NULL);
    must(piQueueFinish(w.queue));
    must(piMemRelease(buffer));
  }
  assert_true(memory_calls() - before < 4);
}

/* ---- Alignment and size ---- */

WORLD_TEST(a_block_has_the_alignment_that_was_asked_for) {
  for (pi_uint32 alignment = 1; alignment <= 65536; alignment *= 2) {
    void *memory = NULL, *idle = take_memory(DEVICE, SIZE);
    give_memory(idle);
    must(piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, SIZE, alignment));
    assert_int_equal((uintptr_t)memory % alignment, 0);
    assert_true((memory == idle) == (alignment <= 512));
    give_memory(memory);
  }
}

/* A block may be larger than the size that was asked for, but not than the driver allows. */
WORLD_TEST(the_largest_allocation_gets_no_larger_block) {
  const size_t most = w.device->driver.properties.maxMemAllocSize;
  setenv(LIMIT, "268435456", 1);
  void *memory = take_memory(HOST, most - most / 10);
  assert_int_equal(driver_size_of(memory), most - most / 10);
  give_memory(memory);
  assert_int_equal(live_memory(), 0);
  unsetenv(LIMIT);
}

/* ---- The limit ---- */

/* Allocates and frees five blocks of 20 MiB; returns how many stay in the pool. */
static size_t count_idle(const char *limit) {
  void *blocks[5];
  pi_context context = NULL;
  setenv(LIMIT, limit, 1);
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
  for (int i = 0; i < 5; i++)
    must(piextUSMDeviceAlloc(&blocks[i], context, w.device, NULL, 20 * MIB, 0));
  for (int i = 0; i < 5; i++)
    must(piextUSMFree(context, blocks[i]));
  const size_t idle = live_memory();
  must(piContextRelease(context));
  assert_int_equal(live_memory(), 0);
  unsetenv(LIMIT);
  return idle;
}

WORLD_TEST(the_variable_sets_the_limit) {
  assert_int_equal(count_idle(""), 3); /* a quarter of 256 MiB */
  assert_int_equal(count_idle("0"), 0);
  assert_int_equal(count_idle("45000000"), 2);
  assert_int_equal(count_idle("many"), 3);
  assert_int_equal(count_idle("-1"), 3);
}

/* ---- Native handles ---- */

static ze_event_handle_t make_event(ze_event_pool_handle_t *pool) {
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                          .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                          .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_handle_t event = NULL;
  driver(
      ze.EventPoolCreate(w.context->driver.context, &pool_desc, 1, &w.device->driver.device, pool));
  driver(ze.EventCreate(*pool, &desc, &event));
  return event;
}

/* The application's own command in the list of a queue waits for its own event. */
static void read_in_native_list(ze_command_list_handle_t list) {
  static unsigned char result[SIZE];
  ze_event_pool_handle_t pool = NULL;
  ze_event_handle_t event = make_event(&pool);
  void *first = take_memory(DEVICE, SIZE);
  set_bytes(w.queue, first, 1, SIZE, NULL);
  must(piQueueFinish(w.queue));
  driver(ze.CommandListAppendMemoryCopy(list, result, first, SIZE, NULL, 1, &event));
  give_memory(first);
  void *second = take_memory(DEVICE, SIZE);
  assert_ptr_not_equal(second, first);
  driver(ze.EventHostSignal(event));
  must(piQueueFinish(w.queue));
  assert_int_equal(result[SIZE - 1], 1);
  void *third = take_memory(DEVICE, SIZE);
  assert_ptr_equal(third, first);
  give_memory(second);
  give_memory(third);
  ze.EventDestroy(event);
  ze.EventPoolDestroy(pool);
}

/* Only a wait tells the end of lists that the application executes in a command queue. */
static void free_after_native_queue(void) {
  void *memory = take_memory(DEVICE, SIZE);
  give_memory(memory);
  assert_int_equal(live_memory(), 0);
}

WORLD_TEST(commands_by_a_native_handle_are_waited_for) {
  pi_native_handle native = 0;
  int32_t desc = -1;
  must(piextQueueGetNativeHandle(w.queue, &native, &desc));
  if (desc == NATIVE_LIST)
    read_in_native_list((ze_command_list_handle_t)native);
  else
    free_after_native_queue();
}

/* A command in a queue that the application has released would keep that queue alive. */
WORLD_TEST(a_free_adds_nothing_to_a_released_queue) {
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_event event = NULL;
  pi_native_handle native = 0;
  int32_t desc = -1;
  void *memory = NULL;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
  must(piextQueueCreate(context, w.device, in_order, &queue));
  must(piextQueueGetNativeHandle(queue, &native, &desc));
  must(piextUSMDeviceAlloc(&memory, context, w.device, NULL, SIZE, 0));
  must(piextUSMEnqueueMemset(queue, memory, 1, SIZE, 0, NULL, &event));
  must(piQueueFinish(queue));
  must(piQueueRelease(queue)); /* the event keeps the queue */
  must(piextUSMFree(context, memory));
  must(piEventRelease(event));
  must(piContextRelease(context));
}

/* ---- Devices and contexts ---- */

WORLD_TEST(each_device_has_blocks_of_its_own) {
  const pi_context context = context_of_all();
  pi_device devices[4];
  const pi_device_partition_property partition[] = {
      PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  must(piDevicePartition(w.device, partition, 2, devices + 2, NULL));
  void *blocks[4];
  for (int i = 0; i < 4; i++) {
    must(piextUSMDeviceAlloc(&blocks[i], context, devices[i], NULL, SIZE, 0));
    must(piextUSMFree(context, blocks[i]));
    for (int k = 0; k < i; k++)
      assert_ptr_not_equal(blocks[i], blocks[k]);
  }
  for (int i = 0; i < 4; i++) {
    void *again = NULL;
    pi_device owner = NULL;
    must(piextUSMDeviceAlloc(&again, context, devices[i], NULL, SIZE, 0));
    assert_ptr_equal(again, blocks[i]);
    must(piextUSMGetMemAllocInfo(context, again, PI_MEM_ALLOC_DEVICE, sizeof owner, &owner, NULL));
    assert_ptr_equal(owner, devices[i]);
    must(piextUSMFree(context, again));
  }
  must(piContextRelease(context));
  for (int i = 2; i < 4; i++)
    must(piDeviceRelease(devices[i]));
}

/* Another device reads a block, which then is not reused on its own device. */
WORLD_TEST(a_block_waits_for_the_commands_of_all_devices) {
  const pi_context context = context_of_all();
  pi_device devices[2];
  pi_queue queue = NULL;
  pi_event gate = NULL;
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  void *first = NULL, *second = NULL;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  must(piextQueueCreate(context, devices[1], in_order, &queue));
  must(piEventCreate(context, &gate));
  must(piextUSMDeviceAlloc(&first, context, devices[0], NULL, SIZE, 0));
  set_bytes(queue, first, 1, SIZE, gate);
  must(piextUSMFree(context, first));
  must(piextUSMDeviceAlloc(&second, context, devices[0], NULL, SIZE, 0));
  assert_ptr_not_equal(second, first);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piextUSMFree(context, second));
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
  must(piContextRelease(context));
}

/* The application may make two such contexts, and free memory of one in the other. */
WORLD_TEST(a_context_of_the_application_has_no_pool) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t native = NULL;
  pi_context contexts[2] = {NULL, NULL};
  void *memory = NULL;
  driver(ze.ContextCreate(w.platform->driver.driver, &desc, &native));
  for (int i = 0; i < 2; i++)
    must(piextContextCreateWithNativeHandle((pi_native_handle)native, 1, &w.device, false,
                                            &contexts[i]));
  must(piextUSMDeviceAlloc(&memory, contexts[0], w.device, NULL, SIZE, 0));
  must(piextUSMFree(contexts[1], memory));
  assert_int_equal(live_memory(), 0);
  for (int i = 0; i < 2; i++)
    must(piContextRelease(contexts[i]));
  driver(ze.ContextDestroy(native));
}
