/* Events: their state, and the entries of PI but those of callback.c and event_time.c. */
#include "event_pool.h"

#include "callback.h"
#include "checks.h"
#include "queue.h"

#include "../base/names.h"

#include <stdlib.h>

void event_release_reference(pi_event event) {
  if (!pi_handle_release(&event->handle))
    return;
  if (event->is_user && !atomic_exchange(&event->is_set, true))
    ze.EventHostSignal(event->driver.event);
  event_release(event);
}

void event_fail(pi_event event, pi_result code) {
  atomic_store_explicit(&event->status, code, memory_order_release);
}

/* The driver says that it has ended. Foreign events may be used again by who they belong to. */
static pi_int32 complete(pi_event event) {
  const pi_int32 failure = atomic_load_explicit(&event->driver.failure, memory_order_acquire);
  if (event->driver.pool)
    atomic_store_explicit(&event->status, failure, memory_order_release);
  return failure;
}

void event_complete(pi_event event) {
  (void)complete(event);
}

static pi_int32 fail(pi_event event, ze_result_t code, const char *call) {
  const pi_result result = ze_result(code, call);
  atomic_store_explicit(&event->driver.in_doubt, true, memory_order_relaxed);
  event_fail(event, result);
  return result;
}

pi_result event_submit(pi_event event) {
  queue_lane *lane = event->driver.lane;
  if (!lane || atomic_load_explicit(&lane->submitted, memory_order_acquire) >= event->driver.batch)
    return PI_SUCCESS;
  const pi_queue queue = event->queue;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(queue->driver.lock);
  if (atomic_load_explicit(&lane->submitted, memory_order_relaxed) < event->driver.batch)
    result = queue_batch_execute(queue, lane, false);
  pthread_mutex_unlock(queue->driver.lock);
  return result;
}

static pi_int32 ask(pi_event event) {
  const ze_result_t code = ze.EventQueryStatus(event->driver.event);
  if (code == ZE_RESULT_SUCCESS)
    return complete(event);
  return code == ZE_RESULT_NOT_READY ? PI_EVENT_SUBMITTED : fail(event, code, "zeEventQueryStatus");
}

bool event_has_ended(pi_event event) {
  if (!event_is_known(event))
    return ask(event) <= PI_EVENT_COMPLETE &&
           !atomic_load_explicit(&event->driver.in_doubt, memory_order_relaxed);
  /* What the command uses must not go before it has; a driver that fails again has lost it. */
  return !atomic_load_explicit(&event->driver.in_doubt, memory_order_relaxed) ||
         ze.EventQueryStatus(event->driver.event) != ZE_RESULT_NOT_READY;
}

pi_int32 event_status(pi_event event) {
  if (!event_is_known(event) && event_submit(event) == PI_SUCCESS && !event_is_known(event))
    return ask(event);
  return atomic_load_explicit(&event->status, memory_order_acquire);
}

/* The failure that those who wait for a failed event get. */
__attribute__((cold)) static pi_result failed(pi_event event, pi_int32 status) {
  return pi_error(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  "an event that is waited for has failed: %s ended with %s (%d)",
                  event->is_user ? "the application" : "its command", pi_name("pi_result", status),
                  status);
}

static pi_int32 synchronize(pi_event event) {
  if (!event_is_known(event))
    (void)event_submit(event); /* A failure is the event's, too. */
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status <= PI_EVENT_COMPLETE)
    return status;
  const ze_result_t code = ze.EventHostSynchronize(event->driver.event, UINT64_MAX);
  return code == ZE_RESULT_SUCCESS ? complete(event) : fail(event, code, "zeEventHostSynchronize");
}

pi_result event_wait(pi_event event) {
  const pi_int32 status = synchronize(event);
  return status < PI_EVENT_COMPLETE ? failed(event, status) : PI_SUCCESS;
}

pi_result event_finish(pi_event event) {
  const pi_int32 status = synchronize(event);
  if (status >= PI_EVENT_COMPLETE ||
      atomic_load_explicit(&event->driver.failure, memory_order_relaxed))
    return PI_SUCCESS;
  return pi_error(status, "a command of the queue has failed: it ended with %s (%d)",
                  pi_name("pi_result", status), status);
}

pi_result event_check(pi_event event, pi_context context) {
  PI_REQUIRE(event->context == context, PI_ERROR_INVALID_CONTEXT,
             "an event of the wait list is of another context than the queue");
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  const pi_int32 failure = atomic_load_explicit(&event->driver.failure, memory_order_acquire);
  if (__builtin_expect(status < PI_EVENT_COMPLETE || failure != 0, 0))
    return failed(event, failure ? failure : status);
  return PI_SUCCESS;
}

static void give_reference(pi_event event) {
  pi_handle_init(&event->handle, PI_HANDLE_EVENT);
}

/* A user event: it stands at PI_EVENT_SUBMITTED until piEventSetStatus ends it. */
pi_result piEventCreate(pi_context context, pi_event *ret_event) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_event);
  pi_event made;
  PI_TRY(event_take(context, NULL, false, PI_COMMAND_TYPE_USER, &made));
  made->is_user = true;
  give_reference(made);
  *ret_event = made;
  return PI_SUCCESS;
}

pi_result piEventGetInfo(pi_event event, pi_event_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_EVENT_INFO_COMMAND_QUEUE:
    return pi_answer_handle(&answer, event->queue);
  case PI_EVENT_INFO_CONTEXT:
    return pi_answer_handle(&answer, event->context);
  case PI_EVENT_INFO_COMMAND_TYPE:
    return pi_answer_uint32(&answer, (pi_uint32)event->type);
  case PI_EVENT_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&event->handle));
  case PI_EVENT_INFO_COMMAND_EXECUTION_STATUS:
    return pi_answer_uint32(&answer, (pi_uint32)event_status(event));
  }
  return pi_answer_unknown("pi_event_info", param_name);
}

/*
 * Waits for all of them, also after one failed: what their commands use may be freed then. Events
 * may be of any queues, devices and contexts. Their batches are executed before the first wait.
 */
pi_result piEventsWait(pi_uint32 num_events, const pi_event *event_list) {
  PI_REQUIRE(num_events != 0, PI_ERROR_INVALID_VALUE, "num_events is 0");
  REQUIRE_POINTER(event_list);
  for (pi_uint32 i = 0; i < num_events; i++)
    PI_REQUIRE(pi_handle_is((const pi_handle *)(const void *)event_list[i], PI_HANDLE_EVENT),
               PI_ERROR_INVALID_EVENT, "event_list[%u] is %s", i,
               event_list[i] ? "not a live handle" : "NULL");
  for (pi_uint32 i = 0; i < num_events; i++)
    (void)event_submit(event_list[i]);
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < num_events; i++) {
    const pi_result one = event_wait(event_list[i]);
    if (result == PI_SUCCESS)
      result = one;
  }
  return result;
}

pi_result piEventSetCallback(pi_event event, pi_int32 command_exec_callback_type,
                             void (*pfn_notify)(pi_event event, pi_int32 event_command_status,
                                                void *user_data),
                             void *user_data) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(pfn_notify);
  PI_TRY(pi_check_callback_type(command_exec_callback_type));
  return callback_add(event, command_exec_callback_type, pfn_notify, user_data);
}

/* Whether an event that the application named has failed, or will. */
static bool waits_for_failure(pi_event event) {
  for (pi_uint32 i = 0; i < event->driver.named_count; i++)
    if (atomic_load_explicit(&event->driver.waits[i]->driver.failure, memory_order_relaxed))
      return true;
  return false;
}

bool event_inherit_failure(pi_event event) {
  if (atomic_load_explicit(&event->driver.failure, memory_order_relaxed) ||
      !waits_for_failure(event))
    return false;
  atomic_store_explicit(&event->driver.failure, PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                        memory_order_release);
  return true;
}

static bool pass_on_in(pi_event list) {
  bool any = false;
  for (; list; list = list->next)
    any |= event_inherit_failure(list);
  return any;
}

/*
 * Marks all pending commands that wait for a failing event, or for one that waits for it: Level
 * Zero cannot take them back, they run when the event is signalled, and then count as failed. None
 * has ended, for the event is not signalled yet.
 */
static void pass_on_failure(pi_context context) {
  bool any = true;
  while (any) {
    any = false;
    for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue)) {
      pthread_mutex_lock(&queue->driver.sweep_lock);
      pthread_mutex_lock(queue->driver.lock);
      any |= pass_on_in(queue->driver.fresh);
      pthread_mutex_unlock(queue->driver.lock);
      any |= pass_on_in(queue->driver.swept);
      pthread_mutex_unlock(&queue->driver.sweep_lock);
    }
  }
}

static void flush_all(pi_context context) {
  for (pi_queue queue = queue_next(context, NULL); queue; queue = queue_next(context, queue))
    (void)queue_flush(queue);
}

static pi_result set(pi_event event, pi_int32 status) {
  atomic_store_explicit(&event->driver.failure, status, memory_order_release);
  if (status != PI_EVENT_COMPLETE)
    pass_on_failure(event->context);
  const pi_result result = ze_result(ze.EventHostSignal(event->driver.event), "zeEventHostSignal");
  if (result != PI_SUCCESS) {
    atomic_store_explicit(&event->driver.failure, 0, memory_order_release);
    atomic_store(&event->is_set, false);
    return result;
  }
  atomic_store_explicit(&event->status, status, memory_order_release);
  flush_all(event->context);
  callback_wake();
  return PI_SUCCESS;
}

/* A negative status is an error for those who wait for the event, now or later; see set. */
pi_result piEventSetStatus(pi_event event, pi_int32 execution_status) {
  REQUIRE_EVENT(event);
  PI_REQUIRE(execution_status <= 0, PI_ERROR_INVALID_VALUE,
             "execution_status is %d, a user event ends with 0 or with a negative error",
             execution_status);
  PI_REQUIRE(event->is_user, PI_ERROR_INVALID_EVENT,
             "event is that of a command, which sets its status itself");
  PI_REQUIRE(!atomic_exchange(&event->is_set, true), PI_ERROR_INVALID_OPERATION,
             "the event's status was set before");
  return set(event, execution_status);
}

pi_result piEventRetain(pi_event event) {
  REQUIRE_EVENT(event);
  pi_handle_retain(&event->handle);
  return PI_SUCCESS;
}

pi_result piEventRelease(pi_event event) {
  REQUIRE_EVENT(event);
  event_release_reference(event);
  return PI_SUCCESS;
}

/* Who has the handle can only wait for it, so the command is given to the driver now. */
pi_result piextEventGetNativeHandle(pi_event event, pi_native_handle *native_handle) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(native_handle);
  PI_TRY(event_submit(event));
  *native_handle = (pi_native_handle)(uintptr_t)event->driver.event;
  return PI_SUCCESS;
}

/*
 * A ze_event_handle_t. One of ours stays its event's, of which the new handle has the reference
 * that comes with it, or its own.
 */
pi_result piextEventCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                           bool own_native_handle, pi_event *event) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_EVENT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(event);
  pi_event made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an event of %zu bytes",
             sizeof *made);
  give_reference(made);
  atomic_init(&made->driver.uses, 1);
  atomic_init(&made->status, PI_EVENT_SUBMITTED);
  made->driver.event = (ze_event_handle_t)(uintptr_t)native_handle;
  made->context = context;
  context_retain(context);
  made->type = PI_COMMAND_TYPE_USER;
  const pi_event origin = event_find(context, made->driver.event);
  if (origin && pi_handle_is(&origin->handle, PI_HANDLE_EVENT)) {
    if (!own_native_handle)
      pi_handle_retain(&origin->handle);
    made->origin = origin;
  }
  made->is_owned = own_native_handle && !made->origin;
  *event = made;
  return PI_SUCCESS;
}
