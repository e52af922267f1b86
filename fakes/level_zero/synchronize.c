/* Barriers, events and timestamps in command lists of the fake Level Zero driver. */
#include "stream.h"

#include <stdlib.h>

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t handle, ze_event_handle_t signal,
                                       uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendBarrier, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, "zeCommandListAppendBarrier", &list));
  const fake_work work = {.name = "zeCommandListAppendBarrier"};
  /* A barrier with a wait list does not wait for the commands before it. */
  const fake_append_options options = {.order = wait_count ? FAKE_ORDER_BEFORE : FAKE_ORDER_FULL,
                                       .signal = signal,
                                       .wait_count = wait_count,
                                       .waits = waits};
  return fake_append_ordered(list, &work, &options);
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t handle, uint32_t count,
                                                   const size_t *sizes, const void **ranges,
                                                   ze_event_handle_t signal, uint32_t wait_count,
                                                   ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendMemoryRangesBarrier";
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryRangesBarrier, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_REQUIRE(sizes && ranges, INVALID_NULL_POINTER, "%s: NULL", function);
  for (uint32_t i = 0; i < count; i++)
    FAKE_TRY(
        fake_memory_check(list->head.context, list->device, ranges[i], sizes[i], function, NULL));
  const fake_work work = {.name = function};
  const fake_append_options options = {.order = wait_count ? FAKE_ORDER_BEFORE : FAKE_ORDER_FULL,
                                       .signal = signal,
                                       .wait_count = wait_count,
                                       .waits = waits};
  return fake_append_ordered(list, &work, &options);
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t handle,
                                           ze_event_handle_t event) {
  FAKE_ENTER_ALONE(zeCommandListAppendSignalEvent, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, "zeCommandListAppendSignalEvent", &list));
  FAKE_REQUIRE(event, INVALID_NULL_HANDLE, "zeCommandListAppendSignalEvent: the event is NULL");
  const fake_work work = {.name = "zeCommandListAppendSignalEvent", .is_untimed = true};
  const fake_append_options options = {.order = FAKE_ORDER_FULL, .signal = event};
  return fake_append_ordered(list, &work, &options);
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t handle, uint32_t count,
                                            ze_event_handle_t *events) {
  FAKE_ENTER_ALONE(zeCommandListAppendWaitOnEvents, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, "zeCommandListAppendWaitOnEvents", &list));
  FAKE_REQUIRE(events, INVALID_NULL_POINTER, "zeCommandListAppendWaitOnEvents: no events");
  const fake_work work = {.name = "zeCommandListAppendWaitOnEvents"};
  const fake_append_options options = {
      .order = FAKE_ORDER_BEFORE, .wait_count = count, .waits = events};
  return fake_append_ordered(list, &work, &options);
}

static ze_result_t run_reset(void *data) {
  fake_lock();
  ((fake_event *)data)->signalled = false;
  fake_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t handle,
                                          ze_event_handle_t eventHandle) {
  FAKE_ENTER_ALONE(zeCommandListAppendEventReset, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, "zeCommandListAppendEventReset", &list));
  fake_event *event;
  FAKE_TRY(fake_event_find(list, eventHandle, "zeCommandListAppendEventReset", &event));
  fake_object *const uses[] = {&event->head};
  const fake_work work = {.name = "zeCommandListAppendEventReset",
                          .run = run_reset,
                          .data = event,
                          .uses = uses,
                          .use_count = 1};
  const fake_append_options options = {.order = FAKE_ORDER_FULL};
  return fake_append_ordered(list, &work, &options);
}

static ze_result_t run_timestamp(void *data) {
  const uint64_t time = fake_timestamp(fake_now());
  memcpy(fake_view(data), &time, sizeof time);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t handle,
                                                    uint64_t *destination, ze_event_handle_t signal,
                                                    uint32_t wait_count, ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendWriteGlobalTimestamp";
  FAKE_ENTER_ALONE(zeCommandListAppendWriteGlobalTimestamp, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  fake_memory *memory;
  FAKE_TRY(fake_memory_check(list->head.context, list->device, destination, sizeof *destination,
                             function, &memory));
  FAKE_REQUIRE((uintptr_t)destination % 8 == 0, INVALID_ARGUMENT,
               "%s: the place is not aligned to 8 bytes", function);
  fake_object *const uses[] = {memory ? &memory->head : NULL};
  const fake_work work = {
      .name = function, .run = run_timestamp, .data = destination, .uses = uses, .use_count = 1};
  /* The order is full, because a timestamp tells when all earlier commands have ended. */
  const fake_append_options options = {
      .order = FAKE_ORDER_FULL, .signal = signal, .wait_count = wait_count, .waits = waits};
  return fake_append_ordered(list, &work, &options);
}
