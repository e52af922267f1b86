/* Event pools and events of the fake Level Zero driver: the host's functions. */
#include "stream.h"

#include <stdlib.h>

ze_result_t zeEventPoolCreate(ze_context_handle_t handle, const ze_event_pool_desc_t *desc,
                              uint32_t count, ze_device_handle_t *devices,
                              ze_event_pool_handle_t *ret) {
  FAKE_ENTER(zeEventPoolCreate);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_STRUCT(desc, EVENT_POOL_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeEventPoolCreate: the place for the pool is NULL");
  FAKE_REQUIRE(desc->flags <= 7, INVALID_ENUMERATION, "zeEventPoolCreate: unknown flags in 0x%x",
               desc->flags);
  FAKE_REQUIRE(desc->count != 0, INVALID_SIZE, "zeEventPoolCreate: 0 events");
  FAKE_REQUIRE(devices || count == 0, INVALID_SIZE, "zeEventPoolCreate: %u devices at NULL", count);
  if ((desc->flags & ZE_EVENT_POOL_FLAG_IPC) != 0)
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeEventPoolCreate: no events for several processes");
  for (uint32_t i = 0; i < count; i++)
    FAKE_TRY(fake_check_device(context, devices[i], "zeEventPoolCreate", NULL));
  fake_pool *pool = fake_new(FAKE_POOL, sizeof *pool, context, false);
  pool->flags = desc->flags;
  pool->count = desc->count;
  pool->used = fake_allocate(desc->count * sizeof *pool->used);
  pool->device_count = count;
  pool->devices = fake_allocate(count * sizeof *pool->devices);
  for (uint32_t i = 0; i < count; i++)
    pool->devices[i] = fake_find(devices[i], FAKE_DEVICE);
  *ret = FAKE_HANDLE(ze_event_pool_handle_t, pool);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t handle) {
  FAKE_ENTER_ALONE(zeEventPoolDestroy, handle);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  FAKE_REQUIRE(pool->live == 0, HANDLE_OBJECT_IN_USE,
               "zeEventPoolDestroy: %u events of the pool are not destroyed", pool->live);
  free(pool->used);
  free(pool->devices);
  fake_delete(pool);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetIpcHandle(ze_event_pool_handle_t handle,
                                    ze_ipc_event_pool_handle_t *ret) {
  FAKE_ENTER(zeEventPoolGetIpcHandle);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeEventPoolGetIpcHandle: the place is NULL");
  return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                   "zeEventPoolGetIpcHandle: no events for several processes");
}

ze_result_t zeEventPoolOpenIpcHandle(ze_context_handle_t handle, ze_ipc_event_pool_handle_t ipc,
                                     ze_event_pool_handle_t *ret) {
  FAKE_ENTER(zeEventPoolOpenIpcHandle);
  (void)ipc;
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeEventPoolOpenIpcHandle: the place is NULL");
  return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                   "zeEventPoolOpenIpcHandle: no events for several processes");
}

ze_result_t zeEventPoolCloseIpcHandle(ze_event_pool_handle_t handle) {
  FAKE_ENTER(zeEventPoolCloseIpcHandle);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  return fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                     "zeEventPoolCloseIpcHandle: the pool was not opened");
}

ze_result_t zeEventCreate(ze_event_pool_handle_t handle, const ze_event_desc_t *desc,
                          ze_event_handle_t *ret) {
  FAKE_ENTER_ALONE(zeEventCreate, handle);
  FAKE_FIND(fake_pool, pool, handle, POOL);
  FAKE_STRUCT(desc, EVENT_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeEventCreate: the place for the event is NULL");
  FAKE_REQUIRE(desc->signal <= 7 && desc->wait <= 7, INVALID_ENUMERATION,
               "zeEventCreate: unknown scopes in 0x%x or 0x%x", desc->signal, desc->wait);
  FAKE_REQUIRE(desc->index < pool->count, INVALID_ARGUMENT,
               "zeEventCreate: index %u in a pool of %u events", desc->index, pool->count);
  FAKE_REQUIRE(!pool->used[desc->index], INVALID_ARGUMENT,
               "zeEventCreate: index %u is another event's", desc->index);
  fake_event *event = fake_new(FAKE_EVENT, sizeof *event, pool->head.context, false);
  event->pool = pool;
  event->index = desc->index;
  pool->used[desc->index] = true;
  pool->live++;
  *ret = FAKE_HANDLE(ze_event_handle_t, event);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventDestroy(ze_event_handle_t handle) {
  FAKE_ENTER_ALONE(zeEventDestroy, handle);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(fake_check_unused(&event->head, "zeEventDestroy"));
  event->pool->used[event->index] = false;
  event->pool->live--;
  fake_delete(event);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_visible(const fake_event *event, const char *function) {
  FAKE_REQUIRE((event->pool->flags & ZE_EVENT_POOL_FLAG_HOST_VISIBLE) != 0,
               INVALID_SYNCHRONIZATION_OBJECT,
               "%s: the event's pool was made without ZE_EVENT_POOL_FLAG_HOST_VISIBLE", function);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSignal(ze_event_handle_t handle) {
  FAKE_ENTER(zeEventHostSignal);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(check_visible(event, "zeEventHostSignal"));
  fake_event_signal_untimed(event);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t event_status(const fake_event *event) {
  const ze_result_t lost = event->head.context->lost;
  return lost != ZE_RESULT_SUCCESS ? lost
         : event->signalled        ? ZE_RESULT_SUCCESS
                                   : ZE_RESULT_NOT_READY;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout) {
  FAKE_ENTER(zeEventHostSynchronize);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(check_visible(event, "zeEventHostSynchronize"));
  const uint64_t deadline = fake_deadline(timeout);
  const fake_weak link = fake_weak_to(&event->head);
  for (;;) {
    const ze_result_t result = event_status(event);
    if (result != ZE_RESULT_NOT_READY || timeout == 0)
      return result;
    const bool in_time = fake_wait_change(deadline);
    FAKE_REQUIRE(fake_weak_object(&link), INVALID_ARGUMENT,
                 "zeEventHostSynchronize: the event was destroyed meanwhile");
    if (!in_time)
      return event_status(event);
  }
}

ze_result_t zeEventQueryStatus(ze_event_handle_t handle) {
  FAKE_ENTER(zeEventQueryStatus);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(check_visible(event, "zeEventQueryStatus"));
  return event_status(event);
}

ze_result_t zeEventHostReset(ze_event_handle_t handle) {
  FAKE_ENTER(zeEventHostReset);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(fake_check_unused(&event->head, "zeEventHostReset"));
  event->signalled = false;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_times(const fake_event *event, const char *function) {
  FAKE_REQUIRE((event->pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP) != 0,
               INVALID_SYNCHRONIZATION_OBJECT,
               "%s: the event's pool was made without ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP",
               function);
  return ZE_RESULT_SUCCESS;
}

static ze_kernel_timestamp_result_t times_of(const fake_event *event) {
  const ze_kernel_timestamp_data_t times = {.kernelStart = fake_kernel_timestamp(event->begin),
                                            .kernelEnd = fake_kernel_timestamp(event->end)};
  return (ze_kernel_timestamp_result_t){.global = times, .context = times};
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t handle,
                                        ze_kernel_timestamp_result_t *ret) {
  FAKE_ENTER(zeEventQueryKernelTimestamp);
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeEventQueryKernelTimestamp: the place is NULL");
  FAKE_TRY(check_times(event, "zeEventQueryKernelTimestamp"));
  if (!event->signalled)
    return ZE_RESULT_NOT_READY;
  *ret = times_of(event);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t handle, ze_device_handle_t deviceHandle,
                                      uint32_t *count, ze_kernel_timestamp_result_t *ret) {
  FAKE_ENTER(zeEventQueryTimestampsExp);
  if (fake_is_left_out(ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeEventQueryTimestampsExp: FAKE_ZE_WITHOUT has the extension");
  FAKE_FIND(fake_event, event, handle, EVENT);
  FAKE_TRY(fake_check_device(event->head.context, deviceHandle, "zeEventQueryTimestampsExp", NULL));
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeEventQueryTimestampsExp: pCount is NULL");
  FAKE_TRY(check_times(event, "zeEventQueryTimestampsExp"));
  if (!event->signalled)
    return ZE_RESULT_NOT_READY;
  if (fake_give(count, ret != NULL, 1) != 0 && ret)
    *ret = times_of(event);
  return ZE_RESULT_SUCCESS;
}

static bool is_for(const fake_pool *pool, const fake_device *device) {
  for (uint32_t i = 0; i < pool->device_count; i++)
    if (pool->devices[i] == device || pool->devices[i] == device->root)
      return true;
  return pool->device_count == 0;
}

ze_result_t fake_event_find(const fake_list *list, ze_event_handle_t handle, const char *function,
                            fake_event **ret) {
  FAKE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: an event is NULL", function);
  fake_event *event = fake_find(handle, FAKE_EVENT);
  FAKE_REQUIRE(event, INVALID_SYNCHRONIZATION_OBJECT, "%s: no live event is %p", function,
               (void *)handle);
  FAKE_REQUIRE(event->head.context == list->head.context, INVALID_SYNCHRONIZATION_OBJECT,
               "%s: the event is of another context", function);
  FAKE_REQUIRE(is_for(event->pool, list->device), INVALID_SYNCHRONIZATION_OBJECT,
               "%s: the event's pool is not for the list's device", function);
  *ret = event;
  return ZE_RESULT_SUCCESS;
}

/* A command that writes the timestamps of events. */
typedef struct query {
  uint32_t count;
  char *destination;
  fake_event **events;
  size_t *offsets;
} query;

static ze_result_t run_query(void *data) {
  const query *times = data;
  for (uint32_t i = 0; i < times->count; i++) {
    fake_lock();
    const ze_kernel_timestamp_result_t result = times_of(times->events[i]);
    fake_unlock();
    memcpy(fake_view(times->destination + times->offsets[i]), &result, sizeof result);
  }
  return ZE_RESULT_SUCCESS;
}

static void end_query(void *data) {
  query *times = data;
  free(times->events);
  free(times->offsets);
  free(times);
}

static ze_result_t fill_query(const fake_list *list, ze_event_handle_t *events,
                              const size_t *offsets, query *times) {
  static const char function[] = "zeCommandListAppendQueryKernelTimestamps";
  for (uint32_t i = 0; i < times->count; i++) {
    FAKE_TRY(fake_event_find(list, events[i], function, &times->events[i]));
    FAKE_TRY(check_times(times->events[i], function));
    times->offsets[i] = offsets ? offsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
    FAKE_TRY(fake_memory_check(list->head.context, list->device,
                               times->destination + times->offsets[i],
                               sizeof(ze_kernel_timestamp_result_t), function, NULL));
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t handle,
                                                     uint32_t count, ze_event_handle_t *events,
                                                     void *destination, const size_t *offsets,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendQueryKernelTimestamps";
  FAKE_ENTER_ALONE(zeCommandListAppendQueryKernelTimestamps, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COMPUTE, function, &list));
  FAKE_REQUIRE(events && destination, INVALID_NULL_POINTER, "%s: NULL", function);
  fake_memory *memory;
  FAKE_TRY(fake_memory_check(list->head.context, list->device, destination, 0, function, &memory));
  query *times = fake_allocate(sizeof *times);
  *times = (query){.count = count,
                   .destination = destination,
                   .events = fake_allocate(count * sizeof *times->events),
                   .offsets = fake_allocate(count * sizeof *times->offsets)};
  const ze_result_t result = fill_query(list, events, offsets, times);
  if (result != ZE_RESULT_SUCCESS) {
    end_query(times);
    return result;
  }
  fake_object **uses = fake_allocate((count + 1) * sizeof *uses);
  for (uint32_t i = 0; i < count; i++)
    uses[i] = &times->events[i]->head;
  uses[count] = memory ? &memory->head : NULL;
  const fake_work work = {.name = function,
                          .run = run_query,
                          .end = end_query,
                          .data = times,
                          .uses = uses,
                          .use_count = count + 1};
  const ze_result_t appended = fake_append(list, &work, signal, wait_count, waits);
  free(uses);
  return appended;
}
