/*
 * Level Zero's command lists, queues, events and fences on native handles of a SYCL runtime's
 * objects.
 */
#include "native.h"

#include <pthread.h>
#include <string.h>

/* Declared by later releases of Level Zero. */
ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout);

enum { COUNT = 64, POOL_EVENTS = 4 };

static ze_command_list_handle_t immediate; /* asynchronous */
static ze_command_queue_handle_t queue;
static ze_event_pool_handle_t pool; /* with times */
static ze_event_handle_t events[POOL_EVENTS];
static ze_module_handle_t module;

/* ---- The fixture ---- */

static ze_command_list_handle_t make_list(void) {
  const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list = NULL;
  assert_ze(ZE(zeCommandListCreate)(native_context, native_device, &desc, &list));
  return list;
}

static ze_event_handle_t make_event(uint32_t index) {
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = index};
  ze_event_handle_t event = NULL;
  assert_ze(ZE(zeEventCreate)(pool, &desc, &event));
  return event;
}

static int open_commands(void **state) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  const ze_event_pool_desc_t events_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .flags = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                            .count = POOL_EVENTS + 1};
  if (native_open(state) != 0)
    return -1;
  assert_ze(ZE(zeCommandListCreateImmediate)(native_context, native_device, &desc, &immediate));
  assert_ze(ZE(zeCommandQueueCreate)(native_context, native_device, &desc, &queue));
  assert_ze(ZE(zeEventPoolCreate)(native_context, &events_desc, 1, &native_device, &pool));
  for (uint32_t i = 0; i < POOL_EVENTS; i++)
    events[i] = make_event(i);
  assert_ze(native_module(MODULE_arguments, NULL, &module, NULL));
  return 0;
}

static int close_commands(void **state) {
  assert_ze(ZE(zeModuleDestroy)(module));
  for (uint32_t i = 0; i < POOL_EVENTS; i++)
    assert_ze(ZE(zeEventDestroy)(events[i]));
  assert_ze(ZE(zeEventPoolDestroy)(pool));
  assert_ze(ZE(zeCommandQueueDestroy)(queue));
  assert_ze(ZE(zeCommandListDestroy)(immediate));
  return run_close(state);
}

static int reset_events(void **state) {
  (void)state;
  for (uint32_t i = 0; i < POOL_EVENTS; i++)
    assert_ze(ZE(zeEventHostReset)(events[i]));
  return 0;
}

#define NATIVE_COMMANDS_TEST(name) TEST_WITH(name, NULL, reset_events)

/* Sets the arguments of kernel add; a and b are the same. */
static void set_sum(ze_kernel_handle_t kernel, const int *number, int *out) {
  assert_ze(ZE(zeKernelSetArgumentValue)(kernel, 0, sizeof number, &number));
  assert_ze(ZE(zeKernelSetArgumentValue)(kernel, 1, sizeof number, &number));
  assert_ze(ZE(zeKernelSetArgumentValue)(kernel, 2, sizeof out, &out));
}

/* Shared memory with the numbers first, first + 1, ... */
static int *make_numbers(int first) {
  int *numbers = run_memory(COUNT * sizeof *numbers);
  for (int i = 0; i < COUNT; i++)
    numbers[i] = first + i;
  return numbers;
}

static void assert_doubled(const int *numbers, const int *out, int count) {
  for (int i = 0; i < count; i++)
    assert_int_equal(out[i], 2 * numbers[i]);
}

static void wait_list(ze_command_list_handle_t list) {
  assert_ze(ZE(zeCommandListHostSynchronize)(list, UINT64_MAX));
}

static void execute(ze_command_list_handle_t list) {
  assert_ze(ZE(zeCommandQueueExecuteCommandLists)(queue, 1, &list, NULL));
  assert_ze(ZE(zeCommandQueueSynchronize)(queue, UINT64_MAX));
}

static void fill(ze_command_list_handle_t list, void *memory, unsigned char byte,
                 ze_event_handle_t signal, ze_event_handle_t wait) {
  assert_ze(ZE(zeCommandListAppendMemoryFill)(list, memory, &byte, 1, 4, signal, wait ? 1 : 0,
                                              wait ? &wait : NULL));
}

/* ---- Launches ---- */

NATIVE_COMMANDS_TEST(a_kernel_is_launched_with_its_group_size) {
  const ze_kernel_handle_t kernel = native_kernel(module, "add");
  int *numbers = make_numbers(3), *out = run_memory(COUNT * sizeof *out);
  set_sum(kernel, numbers, out);
  assert_ze(ZE(zeKernelSetGroupSize)(kernel, 16, 1, 1));
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(immediate, kernel, &(ze_group_count_t){3, 1, 1},
                                                NULL, 0, NULL));
  wait_list(immediate);
  assert_doubled(numbers, out, 48);
  assert_int_equal(out[48], 0);
  assert_ze(ZE(zeKernelSetGlobalOffsetExp)(kernel, 60, 0, 0));
  assert_ze(ZE(zeKernelSetGroupSize)(kernel, 4, 1, 1));
  assert_ze(ZE(zeCommandListAppendLaunchCooperativeKernel)(
      immediate, kernel, &(ze_group_count_t){1, 1, 1}, events[0], 0, NULL));
  assert_ze(ZE(zeEventHostSynchronize)(events[0], UINT64_MAX));
  assert_int_equal(out[59], 0);
  assert_doubled(numbers + 60, out + 60, 4);
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(immediate, kernel, &(ze_group_count_t){0, 1, 1},
                                                events[1], 0, NULL));
  assert_ze(ZE(zeEventHostSynchronize)(events[1], UINT64_MAX));
  assert_ze(ZE(zeKernelDestroy)(kernel));
  run_free(numbers);
  run_free(out);
}

/* A kernel has the group size that it was compiled for, or one of one work-item. */
NATIVE_COMMANDS_TEST(a_kernel_without_a_group_size_is_launched) {
  const ze_kernel_handle_t fixed = native_kernel(module, "fixed_group"),
                           any = native_kernel(module, "add");
  uint32_t *sizes = run_memory(8 * sizeof *sizes);
  int *numbers = make_numbers(1), *out = run_memory(COUNT * sizeof *out);
  assert_ze(ZE(zeKernelSetArgumentValue)(fixed, 0, sizeof sizes, &sizes));
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(immediate, fixed, &(ze_group_count_t){1, 1, 1},
                                                NULL, 0, NULL));
  set_sum(any, numbers, out);
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(immediate, any, &(ze_group_count_t){2, 1, 1}, NULL,
                                                0, NULL));
  wait_list(immediate);
  assert_int_equal(sizes[7], 4);
  assert_doubled(numbers, out, 2);
  assert_int_equal(out[2], 0);
  assert_ze(ZE(zeKernelDestroy)(any));
  assert_ze(ZE(zeKernelDestroy)(fixed));
  run_free(sizes);
  run_free(numbers);
  run_free(out);
}

/* ---- Handles of a SYCL runtime's queue ---- */

NATIVE_COMMANDS_TEST(a_queue_of_the_runtime_is_an_immediate_list) {
  int32_t kind = -1;
  ur_native_handle_t native = 0;
  ur_queue_native_desc_t desc = {UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC, NULL, &kind};
  assert_ok(UR(urQueueGetNativeHandle)(place.queue, &desc, &native));
  assert_int_equal(kind, 1);
  const ze_command_list_handle_t list = (ze_command_list_handle_t)native;
  const ze_kernel_handle_t kernel = native_kernel(module, "add");
  int *numbers = make_numbers(5), *out = run_memory(COUNT * sizeof *out);
  set_sum(kernel, numbers, out);
  assert_ze(ZE(zeKernelSetGroupSize)(kernel, COUNT, 1, 1));
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(list, kernel, &(ze_group_count_t){1, 1, 1}, NULL, 0,
                                                NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_doubled(numbers, out, COUNT);
  assert_ze(ZE(zeKernelDestroy)(kernel));
  /* The same handle executes command lists. */
  const ze_command_list_handle_t kept = make_list();
  fill(kept, out, 9, NULL, NULL);
  assert_ze(ZE(zeCommandListClose)(kept));
  assert_ze(ZE(zeCommandQueueExecuteCommandLists)((ze_command_queue_handle_t)native, 1,
                                                  (ze_command_list_handle_t[]){kept}, NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
  assert_int_equal(out[0], 0x09090909);
  assert_ze(ZE(zeCommandListDestroy)(kept));
  run_free(numbers);
  run_free(out);
}

NATIVE_COMMANDS_TEST(a_runtime_adopts_lists_and_queues) {
  const ur_native_handle_t native = (ur_native_handle_t)immediate;
  ur_queue_handle_t adopted = NULL;
  uint32_t value = 0;
  uint32_t *out = run_memory(sizeof *out);
  assert_ok(UR(urQueueCreateWithNativeHandle)(native, place.context, place.device, NULL, &adopted));
  assert_ptr_equal(adopted, immediate);
  assert_answer(urQueueGetInfo, adopted, UR_QUEUE_INFO_REFERENCE_COUNT, uint32_t, 2);
  value = 77;
  assert_ok(UR(urEnqueueUSMMemcpy)(adopted, true, out, &value, sizeof value, 0, NULL, NULL));
  assert_int_equal(*out, 77);
  assert_ok(UR(urQueueRelease)(adopted));
  run_free(out);
  assert_refused(UR(urQueueCreateWithNativeHandle)(77, place.context, place.device, NULL, &adopted),
                 INVALID_VALUE, "is no live queue of CUDA");
  ur_context_handle_t other = NULL;
  ur_device_handle_t device = place.device;
  assert_ok(UR(urContextCreate)(1, &device, NULL, &other));
  if (place.device_count == 2)
    assert_refused(UR(urQueueCreateWithNativeHandle)(native, other, device, NULL, &adopted),
                   INVALID_CONTEXT, "of another context");
  assert_ok(UR(urContextRelease)(other));
}

/* ---- Lists for queues ---- */

/* A list has the arguments, the group size and the pattern of the time of the append. */
NATIVE_COMMANDS_TEST(a_list_is_executed_twice) {
  const ze_command_list_handle_t list = make_list();
  ze_kernel_handle_t kernel = native_kernel(module, "add");
  int *numbers = make_numbers(5), *out = run_memory(COUNT * sizeof *out);
  unsigned char pattern[3] = {1, 2, 3};
  set_sum(kernel, numbers, out);
  assert_ze(ZE(zeKernelSetGroupSize)(kernel, 8, 1, 1));
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(list, kernel, &(ze_group_count_t){1, 1, 1}, NULL, 0,
                                                NULL));
  assert_ze(ZE(zeCommandListAppendMemoryFill)(list, out + 8, pattern, 3, 8, NULL, 0, NULL));
  set_sum(kernel, out, numbers);
  assert_ze(ZE(zeKernelSetGroupSize)(kernel, 1, 1, 1));
  memset(pattern, 7, sizeof pattern);
  assert_ze(ZE(zeKernelDestroy)(kernel));
  assert_int_equal(out[0], 0);
  assert_ze_refused(
      ZE(zeCommandQueueExecuteCommandLists)(queue, 1, (ze_command_list_handle_t[]){list}, NULL),
      INVALID_ARGUMENT, "phCommandLists[0] is not closed");
  assert_ze(ZE(zeCommandListClose)(list));
  for (int i = 0; i < 2; i++) {
    numbers[0] += 100;
    memset(out, 0, COUNT * sizeof *out);
    execute(list);
    assert_doubled(numbers, out, 8);
    assert_memory_equal(out + 8, ((unsigned char[]){1, 2, 3, 1, 2, 3, 1, 2, 0}), 9);
  }
  assert_ze_refused(ZE(zeCommandListAppendBarrier)(list, NULL, 0, NULL), INVALID_ARGUMENT,
                    "hCommandList is closed");
  assert_ze(ZE(zeCommandListReset)(list));
  fill(list, out, 5, NULL, NULL);
  assert_ze(ZE(zeCommandListClose)(list));
  memset(out, 0, COUNT * sizeof *out);
  execute(list);
  assert_int_equal(out[0], 0x05050505);
  assert_int_equal(out[8], 0);
  assert_ze(ZE(zeCommandListDestroy)(list));
  run_free(numbers);
  run_free(out);
}

NATIVE_COMMANDS_TEST(a_fence_is_signaled_by_an_execution) {
  const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  const ze_fence_desc_t set = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC,
                               .flags = ZE_FENCE_FLAG_SIGNALED};
  const ze_command_list_handle_t list = make_list();
  ze_fence_handle_t fence = NULL, ready = NULL;
  assert_ze(ZE(zeFenceCreate)(queue, &desc, &fence));
  assert_ze(ZE(zeFenceCreate)(queue, &set, &ready));
  assert_ze(ZE(zeFenceQueryStatus)(ready));
  assert_int_equal(ZE(zeFenceQueryStatus)(fence), ZE_RESULT_NOT_READY);
  assert_int_equal(ZE(zeFenceHostSynchronize)(fence, 1000), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeCommandListAppendWaitOnEvents)(list, 1, &events[0]));
  assert_ze(ZE(zeCommandListClose)(list));
  assert_ze(
      ZE(zeCommandQueueExecuteCommandLists)(queue, 1, (ze_command_list_handle_t[]){list}, fence));
  assert_int_equal(ZE(zeFenceQueryStatus)(fence), ZE_RESULT_NOT_READY);
  assert_int_equal(ZE(zeCommandQueueSynchronize)(queue, 1000), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeFenceHostSynchronize)(fence, UINT64_MAX));
  assert_ze(ZE(zeCommandQueueSynchronize)(queue, UINT64_MAX));
  assert_ze(ZE(zeCommandQueueSynchronize)(queue, 0));
  assert_ze(ZE(zeFenceReset)(fence));
  assert_int_equal(ZE(zeFenceQueryStatus)(fence), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeFenceDestroy)(fence));
  assert_ze(ZE(zeFenceDestroy)(ready));
  assert_ze(ZE(zeCommandListDestroy)(list));
}

/* A command in a synchronous list or queue has ended when its call returns. */
NATIVE_COMMANDS_TEST(synchronous_lists_and_queues_wait) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
                                        .priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};
  ze_command_list_handle_t list = NULL;
  ze_command_queue_handle_t waiting = NULL;
  uint32_t *out = run_memory(8);
  assert_ze(ZE(zeCommandListCreateImmediate)(native_context, native_device, &desc, &list));
  assert_ze(ZE(zeCommandQueueCreate)(native_context, native_device, &desc, &waiting));
  fill(list, out, 3, events[0], NULL);
  assert_int_equal(out[0], 0x03030303);
  assert_ze(ZE(zeEventQueryStatus)(events[0]));
  const ze_command_list_handle_t kept = make_list();
  fill(kept, out + 1, 4, NULL, NULL);
  assert_ze(ZE(zeCommandListClose)(kept));
  assert_ze(
      ZE(zeCommandQueueExecuteCommandLists)(waiting, 1, (ze_command_list_handle_t[]){kept}, NULL));
  assert_int_equal(out[1], 0x04040404);
  assert_ze(ZE(zeCommandListDestroy)(kept));
  assert_ze(ZE(zeCommandListDestroy)(list));
  assert_ze(ZE(zeCommandQueueDestroy)(waiting));
  run_free(out);
}

/* ---- Events ---- */

NATIVE_COMMANDS_TEST(a_command_waits_for_the_host) {
  uint32_t *out = run_memory(4);
  fill(immediate, out, 1, events[1], events[0]);
  assert_int_equal(ZE(zeEventQueryStatus)(events[1]), ZE_RESULT_NOT_READY);
  assert_int_equal(ZE(zeEventHostSynchronize)(events[1], 1000000), ZE_RESULT_NOT_READY);
  assert_int_equal(*out, 0);
  assert_int_equal(ZE(zeCommandListHostSynchronize)(immediate, 0), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeEventHostSynchronize)(events[1], UINT64_MAX));
  assert_ze(ZE(zeEventQueryStatus)(events[0]));
  assert_int_equal(*out, 0x01010101);
  /* A signaled event is not waited for; a reset one is not signaled. */
  fill(immediate, out, 2, NULL, events[0]);
  wait_list(immediate);
  assert_int_equal(*out, 0x02020202);
  assert_ze(ZE(zeEventHostReset)(events[1]));
  assert_int_equal(ZE(zeEventQueryStatus)(events[1]), ZE_RESULT_NOT_READY);
  run_free(out);
}

/* Two lists wait for an event that a command of another list signals later. */
NATIVE_COMMANDS_TEST(commands_wait_for_a_later_command) {
  const ze_command_list_handle_t list = make_list();
  uint32_t *out = run_memory(12);
  fill(list, out, 1, NULL, events[0]);
  fill(list, out + 1, 2, events[1], events[2]);
  assert_ze(ZE(zeCommandListClose)(list));
  assert_ze(
      ZE(zeCommandQueueExecuteCommandLists)(queue, 1, (ze_command_list_handle_t[]){list}, NULL));
  assert_int_equal(ZE(zeEventQueryStatus)(events[1]), ZE_RESULT_NOT_READY);
  fill(immediate, out + 2, 3, events[0], NULL);
  assert_ze(ZE(zeCommandListAppendSignalEvent)(immediate, events[2]));
  assert_ze(ZE(zeEventHostSynchronize)(events[1], UINT64_MAX));
  assert_int_equal(out[0], 0x01010101);
  assert_int_equal(out[1], 0x02020202);
  assert_int_equal(out[2], 0x03030303);
  assert_ze(ZE(zeCommandListDestroy)(list));
  run_free(out);
}

/* The waits before a reset get the first signal, those after it the second one. */
NATIVE_COMMANDS_TEST(a_reset_divides_the_waits) {
  uint32_t *out = run_memory(12);
  fill(immediate, out, 1, events[1], events[0]);
  assert_ze(ZE(zeCommandListAppendEventReset)(immediate, events[0]));
  fill(immediate, out + 1, 2, events[2], events[0]);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeEventHostSynchronize)(events[1], UINT64_MAX));
  assert_int_equal(ZE(zeEventQueryStatus)(events[0]), ZE_RESULT_NOT_READY);
  assert_int_equal(ZE(zeEventHostSynchronize)(events[2], 1000000), ZE_RESULT_NOT_READY);
  assert_int_equal(out[1], 0);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeEventHostSynchronize)(events[2], UINT64_MAX));
  assert_ze(ZE(zeEventQueryStatus)(events[0]));
  /* A signal that follows the reset in the list is not for the waits before the reset. */
  reset_events(NULL);
  fill(immediate, out, 3, NULL, events[0]);
  assert_ze(ZE(zeCommandListAppendEventReset)(immediate, events[0]));
  fill(immediate, out + 1, 4, events[0], NULL);
  fill(immediate, out + 2, 5, events[3], events[0]);
  assert_int_equal(ZE(zeEventHostSynchronize)(events[3], 1000000), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  wait_list(immediate);
  assert_int_equal(out[0], 0x03030303);
  assert_int_equal(out[2], 0x05050505);
  assert_ze(ZE(zeEventQueryStatus)(events[0]));
  run_free(out);
}

NATIVE_COMMANDS_TEST(events_of_both_interfaces_are_waited_for) {
  uint32_t *out = run_memory(8);
  const uint32_t number = 42;
  ur_event_handle_t ours = NULL, adopted = NULL;
  ur_native_handle_t native = 0;
  /* A command of the runtime waits for an event of Level Zero, */
  assert_ok(UR(urEventCreateWithNativeHandle)((ur_native_handle_t)events[0], place.context, NULL,
                                              &adopted));
  assert_ok(
      UR(urEnqueueUSMMemcpy)(place.queue, false, out, &number, sizeof number, 1, &adopted, &ours));
  /* and a command of Level Zero for that one. */
  assert_ok(UR(urEventGetNativeHandle)(ours, &native));
  fill(immediate, out + 1, 6, events[1], (ze_event_handle_t)native);
  assert_int_equal(ZE(zeEventQueryStatus)((ze_event_handle_t)native), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeEventHostSynchronize)(events[1], UINT64_MAX));
  assert_ok(UR(urEventWait)(1, &adopted));
  assert_ok(UR(urEventWait)(1, &ours));
  assert_int_equal(out[0], number);
  assert_int_equal(out[1], 0x06060606);
  assert_ok(UR(urEventRelease)(adopted));
  /* One that is signaled is complete for the runtime, and stays so after a reset. */
  assert_ok(UR(urEventCreateWithNativeHandle)((ur_native_handle_t)events[0], place.context, NULL,
                                              &adopted));
  assert_ze(ZE(zeEventHostReset)(events[0]));
  assert_ok(UR(urEventWait)(1, &adopted));
  assert_ok(UR(urEventRelease)(adopted));
  assert_ze_refused(ZE(zeEventHostSignal)((ze_event_handle_t)native),
                    INVALID_SYNCHRONIZATION_OBJECT, "a command of a SYCL runtime");
  assert_ze_refused(ZE(zeCommandListAppendSignalEvent)(immediate, (ze_event_handle_t)native),
                    INVALID_SYNCHRONIZATION_OBJECT, "a command of a SYCL runtime");
  assert_ok(UR(urEventRelease)(ours));
  run_free(out);
}

NATIVE_COMMANDS_TEST(times_are_reported) {
  ze_kernel_timestamp_result_t first, second;
  uint64_t *stamps = run_memory(2 * sizeof *stamps), host = 0, device = 0;
  unsigned char *results = run_memory(4 * sizeof first);
  const size_t offsets[3] = {0, 3 * sizeof first, sizeof first};
  uint32_t count = 0;
  uint32_t *out = run_memory(8);
  assert_int_equal(ZE(zeEventQueryKernelTimestamp)(events[0], &first), ZE_RESULT_NOT_READY);
  assert_ze(ZE(zeCommandListAppendWriteGlobalTimestamp)(immediate, stamps, NULL, 0, NULL));
  fill(immediate, out, 1, events[0], NULL);
  fill(immediate, out + 1, 1, events[1], NULL);
  assert_ze(ZE(zeCommandListAppendWriteGlobalTimestamp)(immediate, stamps + 1, NULL, 0, NULL));
  assert_ze(ZE(zeCommandListAppendQueryKernelTimestamps)(
      immediate, 3, (ze_event_handle_t[]){events[0], events[1], events[3]}, results, offsets,
      events[2], 0, NULL));
  assert_ze(ZE(zeEventHostSynchronize)(events[2], UINT64_MAX));
  assert_ze(ZE(zeEventQueryKernelTimestamp)(events[0], &first));
  assert_ze(ZE(zeEventQueryKernelTimestamp)(events[1], &second));
  assert_true(first.global.kernelStart <= first.global.kernelEnd);
  assert_true(first.global.kernelEnd <= second.global.kernelEnd);
  assert_memory_equal(&first.global, &first.context, sizeof first.global);
  assert_memory_equal(results, &first, sizeof first);
  assert_memory_equal(results + offsets[1], &second, sizeof second);
  assert_memory_equal(results + offsets[2], &(ze_kernel_timestamp_result_t){0}, sizeof first);
  assert_true(stamps[0] != 0 && stamps[0] <= first.global.kernelEnd);
  assert_true(stamps[1] >= second.global.kernelStart && stamps[1] >= stamps[0]);
  assert_ze(ZE(zeEventQueryTimestampsExp)(events[0], native_device, &count, NULL));
  assert_int_equal(count, 1);
  assert_ze(ZE(zeEventQueryTimestampsExp)(events[0], native_device, &count, &second));
  assert_memory_equal(&first, &second, sizeof first);
  assert_ze(ZE(zeDeviceGetGlobalTimestamps)(native_device, &host, &device));
  assert_true(device >= stamps[1]);
  assert_ze(ZE(zeEventHostReset)(events[0]));
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze_refused(ZE(zeEventQueryKernelTimestamp)(events[0], &first),
                    INVALID_SYNCHRONIZATION_OBJECT, "signaled by the host");
  run_free(stamps);
  run_free(results);
  run_free(out);
}

/* The list waits for an event, and writes the time only after it. */
NATIVE_COMMANDS_TEST(a_kept_list_writes_times) {
  const ze_command_list_handle_t list = make_list();
  uint64_t *stamps = run_memory(2 * sizeof *stamps);
  unsigned char *results = run_memory(sizeof(ze_kernel_timestamp_result_t));
  ze_event_handle_t asked[1] = {events[1]}, waits[1] = {events[0]};
  assert_ze(ZE(zeCommandListAppendWriteGlobalTimestamp)(list, stamps, events[1], 1, waits));
  assert_ze(
      ZE(zeCommandListAppendQueryKernelTimestamps)(list, 1, asked, results, NULL, NULL, 0, NULL));
  asked[0] = waits[0] = NULL;
  assert_ze(ZE(zeCommandListClose)(list));
  assert_ze(
      ZE(zeCommandQueueExecuteCommandLists)(queue, 1, (ze_command_list_handle_t[]){list}, NULL));
  assert_int_equal(ZE(zeEventHostSynchronize)(events[1], 1000000), ZE_RESULT_NOT_READY);
  assert_int_equal(stamps[0], 0);
  assert_ze(ZE(zeEventHostSignal)(events[0]));
  assert_ze(ZE(zeCommandQueueSynchronize)(queue, UINT64_MAX));
  assert_true(stamps[0] != 0);
  assert_true(((ze_kernel_timestamp_result_t *)(void *)results)->global.kernelEnd >= stamps[0]);
  assert_ze(ZE(zeCommandListDestroy)(list));
  run_free(stamps);
  run_free(results);
}

/* ---- Memory ---- */

NATIVE_COMMANDS_TEST(boxes_are_copied) {
  enum { SIDE = 8 };
  unsigned char *from = run_memory(SIDE * SIDE * SIDE), *to = run_memory(SIDE * SIDE * SIDE);
  const ze_copy_region_t source = {1, 2, 3, 4, 3, 2}, target = {0, 1, 0, 4, 3, 2};
  const ze_copy_region_t flat = {2, 1, 5, 3, 2, 0}, none = {0, 0, 0, 0, 0, 1};
  for (int i = 0; i < SIDE * SIDE * SIDE; i++)
    from[i] = (unsigned char)i;
  assert_ze(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, to, &target, SIDE, SIDE * SIDE, from,
                                                    &source, SIDE, SIDE * SIDE, NULL, 0, NULL));
  wait_list(immediate);
  int copied = 0;
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
    const bool is_in = x < 4 && y >= 1 && y < 4 && z < 2;
    assert_int_equal(to[i], is_in ? from[(x + 1) + SIDE * (y + 1) + SIDE * SIDE * (z + 3)] : 0);
    copied += is_in;
  }
  assert_int_equal(copied, 4 * 3 * 2);
  /* Without a depth there are no slices. */
  assert_ze(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, to, &flat, SIDE, 0, from, &flat,
                                                    SIDE, 1, NULL, 0, NULL));
  wait_list(immediate);
  assert_int_equal(to[2 + 2 * SIDE], 2 + 2 * SIDE);
  assert_ze(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, to, &none, 0, 0, from, &none, 0, 0,
                                                    NULL, 0, NULL));
  assert_ze_refused(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, to, &flat, SIDE, 0, from,
                                                            &source, SIDE, 0, NULL, 0, NULL),
                    INVALID_ARGUMENT, "dstRegion is of 3x2x0 and srcRegion of 4x3x2");
  assert_int_equal(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, from + 1, &flat, SIDE, 0,
                                                           from, &flat, SIDE, 0, NULL, 0, NULL),
                   ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  assert_int_equal(ZE(zeCommandListAppendMemoryCopyRegion)(immediate, to, &source, SIDE, 9, from,
                                                           &source, 3, 9, NULL, 0, NULL),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  run_free(from);
  run_free(to);
}

NATIVE_COMMANDS_TEST(memory_is_copied_hinted_and_ordered) {
  const size_t size = 4 * sizeof(int);
  int *one = run_memory(size), *other = run_memory(size);
  const int host[4] = {1, 2, 3, 4};
  const void *ranges[1] = {one};
  assert_ze(ZE(zeCommandListAppendMemoryCopy)(immediate, one, host, size, NULL, 0, NULL));
  assert_ze(ZE(zeCommandListAppendMemoryRangesBarrier)(immediate, 1, &size, ranges, NULL, 0, NULL));
  assert_ze(ZE(zeCommandListAppendMemoryPrefetch)(immediate, one, size));
  for (int advice = 0; advice <= ZE_MEMORY_ADVICE_BIAS_UNCACHED; advice++)
    assert_ze(ZE(zeCommandListAppendMemAdvise)(immediate, native_device, one, size,
                                               (ze_memory_advice_t)advice));
  assert_ze(ZE(zeCommandListAppendMemoryCopyFromContext)(immediate, other, native_context, one,
                                                         size, NULL, 0, NULL));
  assert_ze(ZE(zeCommandListAppendBarrier)(immediate, events[0], 0, NULL));
  assert_ze(ZE(zeEventHostSynchronize)(events[0], UINT64_MAX));
  assert_memory_equal(other, host, size);
  assert_ze_refused(
      ZE(zeCommandListAppendMemAdvise)(immediate, native_device, one, size, (ze_memory_advice_t)99),
      INVALID_ENUMERATION, "advice is 99");
  assert_int_equal(
      ZE(zeCommandListAppendMemoryCopy)(immediate, one, (char *)one + 1, 4, NULL, 0, NULL),
      ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  assert_ze_refused(ZE(zeCommandListAppendMemoryFill)(immediate, one, host, 0, 4, NULL, 0, NULL),
                    INVALID_SIZE, "pattern_size is 0");
  run_free(one);
  run_free(other);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 30 };

/* Fills its own memory in the shared list, with an event that the other threads wait for, too. */
static void *append_from_thread(void *data) {
  uint32_t *out = data;
  for (int i = 0; i < ROUNDS; i++) {
    const unsigned char byte = (unsigned char)(i + 1);
    ze_event_handle_t both[2] = {events[0], events[1]};
    (void)ZE(zeCommandListAppendMemoryFill)(immediate, out, &byte, 1, 4, events[2], 2, both);
    (void)ZE(zeEventQueryStatus)(events[2]);
    (void)ZE(zeCommandQueueExecuteCommandLists)(
        queue, 1, (ze_command_list_handle_t *)(void *)(out + 2), NULL);
  }
  return NULL;
}

NATIVE_COMMANDS_TEST(threads_share_lists_and_events) {
  const ze_command_list_handle_t list = make_list();
  pthread_t threads[THREADS];
  uint32_t *out = run_memory(THREADS * 16);
  assert_ze(ZE(zeCommandListAppendWaitOnEvents)(list, 1, &events[3]));
  assert_ze(ZE(zeCommandListClose)(list));
  for (int i = 0; i < THREADS; i++) {
    memcpy(out + i * 4 + 2, &list, sizeof list);
    assert_int_equal(pthread_create(&threads[i], NULL, append_from_thread, out + i * 4), 0);
  }
  for (uint32_t i = 0; i < POOL_EVENTS; i++)
    assert_ze(ZE(zeEventHostSignal)(events[i]));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_ze(ZE(zeCommandQueueSynchronize)(queue, UINT64_MAX));
  wait_list(immediate);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(out[i * 4], 0x01010101 * ROUNDS);
  assert_ze(ZE(zeEventQueryStatus)(events[2]));
  assert_ze(ZE(zeCommandListDestroy)(list));
  run_free(out);
}

/* ---- Bad input ---- */

NATIVE_COMMANDS_TEST(wrong_lists_and_queues_are_refused) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_queue_handle_t made = NULL;
  ze_command_list_handle_t list = NULL;
#define CREATE() ZE(zeCommandQueueCreate)(native_context, native_device, &desc, &made)
  desc.ordinal = 1;
  assert_ze_refused(CREATE(), INVALID_ARGUMENT, "desc->ordinal is 1");
  desc.ordinal = 0;
  desc.index = 1;
  assert_ze_refused(CREATE(), INVALID_ARGUMENT, "desc->index is 1");
  desc.index = 0;
  desc.flags = 8;
  assert_ze_refused(CREATE(), INVALID_ENUMERATION, "desc->flags is 0x8");
  desc.flags = 0;
  desc.mode = (ze_command_queue_mode_t)3;
  assert_ze_refused(CREATE(), INVALID_ENUMERATION, "desc->mode is 3");
  desc.mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  desc.priority = (ze_command_queue_priority_t)3;
  assert_ze_refused(CREATE(), INVALID_ENUMERATION, "desc->priority is 3");
#undef CREATE
  assert_ze_refused(ZE(zeCommandQueueCreate)(native_context, native_device, NULL, &made),
                    INVALID_NULL_POINTER, "desc is NULL");
  assert_ze_refused(ZE(zeCommandListCreateImmediate)(NULL, native_device, &desc, &list),
                    INVALID_NULL_HANDLE, "hContext is NULL");
  list_desc.flags = 0x20;
  assert_ze_refused(ZE(zeCommandListCreate)(native_context, native_device, &list_desc, &list),
                    INVALID_ENUMERATION, "desc->flags is 0x20");
  list_desc.flags = 0;
  list_desc.commandQueueGroupOrdinal = 2;
  assert_ze_refused(ZE(zeCommandListCreate)(native_context, native_device, &list_desc, &list),
                    INVALID_ARGUMENT, "commandQueueGroupOrdinal is 2");
  assert_null(made);
  assert_null(list);
  assert_ze_refused(ZE(zeCommandListReset)(immediate), INVALID_COMMAND_LIST_TYPE, "immediate");
  assert_ze(ZE(zeCommandListClose)(immediate));
  list = make_list();
  assert_ze_refused(ZE(zeCommandListHostSynchronize)(list, 0), INVALID_ARGUMENT, "not immediate");
  assert_ze_refused(ZE(zeCommandQueueSynchronize)((ze_command_queue_handle_t)(void *)list, 0),
                    INVALID_ARGUMENT, "hCommandQueue is not a live handle");
  assert_ze(ZE(zeCommandListClose)(list));
  ze_command_list_handle_t lists[2] = {list, immediate};
#define EXECUTE(count, fence) ZE(zeCommandQueueExecuteCommandLists)(queue, count, lists, fence)
  assert_ze_refused(EXECUTE(0, NULL), INVALID_SIZE, "numCommandLists is 0");
  assert_ze_refused(EXECUTE(2, NULL), INVALID_COMMAND_LIST_TYPE, "phCommandLists[1] is immediate");
  lists[1] = NULL;
  assert_ze_refused(EXECUTE(2, NULL), INVALID_NULL_HANDLE, "phCommandLists[1] is NULL");
  lists[1] = (ze_command_list_handle_t)(void *)pool;
  assert_ze_refused(EXECUTE(2, NULL), INVALID_ARGUMENT, "phCommandLists[1] is not a live handle");
  assert_ze_refused(EXECUTE(1, (ze_fence_handle_t)(void *)pool), INVALID_SYNCHRONIZATION_OBJECT,
                    "hFence is not a live handle");
#undef EXECUTE
  assert_ze(ZE(zeCommandListDestroy)(list));
}

NATIVE_COMMANDS_TEST(wrong_events_are_refused) {
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC};
  ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = POOL_EVENTS + 1};
  ze_event_pool_handle_t made = NULL;
  ze_event_handle_t event = NULL;
  assert_ze_refused(ZE(zeEventPoolCreate)(native_context, &desc, 0, NULL, &made), INVALID_SIZE,
                    "desc->count is 0");
  desc.count = 1;
  desc.flags = 8;
  assert_ze_refused(ZE(zeEventPoolCreate)(native_context, &desc, 0, NULL, &made),
                    INVALID_ENUMERATION, "0x8");
  desc.flags = 0;
  assert_ze_refused(ZE(zeEventPoolCreate)(native_context, &desc, 1, NULL, &made), INVALID_SIZE,
                    "phDevices is NULL");
  assert_ze_refused(ZE(zeEventCreate)(pool, &event_desc, &event), INVALID_ARGUMENT,
                    "desc->index is 5");
  event_desc.index = 0;
  assert_ze_refused(ZE(zeEventCreate)(pool, &event_desc, &event), INVALID_ARGUMENT,
                    "has an event already");
  event_desc.wait = 8;
  assert_ze_refused(ZE(zeEventCreate)(pool, &event_desc, &event), INVALID_ENUMERATION,
                    "desc->wait");
  assert_null(made);
  assert_null(event);
  event = make_event(POOL_EVENTS);
  const ze_command_list_handle_t list = make_list();
  fill(list, events, 0, event, NULL);
  assert_ze(ZE(zeCommandListClose)(list));
  assert_ze(ZE(zeEventDestroy)(event));
  assert_ze_refused(ZE(zeEventQueryStatus)(event), INVALID_ARGUMENT, "not a live handle");
  assert_ze_refused(ZE(zeCommandListAppendBarrier)(immediate, NULL, 1, &event),
                    INVALID_SYNCHRONIZATION_OBJECT, "phWaitEvents[0]");
  assert_ze_refused(ZE(zeCommandListAppendBarrier)(immediate, event, 0, NULL),
                    INVALID_SYNCHRONIZATION_OBJECT, "hSignalEvent is not a live handle");
  assert_ze_refused(ZE(zeCommandListAppendBarrier)(immediate, NULL, 1, NULL), INVALID_SIZE,
                    "phWaitEvents is NULL");
  assert_ze_refused(
      ZE(zeCommandQueueExecuteCommandLists)(queue, 1, (ze_command_list_handle_t[]){list}, NULL),
      INVALID_SYNCHRONIZATION_OBJECT, "hSignalEvent is not a live handle");
  assert_ze(ZE(zeCommandListDestroy)(list));
}

/* An int for a long has the upper bytes 0; a value of another kind must have all bytes. */
NATIVE_COMMANDS_TEST(numbers_with_too_few_bytes_are_extended) {
  static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 4, 16, 16};
  const ze_kernel_handle_t kernel = native_kernel(module, "values");
  const int64_t zero[2] = {0};
  const int32_t number = 5;
  int64_t *out = run_memory(12 * sizeof *out);
  assert_ze(ZE(zeKernelSetArgumentValue)(kernel, 0, sizeof out, &out));
  for (uint32_t i = 1; i < 11; i++)
    assert_ze(ZE(zeKernelSetArgumentValue)(kernel, i, sizes[i - 1], zero));
  assert_ze(ZE(zeKernelSetArgumentValue)(kernel, 7, sizeof number, &number));
  assert_int_equal(ZE(zeKernelSetArgumentValue)(kernel, 9, 8, zero),
                   ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  assert_int_equal(ZE(zeKernelSetArgumentValue)(kernel, 11, 4, zero),
                   ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  assert_ze(ZE(zeCommandListAppendLaunchKernel)(immediate, kernel, &(ze_group_count_t){1, 1, 1},
                                                NULL, 0, NULL));
  wait_list(immediate);
  assert_int_equal(out[6], number);
  assert_ze(ZE(zeKernelDestroy)(kernel));
  run_free(out);
}

NATIVE_COMMANDS_TEST(wrong_launches_are_refused) {
  const ze_kernel_handle_t kernel = native_kernel(module, "add");
  const ze_command_list_handle_t list = make_list();
  const ze_group_count_t one = {1, 1, 1}, many = {1, 1, 70000};
  int *numbers = make_numbers(0);
  /* A kept launch is checked like one that is executed at once. */
  for (int i = 0; i < 2; i++) {
    const ze_command_list_handle_t target = i ? list : immediate;
    assert_int_equal(ZE(zeCommandListAppendLaunchKernel)(target, kernel, NULL, NULL, 0, NULL),
                     ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_int_equal(ZE(zeCommandListAppendLaunchKernel)(target, NULL, &one, NULL, 0, NULL),
                     ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ze_refused(ZE(zeCommandListAppendLaunchKernel)(target, kernel, &one, NULL, 0, NULL),
                      INVALID_ARGUMENT, "not set");
  }
  set_sum(kernel, numbers, numbers);
  for (int i = 0; i < 2; i++)
    assert_int_not_equal(
        ZE(zeCommandListAppendLaunchKernel)(i ? list : immediate, kernel, &many, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
  assert_ze(ZE(zeKernelDestroy)(kernel));
  assert_ze(ZE(zeCommandListDestroy)(list));
  run_free(numbers);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(open_commands, close_commands);
}
