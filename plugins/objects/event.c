#include "event.h"

#include "../base/error.h"
#include "../base/names.h"
#include "../checks/arguments.h"
#include "context.h"
#include "native.h"
#include "queue.h"
#include "watcher.h"

#include <stdlib.h>

pi_result event_allocate(pi_context context, pi_event *ret) {
  pi_event event = calloc(1, sizeof *event);
  REQUIRE_MEMORY(event, "an event of %zu bytes", sizeof *event);
  object_init(&event->handle, OBJECT_EVENT);
  atomic_init(&event->status, PI_EVENT_SUBMITTED);
  event->type = PI_COMMAND_TYPE_USER;
  context_retain(context);
  event->context = context;
  *ret = event;
  return PI_SUCCESS;
}

void event_destroy(pi_event event) {
  driver_event_close(event);
  if (event->origin)
    event_release(event->origin);
  context_release(event->context);
  free(event);
}

pi_result event_create_user(pi_context context, pi_event *ret) {
  pi_event event;
  TRY(driver_event_create_user(context, &event));
  event->is_user = true;
  *ret = event;
  return PI_SUCCESS;
}

pi_result event_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_event *ret) {
  if (native_is_foreign()) {
    pi_event current;
    object_head *found;
    TRY(native_find_event(native, is_owned, &current));
    if (!current) {
      TRY(native_find(OBJECT_EVENT, "event", native, is_owned, &found));
      current = (pi_event)(void *)found;
    }
    *ret = current;
    return PI_SUCCESS;
  }
  pi_event event;
  TRY(event_allocate(context, &event));
  driver_event_adopt(event, native);
  event->origin = (pi_event)(void *)registry_find(OBJECT_EVENT, native, is_owned);
  event->is_owned = is_owned && !event->origin;
  if (event->is_owned)
    registry_note(&event->noted, native, &event->handle);
  *ret = event;
  return PI_SUCCESS;
}

pi_result event_native(pi_event event, pi_native_handle *ret) {
  if (native_is_foreign())
    return native_of_object("event", &event->noted, &event->handle, ret);
  pi_native_handle native;
  TRY(driver_event_native(event, &native));
  registry_note(&event->noted, native, &event->handle);
  *ret = native;
  return PI_SUCCESS;
}

pi_result event_failure(pi_event event, pi_int32 status) {
  if (status == PI_ERROR_PLUGIN_SPECIFIC_ERROR && !event->is_user)
    return plugin_error(PI_ERROR_PLUGIN_SPECIFIC_ERROR,
                        "an event that is waited for has failed, because a kernel failed while it "
                        "ran; " PLUGIN_DEVICE_LOST);
  return plugin_error(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                      "an event that is waited for has failed: %s ended with %s (%d)",
                      event->is_user ? "the application" : "its command",
                      enumerator_name("pi_result", status), status);
}

pi_result event_wait(pi_event event) {
  if (!event_is_known(event))
    TRY(driver_event_wait(event));
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  return status < PI_EVENT_COMPLETE ? event_failure(event, status) : PI_SUCCESS;
}

pi_result events_wait(pi_uint32 count, const pi_event *events) {
  for (pi_uint32 i = 0; i < count; i++)
    (void)driver_event_submit(events[i]); /* A failure is the event's. */
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_result one = event_wait(events[i]);
    if (result == PI_SUCCESS)
      result = one;
  }
  return result;
}

pi_result event_set(pi_event event, pi_int32 status) {
  TRY(check_event_set(status, event->is_user));
  REQUIRE(!atomic_exchange(&event->is_set, true), PI_ERROR_INVALID_OPERATION,
          "the event's status was set before");
  const pi_result result = driver_event_set(event, status);
  if (result == PI_SUCCESS)
    watcher_wake();
  else
    atomic_store(&event->is_set, false);
  return result;
}

pi_result event_create_complete(pi_context context, pi_event *ret) {
  pi_event made;
  TRY(event_create_user(context, &made));
  const pi_result result = event_set(made, PI_EVENT_COMPLETE);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    event_release(made);
  return result;
}

pi_result event_answer(pi_event event, const info_answer *answer, pi_event_info query) {
  switch (query) {
  case PI_EVENT_INFO_COMMAND_QUEUE:
    return answer_handle(answer, event->queue);
  case PI_EVENT_INFO_CONTEXT:
    return answer_handle(answer, event->context);
  case PI_EVENT_INFO_COMMAND_TYPE:
    return answer_uint32(answer, (pi_uint32)event->type);
  case PI_EVENT_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, object_references(&event->handle));
  case PI_EVENT_INFO_COMMAND_EXECUTION_STATUS:
    return answer_uint32(answer, (pi_uint32)event_status(event));
  }
  return answer_unknown("pi_event_info", query);
}

bool event_host_time(pi_event event, pi_profiling_info query, pi_uint64 *ret) {
  if (!event->queue || !event->has_times)
    return false;
  if (query == PI_PROFILING_INFO_COMMAND_QUEUED)
    *ret = event->queued;
  else if (query == PI_PROFILING_INFO_COMMAND_SUBMIT)
    *ret = atomic_load_explicit(&event->submitted, memory_order_relaxed);
  else
    return false;
  return *ret != 0;
}

static pi_uint64 earlier(pi_uint64 one, pi_uint64 other) {
  return one < other ? one : other;
}

/*
 * The times of enqueueing and submitting are of the host's clock, which may be a little ahead of
 * the device's. So neither is reported as later than the start.
 */
pi_result event_answer_time(pi_event event, const info_answer *answer, pi_profiling_info query) {
  if (query < PI_PROFILING_INFO_COMMAND_QUEUED || query > PI_PROFILING_INFO_COMMAND_END)
    return answer_unknown("pi_profiling_info", (pi_uint32)query);
  REQUIRE(event->queue, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
          "the event does not belong to a command");
  REQUIRE(event->has_times, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
          "the queue of the event's command has no profiling");
  REQUIRE(event_status(event) == PI_EVENT_COMPLETE, PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
          "the event's command is not complete, or has failed");
  pi_uint64 start, end;
  TRY(driver_event_times(event, &start, &end));
  const pi_uint64 submitted =
      earlier(atomic_load_explicit(&event->submitted, memory_order_relaxed), start);
  const pi_uint64 times[] = {earlier(event->queued, submitted), submitted, start, end};
  return answer_uint64(answer, times[query - PI_PROFILING_INFO_COMMAND_QUEUED]);
}
