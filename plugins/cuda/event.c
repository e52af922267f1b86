/* Events: CUevents, and the gates of user events. */
#include "event.h"

#include "gate.h"
#include "queue.h"

#include <pthread.h>

pi_result driver_event_create_user(pi_context context, pi_event *ret) {
  pi_event event;
  TRY(event_allocate(context, &event));
  const pi_result result = gate_create(event);
  if (result == PI_SUCCESS)
    *ret = event;
  else
    event_destroy(event);
  return result;
}

/* Adopts a CUevent. One that was never recorded is allowed: for CUDA it is complete. */
void driver_event_adopt(pi_event event, pi_native_handle native) {
  event->driver.end = (CUevent)(uintptr_t)native;
}

void driver_event_close(pi_event event) {
  if (event->driver.gate)
    gate_destroy(event);
  if (event->is_owned) {
    (void)cuda_enter(event->context);
    cu.EventDestroy(event->driver.end);
  }
}

void driver_event_leave(pi_event event) {
  if (event->queue)
    queue_event_put(event->queue, event);
  else
    event_destroy(event);
}

/* Sets the event's status to PI's code of a failure, which is negative as the status has to be. */
static pi_int32 fail_event(pi_event event, CUresult code, const char *call) {
  const pi_int32 status = cu_error_in(code, call, event->queue);
  atomic_store_explicit(&event->status, status, memory_order_release);
  return status;
}

static pi_int32 complete_event(pi_event event) {
  atomic_store_explicit(&event->status, PI_EVENT_COMPLETE, memory_order_release);
  return PI_EVENT_COMPLETE;
}

/* Makes the context of the command's device current, or any member's if there is no command. */
static pi_result enter_event(pi_event event) {
  return cuda_enter(event->queue ? event->queue->driver.member : event->context);
}

pi_int32 driver_event_status(pi_event event) {
  if (event->driver.gate)
    return atomic_load_explicit(&event->status, memory_order_acquire);
  const pi_result entered = enter_event(event);
  if (entered != PI_SUCCESS)
    return entered;
  const CUresult code = cu.EventQuery(event->driver.end);
  if (code == CUDA_SUCCESS)
    return complete_event(event);
  if (code != CUDA_ERROR_NOT_READY)
    return fail_event(event, code, "cuEventQuery");
  const bool is_started = event->driver.start && cu.EventQuery(event->driver.start) == CUDA_SUCCESS;
  return is_started ? PI_EVENT_RUNNING : PI_EVENT_SUBMITTED;
}

pi_result driver_event_wait(pi_event event) {
  if (event->driver.gate) {
    gate_wait(event);
    return PI_SUCCESS;
  }
  TRY(enter_event(event));
  const CUresult code = cu.EventSynchronize(event->driver.end);
  const pi_int32 status =
      code == CUDA_SUCCESS ? complete_event(event) : fail_event(event, code, "cuEventSynchronize");
  /* The caller reads any other failure from the event's status. */
  return status == PI_ERROR_PLUGIN_SPECIFIC_ERROR ? status : PI_SUCCESS;
}

pi_result event_hold_slow(pi_event event, CUstream stream) {
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status < PI_EVENT_COMPLETE)
    return event_failure(event, status);
  if (event->driver.gate)
    return gate_hold(event, stream);
  CU_TRY(StreamWaitEvent, stream, event->driver.end, 0);
  return PI_SUCCESS;
}

pi_result driver_event_set(pi_event event, pi_int32 status) {
  gate_set(event, status);
  return PI_SUCCESS;
}

/* Records a new CUevent in a stream of its own, which first waits for the gate. */
static pi_result record_behind_gate(pi_event event, CUevent made) {
  CUstream stream;
  CU_TRY(StreamCreateWithPriority, &stream, CU_STREAM_NON_BLOCKING, 0);
  pi_result result = gate_hold(event, stream);
  if (result == PI_SUCCESS)
    result = CU_CALL(EventRecord, made, stream);
  cu.StreamDestroy(stream);
  return result;
}

/* Makes the CUevent of a user event, when the native handle is first requested. */
static pi_result give_native(pi_event event) {
  TRY(cuda_enter(event->context));
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

pi_result driver_event_native(pi_event event, pi_native_handle *ret) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const pi_result result = event->driver.end ? PI_SUCCESS : give_native(event);
  pthread_mutex_unlock(&lock);
  TRY(result);
  *ret = (pi_native_handle)(uintptr_t)event->driver.end;
  return PI_SUCCESS;
}
