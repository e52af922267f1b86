/* Events: their state, their failures, user events and native handles. */
#include "event_pool.h"

#include "queue.h"

#include "../base/names.h"

/*
 * Drops the use that all PI references share. Nobody can set a user event after that, so one
 * without a status is signalled for the commands that wait for it.
 */
void driver_event_leave(pi_event event) {
  if (event->is_user && !atomic_exchange(&event->is_set, true))
    ze.EventHostSignal(event->driver.event);
  event_drop_use(event);
}

void event_fail(pi_event event, pi_result code) {
  atomic_store_explicit(&event->status, code, memory_order_release);
}

/* An adopted event gets no status, because its owner may reset it and use it again. */
pi_int32 event_complete(pi_event event) {
  const pi_int32 failure = atomic_load_explicit(&event->driver.failure, memory_order_acquire);
  if (event->driver.pool)
    atomic_store_explicit(&event->status, failure, memory_order_release);
  return failure;
}

static pi_int32 fail_event(pi_event event, ze_result_t code, const char *call) {
  const pi_result result = ze_result(code, call);
  atomic_store_explicit(&event->driver.in_doubt, true, memory_order_relaxed);
  event_fail(event, result);
  return result;
}

pi_result driver_event_submit(pi_event event) {
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

static pi_int32 ask_event(pi_event event) {
  const ze_result_t code = ze.EventQueryStatus(event->driver.event);
  if (code == ZE_RESULT_SUCCESS)
    return event_complete(event);
  return code == ZE_RESULT_NOT_READY ? PI_EVENT_SUBMITTED
                                     : fail_event(event, code, "zeEventQueryStatus");
}

bool event_has_ended(pi_event event) {
  if (!event_is_known(event))
    return ask_event(event) <= PI_EVENT_COMPLETE &&
           !atomic_load_explicit(&event->driver.in_doubt, memory_order_relaxed);
  /* A command in doubt has ended once the driver no longer says NOT_READY. If the driver fails
   * again, the command is lost and counts as ended. */
  return !atomic_load_explicit(&event->driver.in_doubt, memory_order_relaxed) ||
         ze.EventQueryStatus(event->driver.event) != ZE_RESULT_NOT_READY;
}

/* Never returns PI_EVENT_RUNNING, because Level Zero does not report that a command runs. */
pi_int32 driver_event_status(pi_event event) {
  if (driver_event_submit(event) == PI_SUCCESS && !event_is_known(event))
    return ask_event(event);
  return atomic_load_explicit(&event->status, memory_order_acquire);
}

pi_result driver_event_wait(pi_event event) {
  (void)driver_event_submit(event); /* The event's status reports a failure. */
  if (event_is_known(event))
    return PI_SUCCESS;
  const ze_result_t code = ze.EventHostSynchronize(event->driver.event, UINT64_MAX);
  (void)(code == ZE_RESULT_SUCCESS ? event_complete(event)
                                   : fail_event(event, code, "zeEventHostSynchronize"));
  return PI_SUCCESS;
}

pi_result event_finish(pi_event event) {
  if (!event_is_known(event))
    TRY(driver_event_wait(event));
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status >= PI_EVENT_COMPLETE ||
      atomic_load_explicit(&event->driver.failure, memory_order_relaxed))
    return PI_SUCCESS;
  return plugin_error(status, "a command of the queue has failed: it ended with %s (%d)",
                      enumerator_name("pi_result", status), status);
}

pi_result event_check(pi_event event, pi_context context) {
  REQUIRE(event->context == context, PI_ERROR_INVALID_CONTEXT,
          "an event of the wait list is of another context than the queue");
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  const pi_int32 failure = atomic_load_explicit(&event->driver.failure, memory_order_acquire);
  if (__builtin_expect(status < PI_EVENT_COMPLETE || failure != 0, 0))
    return event_failure(event, failure ? failure : status);
  return PI_SUCCESS;
}

pi_result driver_event_create_user(pi_context context, pi_event *ret) {
  TRY(event_take(context, NULL, false, PI_COMMAND_TYPE_USER, ret));
  object_init(&(*ret)->handle, OBJECT_EVENT);
  return PI_SUCCESS;
}

/* Returns whether an event of the application's wait list has failed, or is going to fail. */
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
 * Marks all pending commands that wait for a failing event, directly or through other commands.
 * Level Zero cannot cancel them: they run when the event is signalled, and then count as failed.
 * None has ended yet, because the event is not signalled yet.
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

pi_result driver_event_set(pi_event event, pi_int32 status) {
  atomic_store_explicit(&event->driver.failure, status, memory_order_release);
  if (status != PI_EVENT_COMPLETE)
    pass_on_failure(event->context);
  const pi_result result = ZE_CALL(EventHostSignal, event->driver.event);
  if (result != PI_SUCCESS) {
    atomic_store_explicit(&event->driver.failure, 0, memory_order_release);
    return result;
  }
  atomic_store_explicit(&event->status, status, memory_order_release);
  queue_flush_all(event->context);
  return PI_SUCCESS;
}

/* Submits the event's command, because the application can wait for the handle but not submit. */
pi_result driver_event_native(pi_event event, pi_native_handle *ret) {
  TRY(driver_event_submit(event));
  *ret = (pi_native_handle)(uintptr_t)event->driver.event;
  return PI_SUCCESS;
}

void driver_event_adopt(pi_event event, pi_native_handle native) {
  atomic_init(&event->driver.uses, 1);
  event->driver.event = (ze_event_handle_t)(uintptr_t)native;
}

void driver_event_close(pi_event event) {
  if (event->is_owned)
    ze.EventDestroy(event->driver.event);
}
