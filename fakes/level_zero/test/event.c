/* Events of the fake Level Zero driver: pools, timestamps, and the host's queries. */
#include "check.h"

static const ze_event_pool_flags_t visible = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;

CONTEXT_TEST(each_place_of_a_pool_takes_one_event) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 2, visible);
  ze_event_handle_t event = new_event(pool, 1);
  ze_event_handle_t other = NULL;
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 1};
  refused(INVALID_ARGUMENT, "another event's", zeEventCreate(pool, &desc, &other));
  desc.index = 2;
  refused(INVALID_ARGUMENT, "pool of 2 events", zeEventCreate(pool, &desc, &other));
  desc.index = 0;
  desc.wait = 8;
  refused(INVALID_ENUMERATION, "scopes", zeEventCreate(pool, &desc, &other));
  desc.wait = 0;
  refused(INVALID_NULL_POINTER, "NULL", zeEventCreate(pool, NULL, &other));
  refused(INVALID_NULL_HANDLE, "NULL", zeEventCreate(NULL, &desc, &other));
  assert_null(other);
  refused(HANDLE_OBJECT_IN_USE, "1 events", zeEventPoolDestroy(pool));
  ok(zeEventDestroy(event));
  refused(INVALID_ARGUMENT, "no live object", zeEventDestroy(event));
  event = new_event(pool, 1);
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(wrong_pools_are_refused) {
  const check *test = *state;
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC};
  ze_event_pool_handle_t pool = NULL;
  refused(INVALID_SIZE, "0 events", zeEventPoolCreate(test->context, &desc, 0, NULL, &pool));
  desc.count = 1;
  desc.flags = 8;
  refused(INVALID_ENUMERATION, "flags", zeEventPoolCreate(test->context, &desc, 0, NULL, &pool));
  desc.flags = ZE_EVENT_POOL_FLAG_IPC;
  refused(UNSUPPORTED_FEATURE, "several processes",
          zeEventPoolCreate(test->context, &desc, 0, NULL, &pool));
  desc.flags = 0;
  refused(INVALID_SIZE, "at NULL", zeEventPoolCreate(test->context, &desc, 1, NULL, &pool));
  assert_null(pool);
}

CONTEXT_TEST(the_host_signals_and_resets_an_event) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 1, visible);
  ze_event_handle_t event = new_event(pool, 0);
  for (int i = 0; i < 2; i++) {
    expect(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
    expect(ZE_RESULT_NOT_READY, zeEventHostSynchronize(event, 0));
    expect(ZE_RESULT_NOT_READY, zeEventHostSynchronize(event, 1000000));
    ok(zeEventHostSignal(event));
    ok(zeEventQueryStatus(event));
    ok(zeEventHostSynchronize(event, 0));
    ok(zeEventHostSynchronize(event, UINT64_MAX));
    ok(zeEventHostReset(event));
  }
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(the_host_waits_only_for_visible_events) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 1, 0);
  ze_event_handle_t event = new_event(pool, 0);
  refused(INVALID_SYNCHRONIZATION_OBJECT, "HOST_VISIBLE", zeEventQueryStatus(event));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "HOST_VISIBLE", zeEventHostSynchronize(event, 1));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "HOST_VISIBLE", zeEventHostSignal(event));
  ok(zeEventHostReset(event));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(events_of_other_contexts_or_devices_are_refused) {
  const check *test = *state;
  uint32_t count = 2;
  ze_device_handle_t parts[2];
  ok(zeDeviceGetSubDevices(test->device, &count, parts));
  const ze_event_pool_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = visible, .count = 1};
  ze_event_pool_handle_t pool;
  ok(zeEventPoolCreate(test->context, &desc, 1, &parts[0], &pool));
  ze_event_handle_t event = new_event(pool, 0);
  const check part = {.driver = test->driver, .device = parts[1], .context = test->context};
  ze_command_list_handle_t list = new_immediate(&part, 0);
  refused(INVALID_SYNCHRONIZATION_OBJECT, "not for the list's device",
          zeCommandListAppendSignalEvent(list, event));
  ok(zeEventDestroy(event));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "no live event",
          zeCommandListAppendSignalEvent(list, event));
  ok(zeEventPoolDestroy(pool));
  check other = *test;
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ok(zeContextCreate(test->driver, &context, &other.context));
  pool = new_pool(&other, 1, visible);
  event = new_event(pool, 0);
  refused(INVALID_SYNCHRONIZATION_OBJECT, "another context",
          zeCommandListAppendBarrier(list, event, 0, NULL));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "another context",
          zeCommandListAppendBarrier(list, NULL, 1, &event));
  refused(INVALID_SIZE, "at NULL", zeCommandListAppendBarrier(list, NULL, 1, NULL));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
  ok(zeContextDestroy(other.context));
  ok(zeCommandListDestroy(list));
}

CONTEXT_TEST(a_command_that_waits_for_itself_is_refused) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 1, visible);
  ze_event_handle_t event = new_event(pool, 0);
  ze_command_list_handle_t list = new_immediate(test, 0);
  refused(INVALID_SYNCHRONIZATION_OBJECT, "that it signals",
          zeCommandListAppendBarrier(list, event, 1, &event));
  ok(zeCommandListDestroy(list));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}

CONTEXT_TEST(event_times_are_in_the_devices_clock) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 2, visible | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t events[2] = {new_event(pool, 0), new_event(pool, 1)};
  ze_command_list_handle_t list = new_immediate(test, 0);
  uint64_t *stamps = new_memory(test, ZE_MEMORY_TYPE_SHARED, 16);
  ze_kernel_timestamp_result_t *results =
      new_memory(test, ZE_MEMORY_TYPE_SHARED, 2 * sizeof *results);
  ze_kernel_timestamp_result_t times = {.global.kernelStart = 77};
  expect(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp(events[0], &times));
  assert_int_equal(times.global.kernelStart, 77);
  uint64_t host;
  uint64_t now;
  ok(zeDeviceGetGlobalTimestamps(test->device, &host, &now));
  ok(zeCommandListAppendWriteGlobalTimestamp(list, &stamps[0], events[0], 0, NULL));
  ok(zeCommandListAppendWriteGlobalTimestamp(list, &stamps[1], events[1], 1, &events[0]));
  ok(zeEventHostSynchronize(events[1], UINT64_MAX));
  assert_true(now <= stamps[0] && stamps[0] <= stamps[1]);
  ok(zeEventQueryKernelTimestamp(events[0], &times));
  const uint64_t mask = UINT32_MAX;
  assert_true(times.global.kernelStart <= (stamps[0] & mask));
  assert_true((stamps[0] & mask) <= times.global.kernelEnd);
  ok(zeEventHostReset(events[1]));
  ok(zeCommandListAppendQueryKernelTimestamps(list, 1, &events[0], results, NULL, events[1], 0,
                                              NULL));
  ok(zeEventHostSynchronize(events[1], UINT64_MAX));
  assert_memory_equal(results, &times, sizeof times);
  ze_device_handle_t part;
  uint32_t count = 1;
  ok(zeDeviceGetSubDevices(test->device, &count, &part));
  count = 1;
  ok(zeEventQueryTimestampsExp(events[0], part, &count, results + 1));
  assert_int_equal(count, 1);
  assert_memory_equal(results + 1, &times, sizeof times);
  refused(INVALID_SIZE, "go beyond",
          zeCommandListAppendQueryKernelTimestamps(list, 1, events, (char *)results + 40, NULL,
                                                   NULL, 0, NULL));
  refused(INVALID_ARGUMENT, "aligned",
          zeCommandListAppendWriteGlobalTimestamp(list, (uint64_t *)((char *)stamps + 4), NULL, 0,
                                                  NULL));
  ok(zeCommandListDestroy(list));
  for (int i = 0; i < 2; i++)
    ok(zeEventDestroy(events[i]));
  ok(zeEventPoolDestroy(pool));
  ok(zeMemFree(test->context, stamps));
  ok(zeMemFree(test->context, results));
}

CONTEXT_TEST(events_without_timestamps_report_none) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, 1, visible);
  ze_event_handle_t event = new_event(pool, 0);
  ze_kernel_timestamp_result_t times;
  uint32_t count = 1;
  ok(zeEventHostSignal(event));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "KERNEL_TIMESTAMP",
          zeEventQueryKernelTimestamp(event, &times));
  refused(INVALID_SYNCHRONIZATION_OBJECT, "KERNEL_TIMESTAMP",
          zeEventQueryTimestampsExp(event, test->device, &count, &times));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
}
