/* Commands, events and fences of the Level Zero driver for tests: what runs when. */
#include "check.h"

#include <stdlib.h>

static const ze_event_pool_flags_t visible = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;

static void copies_and_fills_reach_device_memory(void **state) {
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

static void lists_run_when_they_are_executed(void **state) {
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

int main(void) {
  const struct CMUnitTest tests[] = {
      in_context(copies_and_fills_reach_device_memory),
      in_context(lists_run_when_they_are_executed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
