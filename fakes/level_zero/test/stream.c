/* Commands, events and fences of the fake Level Zero driver: their order. */
#define _DEFAULT_SOURCE /* usleep */
#include "check.h"

#include <unistd.h>

static const ze_event_pool_flags_t visible = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;

CONTEXT_TEST(copies_and_fills_reach_device_memory) {
  const check *test = *state;
  ze_command_list_handle_t list = new_immediate(test, 0);
  ze_event_pool_handle_t pool = new_pool(test, 3, visible | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t events[3];
  for (uint32_t i = 0; i < 3; i++)
    events[i] = new_event(pool, i);
  int *memory = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 4000);
  int back[1000];
  const int pattern = 0x1234567;
  ok(zeCommandListAppendMemoryFill(list, memory, &pattern, 4, 4000, events[0], 0, NULL));
  const int seven = 7;
  ok(zeCommandListAppendMemoryCopy(list, memory + 10, &seven, 4, events[1], 1, &events[0]));
  ok(zeCommandListAppendMemoryCopy(list, back, memory, 4000, events[2], 1, &events[1]));
  ok(zeEventHostSynchronize(events[2], UINT64_MAX));
  for (int i = 0; i < 1000; i++)
    assert_int_equal(back[i], i == 10 ? 7 : pattern);
  ze_kernel_timestamp_result_t times[2];
  ok(zeEventQueryKernelTimestamp(events[0], &times[0]));
  ok(zeEventQueryKernelTimestamp(events[2], &times[1]));
  assert_true(times[0].global.kernelStart <= times[0].global.kernelEnd);
  assert_true(times[0].global.kernelEnd <= times[1].global.kernelStart);
  ok(zeMemFree(test->context, memory));
  for (uint32_t i = 0; i < 3; i++)
    ok(zeEventDestroy(events[i]));
  ok(zeEventPoolDestroy(pool));
  ok(zeCommandListDestroy(list));
}

CONTEXT_TEST(lists_run_when_they_are_executed) {
  const check *test = *state;
  ze_command_queue_handle_t queue = new_queue(test);
  ze_command_list_handle_t list = new_list(test);
  int *memory = new_memory(test, ZE_MEMORY_TYPE_SHARED, 64);
  memory[0] = 1;
  const int value = 2;
  ok(zeCommandListAppendMemoryFill(list, memory, &value, 4, 64, NULL, 0, NULL));
  refused(INVALID_ARGUMENT, "not closed", zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  ok(zeCommandListClose(list));
  refused(INVALID_ARGUMENT, "closed",
          zeCommandListAppendMemoryFill(list, memory, &value, 4, 64, NULL, 0, NULL));
  assert_int_equal(memory[0], 1);
  const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence;
  ok(zeFenceCreate(queue, &desc, &fence));
  for (int i = 0; i < 2; i++) {
    expect(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
    ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    ok(zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_int_equal(memory[0], 2);
    memory[0] = 1;
    ok(zeFenceReset(fence));
  }
  ok(zeFenceDestroy(fence));
  ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
  ok(zeCommandListReset(list));
  ok(zeCommandListDestroy(list));
  ok(zeCommandQueueDestroy(queue));
  ok(zeMemFree(test->context, memory));
}

/* The objects of a test of order: a list, events, and memory that the host can access. */
typedef struct order {
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t events[4];
  char *memory;
} order;

static order begin_order(const check *test, uint32_t ordinal) {
  order made = {.list = new_immediate(test, ordinal),
                .pool = new_pool(test, 4, visible),
                .memory = new_memory(test, ZE_MEMORY_TYPE_SHARED, 64)};
  for (uint32_t i = 0; i < 4; i++)
    made.events[i] = new_event(made.pool, i);
  memset(made.memory, 0, 64);
  return made;
}

static void end_order(const check *test, order *made) {
  while (zeCommandListDestroy(made->list) == ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE)
    usleep(100);
  for (uint32_t i = 0; i < 4; i++)
    ok(zeEventDestroy(made->events[i]));
  ok(zeEventPoolDestroy(made->pool));
  ok(zeMemFree(test->context, made->memory));
}

static void fill(const order *made, const char *byte, ze_event_handle_t signal, uint32_t count,
                 ze_event_handle_t *waits) {
  ok(zeCommandListAppendMemoryFill(made->list, made->memory, byte, 1, 1, signal, count, waits));
}

CONTEXT_TEST(commands_may_run_out_of_order) {
  const check *test = *state;
  order made = begin_order(test, 0);
  /* The first command blocks the others. After that the last one may run first. */
  ok(zeCommandListAppendWaitOnEvents(made.list, 1, &made.events[0]));
  fill(&made, "a", NULL, 0, NULL);
  fill(&made, "b", NULL, 0, NULL);
  ok(zeCommandListAppendBarrier(made.list, made.events[1], 0, NULL));
  ok(zeEventHostSignal(made.events[0]));
  ok(zeEventHostSynchronize(made.events[1], UINT64_MAX));
  assert_int_equal(made.memory[0], 'a');
  end_order(test, &made);
}

CONTEXT_TEST(barriers_and_events_keep_order) {
  const check *test = *state;
  order made = begin_order(test, 0);
  ok(zeCommandListAppendWaitOnEvents(made.list, 1, &made.events[0]));
  fill(&made, "a", NULL, 0, NULL);
  ok(zeCommandListAppendBarrier(made.list, NULL, 0, NULL));
  fill(&made, "b", made.events[1], 0, NULL);
  fill(&made, "c", made.events[2], 1, &made.events[1]);
  ok(zeEventHostSignal(made.events[0]));
  ok(zeEventHostSynchronize(made.events[2], UINT64_MAX));
  assert_int_equal(made.memory[0], 'c');
  end_order(test, &made);
}

CONTEXT_TEST(a_waiting_command_holds_up_later_ones) {
  const check *test = *state;
  order made = begin_order(test, 0);
  fill(&made, "a", made.events[1], 1, &made.events[0]);
  fill(&made, "b", made.events[2], 0, NULL);
  expect(ZE_RESULT_NOT_READY, zeEventHostSynchronize(made.events[2], 5000000));
  assert_int_equal(made.memory[0], 0);
  ok(zeEventHostSignal(made.events[0]));
  ok(zeEventHostSynchronize(made.events[1], UINT64_MAX));
  ok(zeEventHostSynchronize(made.events[2], UINT64_MAX));
  end_order(test, &made);
}

CONTEXT_TEST(a_barrier_with_events_waits_for_them_alone) {
  const check *test = *state;
  order made = begin_order(test, 0);
  order other = begin_order(test, 0);
  ok(zeCommandListAppendBarrier(made.list, made.events[1], 1, &made.events[0]));
  fill(&made, "b", made.events[2], 0, NULL);
  expect(ZE_RESULT_NOT_READY, zeEventQueryStatus(made.events[2]));
  /* A command of another list signals the event. */
  ok(zeCommandListAppendSignalEvent(other.list, made.events[0]));
  ok(zeEventHostSynchronize(made.events[2], UINT64_MAX));
  assert_int_equal(made.memory[0], 'b');
  end_order(test, &other);
  end_order(test, &made);
}

CONTEXT_TEST(a_list_can_reset_an_event) {
  const check *test = *state;
  order made = begin_order(test, 0);
  fill(&made, "a", made.events[0], 0, NULL);
  ok(zeCommandListAppendEventReset(made.list, made.events[0]));
  ok(zeCommandListAppendSignalEvent(made.list, made.events[1]));
  ok(zeEventHostSynchronize(made.events[1], UINT64_MAX));
  expect(ZE_RESULT_NOT_READY, zeEventQueryStatus(made.events[0]));
  ok(zeEventHostReset(made.events[1]));
  expect(ZE_RESULT_NOT_READY, zeEventQueryStatus(made.events[1]));
  end_order(test, &made);
}

CONTEXT_TEST(signalling_an_event_twice_is_a_fault) {
  const check *test = *state;
  order made = begin_order(test, 0);
  char text[256];
  fake_ze_reset();
  fill(&made, "a", made.events[0], 0, NULL);
  ok(zeEventHostSynchronize(made.events[0], UINT64_MAX));
  assert_int_equal(fake_ze_fault(text, sizeof text), 0);
  fill(&made, "b", made.events[0], 0, NULL);
  ok(zeCommandListAppendBarrier(made.list, made.events[1], 0, NULL));
  ok(zeEventHostSynchronize(made.events[1], UINT64_MAX));
  assert_true(fake_ze_fault(text, sizeof text) > 0);
  assert_non_null(strstr(text, "signalled already"));
  fake_ze_reset();
  end_order(test, &made);
}

CONTEXT_TEST(objects_in_use_are_not_destroyed) {
  const check *test = *state;
  order made = begin_order(test, 0);
  fill(&made, "a", made.events[1], 1, &made.events[0]);
  refused(HANDLE_OBJECT_IN_USE, "1 commands", zeCommandListDestroy(made.list));
  refused(HANDLE_OBJECT_IN_USE, "1 commands", zeEventDestroy(made.events[0]));
  refused(HANDLE_OBJECT_IN_USE, "1 commands", zeEventDestroy(made.events[1]));
  refused(HANDLE_OBJECT_IN_USE, "1 commands", zeEventHostReset(made.events[1]));
  refused(HANDLE_OBJECT_IN_USE, "4 events", zeEventPoolDestroy(made.pool));
  ok(zeEventHostSignal(made.events[0]));
  ok(zeEventHostSynchronize(made.events[1], UINT64_MAX));
  end_order(test, &made);
}

CONTEXT_TEST(a_list_that_uses_destroyed_objects_is_refused) {
  const check *test = *state;
  ze_command_queue_handle_t queue = new_queue(test);
  ze_command_list_handle_t list = new_list(test);
  ze_event_pool_handle_t pool = new_pool(test, 1, visible);
  ze_event_handle_t event = new_event(pool, 0);
  char *memory = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 8);
  ok(zeCommandListAppendMemoryFill(list, memory, "a", 1, 8, event, 0, NULL));
  ok(zeCommandListClose(list));
  ok(zeEventDestroy(event));
  refused(INVALID_ARGUMENT, "was destroyed since",
          zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  ok(zeCommandListReset(list));
  ok(zeCommandListAppendMemoryFill(list, memory, "a", 1, 8, NULL, 0, NULL));
  ok(zeMemFree(test->context, memory));
  ok(zeCommandListClose(list));
  refused(INVALID_ARGUMENT, "was destroyed since",
          zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  ok(zeCommandListDestroy(list));
  ok(zeCommandQueueDestroy(queue));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(wrong_queues_are_refused) {
  const check *test = *state;
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .ordinal = 3};
  ze_command_queue_handle_t queue = NULL;
  refused(INVALID_ARGUMENT, "group 3",
          zeCommandQueueCreate(test->context, test->device, &desc, &queue));
  desc.ordinal = 0;
  desc.index = 1;
  refused(INVALID_ARGUMENT, "EXPLICIT_ONLY",
          zeCommandQueueCreate(test->context, test->device, &desc, &queue));
  desc.flags = ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY;
  desc.index = 4;
  refused(INVALID_ARGUMENT, "no queue 4",
          zeCommandQueueCreate(test->context, test->device, &desc, &queue));
  desc.mode = 3;
  desc.index = 0;
  refused(INVALID_ENUMERATION, "mode 3",
          zeCommandQueueCreate(test->context, test->device, &desc, &queue));
  assert_null(queue);
}

CONTEXT_TEST(wrong_executions_are_refused) {
  const check *test = *state;
  ze_command_queue_handle_t queue = new_queue(test);
  ze_command_queue_handle_t other = new_queue(test);
  const ze_command_list_desc_t copies = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = 1};
  ze_command_list_handle_t list = new_list(test);
  ze_command_list_handle_t copy;
  ze_command_list_handle_t immediate = new_immediate(test, 0);
  ok(zeCommandListCreate(test->context, test->device, &copies, &copy));
  ok(zeCommandListClose(copy));
  ok(zeCommandListClose(list));
  refused(INVALID_COMMAND_LIST_TYPE, "group 1 in a queue of group 0",
          zeCommandQueueExecuteCommandLists(queue, 1, &copy, NULL));
  refused(INVALID_ARGUMENT, "immediate",
          zeCommandQueueExecuteCommandLists(queue, 1, &immediate, NULL));
  refused(INVALID_ARGUMENT, "immediate", zeCommandListClose(immediate));
  refused(INVALID_ARGUMENT, "immediate", zeCommandListReset(immediate));
  refused(INVALID_ARGUMENT, "closed already", zeCommandListClose(list));
  refused(INVALID_SIZE, "0 lists", zeCommandQueueExecuteCommandLists(queue, 0, &list, NULL));
  ze_command_list_handle_t twice[] = {list, list};
  refused(HANDLE_OBJECT_IN_USE, "twice", zeCommandQueueExecuteCommandLists(queue, 2, twice, NULL));
  const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC,
                                .flags = ZE_FENCE_FLAG_SIGNALED};
  ze_fence_handle_t fence;
  ok(zeFenceCreate(other, &desc, &fence));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "another queue",
          zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "signalled already",
          zeCommandQueueExecuteCommandLists(other, 1, &list, fence));
  refused(HANDLE_OBJECT_IN_USE, "1 fences", zeCommandQueueDestroy(other));
  ok(zeFenceDestroy(fence));
  ok(zeCommandListDestroy(list));
  ok(zeCommandListDestroy(copy));
  ok(zeCommandListDestroy(immediate));
  ok(zeCommandQueueDestroy(queue));
  ok(zeCommandQueueDestroy(other));
}

CONTEXT_TEST(a_list_runs_once_at_a_time) {
  const check *test = *state;
  ze_command_queue_handle_t queue = new_queue(test);
  ze_command_queue_handle_t other = new_queue(test);
  ze_command_list_handle_t list = new_list(test);
  ze_event_pool_handle_t pool = new_pool(test, 1, visible);
  ze_event_handle_t event = new_event(pool, 0);
  ok(zeCommandListAppendWaitOnEvents(list, 1, &event));
  ok(zeCommandListClose(list));
  ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  refused(HANDLE_OBJECT_IN_USE, "have not ended",
          zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  refused(HANDLE_OBJECT_IN_USE, "have not ended",
          zeCommandQueueExecuteCommandLists(other, 1, &list, NULL));
  refused(HANDLE_OBJECT_IN_USE, "have not ended", zeCommandListReset(list));
  refused(HANDLE_OBJECT_IN_USE, "have not ended", zeCommandListDestroy(list));
  refused(HANDLE_OBJECT_IN_USE, "have not ended", zeCommandQueueDestroy(queue));
  expect(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(queue, 1000000));
  ok(zeEventHostSignal(event));
  ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
  ok(zeCommandQueueExecuteCommandLists(other, 1, &list, NULL));
  ok(zeCommandQueueSynchronize(other, UINT64_MAX));
  ok(zeCommandListDestroy(list));
  ok(zeCommandQueueDestroy(queue));
  ok(zeCommandQueueDestroy(other));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(a_synchronous_list_waits_for_its_commands) {
  const check *test = *state;
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list;
  ok(zeCommandListCreateImmediate(test->context, test->device, &desc, &list));
  char *memory = new_memory(test, ZE_MEMORY_TYPE_HOST, 8);
  ok(zeCommandListAppendMemoryFill(list, memory, "a", 1, 8, NULL, 0, NULL));
  assert_memory_equal(memory, "aaaaaaaa", 8);
  ok(zeCommandListDestroy(list));
  ok(zeMemFree(test->context, memory));
}

CONTEXT_TEST(copy_engines_only_copy_and_fill) {
  const check *test = *state;
  order made = begin_order(test, 1);
  fill(&made, "a", made.events[0], 0, NULL);
  ok(zeEventHostSynchronize(made.events[0], UINT64_MAX));
  char pattern[32] = "";
  refused(INVALID_SIZE, "longer than the 16",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 32, 64, NULL, 0, NULL));
  refused(INVALID_COMMAND_LIST_TYPE, "group 1 cannot",
          zeCommandListAppendQueryKernelTimestamps(made.list, 1, &made.events[0], made.memory, NULL,
                                                   NULL, 0, NULL));
  end_order(test, &made);
}

CONTEXT_TEST(a_failed_command_loses_the_context) {
  const check *test = *state;
  order made = begin_order(test, 0);
  char text[256];
  fake_ze_reset();
  fake_ze_fail_command(1, ZE_RESULT_ERROR_DEVICE_LOST);
  fill(&made, "a", made.events[0], 0, NULL);
  expect(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(made.events[0], UINT64_MAX));
  expect(ZE_RESULT_ERROR_DEVICE_LOST, zeContextGetStatus(test->context));
  assert_int_equal(made.memory[0], 0);
  assert_true(fake_ze_fault(text, sizeof text) > 0);
  refused(DEVICE_LOST, "failed in the context",
          zeCommandListAppendMemoryFill(made.list, made.memory, "a", 1, 1, NULL, 0, NULL));
  fake_ze_reset();
  end_order(test, &made);
}

CONTEXT_TEST(the_host_waits_for_an_immediate_list) {
  const check *test = *state;
  order made = begin_order(test, 0);
  ze_result_t (*synchronize)(ze_command_list_handle_t list, uint64_t timeout);
  void *found;
  ok(zeDriverGetExtensionFunctionAddress(test->driver, "zeCommandListHostSynchronize", &found));
  memcpy(&synchronize, &found, sizeof synchronize);
  fill(&made, "a", NULL, 1, &made.events[0]);
  expect(ZE_RESULT_NOT_READY, synchronize(made.list, 0));
  expect(ZE_RESULT_NOT_READY, synchronize(made.list, 1000000));
  ok(zeEventHostSignal(made.events[0]));
  ok(synchronize(made.list, UINT64_MAX));
  assert_int_equal(made.memory[0], 'a');
  ze_command_list_handle_t list = new_list(test);
  refused(INVALID_ARGUMENT, "no immediate list", synchronize(list, 0));
  ok(zeCommandListDestroy(list));
  end_order(test, &made);
}

CONTEXT_TEST(threads_end_with_their_lists) {
  const check *test = *state;
  order made = begin_order(test, 0);
  fill(&made, "a", made.events[0], 0, NULL);
  ok(zeEventHostSynchronize(made.events[0], UINT64_MAX));
  assert_true(fake_ze_threads() >= 1);
  end_order(test, &made);
  while (fake_ze_threads() != 0)
    usleep(100);
}
