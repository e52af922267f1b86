/* Events: their state, and the entries of PI but those of callback.c and event_time.c. */
#include "event.h"

#include "callback.h"
#include "checks.h"
#include "gate.h"
#include "native.h"
#include "queue.h"

#include "../base/names.h"

#include <stdlib.h>

pi_result event_create(pi_context context, pi_command_type type, pi_event *event) {
  pi_event made = calloc(1, sizeof *made);
  PI_REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an event of %zu bytes",
             sizeof *made);
  pi_handle_init(&made->handle, PI_HANDLE_EVENT);
  atomic_init(&made->status, PI_EVENT_SUBMITTED);
  context_retain(context);
  made->context = context;
  made->type = type;
  *event = made;
  return PI_SUCCESS;
}

/* Of an event that is no command's. */
static void destroy(pi_event event) {
  if (event->driver.gate)
    gate_destroy(event);
  if (event->is_owned) {
    (void)cuda_enter(event->context);
    cu.EventDestroy(event->driver.end);
  }
  if (event->origin)
    event_release(event->origin);
  context_release(event->context);
  free(event);
}

void event_release(pi_event event) {
  if (!pi_handle_release(&event->handle))
    return;
  native_forget(event->driver.end, &event->handle);
  if (event->queue)
    queue_event_put(event->queue, event);
  else
    destroy(event);
}

/* Keeps the code of a failure; PI's codes are negative, as a status of a failure is. */
static pi_int32 fail(pi_event event, CUresult code, const char *call) {
  const pi_int32 status = cu_error(code, call);
  atomic_store_explicit(&event->status, status, memory_order_release);
  return status;
}

static pi_int32 complete(pi_event event) {
  atomic_store_explicit(&event->status, PI_EVENT_COMPLETE, memory_order_release);
  return PI_EVENT_COMPLETE;
}

pi_int32 event_status(pi_event event) {
  const pi_int32 known = atomic_load_explicit(&event->status, memory_order_acquire);
  if (known <= PI_EVENT_COMPLETE || event->driver.gate)
    return known;
  const pi_result entered = cuda_enter(event->context);
  if (entered != PI_SUCCESS)
    return entered;
  const CUresult code = cu.EventQuery(event->driver.end);
  if (code == CUDA_SUCCESS)
    return complete(event);
  if (code != CUDA_ERROR_NOT_READY)
    return fail(event, code, "cuEventQuery");
  const bool is_started = event->driver.start && cu.EventQuery(event->driver.start) == CUDA_SUCCESS;
  return is_started ? PI_EVENT_RUNNING : PI_EVENT_SUBMITTED;
}

/* The failure that those who wait for a failed event get. */
__attribute__((cold)) static pi_result failed(pi_event event) {
  const pi_int32 status = atomic_load(&event->status);
  return pi_error(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  "an event that is waited for has failed: %s ended with %s (%d)",
                  event->driver.gate ? "the application" : "its command",
                  pi_name("pi_result", status), status);
}

pi_result event_wait(pi_event event) {
  pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status > PI_EVENT_COMPLETE && event->driver.gate) {
    gate_wait(event);
    status = atomic_load_explicit(&event->status, memory_order_acquire);
  } else if (status > PI_EVENT_COMPLETE) {
    PI_TRY(cuda_enter(event->context));
    const CUresult code = cu.EventSynchronize(event->driver.end);
    status = code == CUDA_SUCCESS ? complete(event) : fail(event, code, "cuEventSynchronize");
  }
  return status < PI_EVENT_COMPLETE ? failed(event) : PI_SUCCESS;
}

pi_result event_hold_slow(pi_event event, CUstream stream) {
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status < PI_EVENT_COMPLETE)
    return failed(event);
  if (event->driver.gate)
    return gate_hold(event, stream);
  CU_TRY(StreamWaitEvent, stream, event->driver.end, 0);
  return PI_SUCCESS;
}

/* A user event: it stands at PI_EVENT_SUBMITTED until piEventSetStatus ends it. */
pi_result piEventCreate(pi_context context, pi_event *ret_event) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_event);
  pi_event made;
  PI_TRY(event_create(context, PI_COMMAND_TYPE_USER, &made));
  const pi_result result = gate_create(made);
  if (result != PI_SUCCESS) {
    event_release(made);
    return result;
  }
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
 * may be of any queues, devices and contexts.
 */
pi_result piEventsWait(pi_uint32 num_events, const pi_event *event_list) {
  PI_REQUIRE(num_events != 0, PI_ERROR_INVALID_VALUE, "num_events is 0");
  REQUIRE_POINTER(event_list);
  for (pi_uint32 i = 0; i < num_events; i++)
    PI_REQUIRE(pi_handle_is((const pi_handle *)(const void *)event_list[i], PI_HANDLE_EVENT),
               PI_ERROR_INVALID_EVENT, "event_list[%u] is %s", i,
               event_list[i] ? "not a live handle" : "NULL");
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

/* A negative status is an error for those who wait for the event from then on; see gate_set. */
pi_result piEventSetStatus(pi_event event, pi_int32 execution_status) {
  REQUIRE_EVENT(event);
  PI_REQUIRE(execution_status <= 0, PI_ERROR_INVALID_VALUE,
             "execution_status is %d, a user event ends with 0 or with a negative error",
             execution_status);
  PI_REQUIRE(event->driver.gate, PI_ERROR_INVALID_EVENT,
             "event is that of a command, which sets its status itself");
  return gate_set(event, execution_status);
}

pi_result piEventRetain(pi_event event) {
  REQUIRE_EVENT(event);
  event_retain(event);
  return PI_SUCCESS;
}

pi_result piEventRelease(pi_event event) {
  REQUIRE_EVENT(event);
  event_release(event);
  return PI_SUCCESS;
}

/* Records a new CUevent behind the gate, in a stream that ends with it. */
static pi_result record_behind_gate(pi_event event, CUevent made) {
  CUstream stream;
  CU_TRY(StreamCreateWithPriority, &stream, CU_STREAM_NON_BLOCKING, 0);
  pi_result result = gate_hold(event, stream);
  if (result == PI_SUCCESS)
    result = cu_result(cu.EventRecord(made, stream), "cuEventRecord");
  cu.StreamDestroy(stream);
  return result;
}

/* A CUevent for a user event, which has none of its own until somebody asks. */
static pi_result give_native(pi_event event) {
  PI_TRY(cuda_enter(event->context));
  CUevent made;
  CU_TRY(EventCreate, &made, CU_EVENT_DISABLE_TIMING);
  const pi_result result = record_behind_gate(event, made);
  if (result != PI_SUCCESS) {
    cu.EventDestroy(made);
    return result;
  }
  event->driver.end = made;
  event->is_owned = true;
  return PI_SUCCESS;
}

pi_result piextEventGetNativeHandle(pi_event event, pi_native_handle *native_handle) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(native_handle);
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pi_result result = event->driver.end ? PI_SUCCESS : give_native(event);
  pthread_mutex_unlock(&lock);
  if (result == PI_SUCCESS)
    result = native_remember(event->driver.end, &event->handle);
  PI_TRY(result);
  *native_handle = (pi_native_handle)(uintptr_t)event->driver.end;
  return PI_SUCCESS;
}

/*
 * A CUevent, recorded or not: CUDA takes one that was never recorded for complete. One of ours
 * stays its event's, of which the new handle has the reference that comes with it, or its own.
 */
pi_result piextEventCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                           bool own_native_handle, pi_event *event) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_EVENT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(event);
  pi_event made;
  PI_TRY(event_create(context, PI_COMMAND_TYPE_USER, &made));
  made->driver.end = (CUevent)(uintptr_t)native_handle;
  made->origin =
      (pi_event)(void *)native_find(made->driver.end, PI_HANDLE_EVENT, own_native_handle);
  made->is_owned = own_native_handle && !made->origin;
  *event = made;
  return PI_SUCCESS;
}
