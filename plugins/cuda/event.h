/* Events: what tells that a command has finished, and when. */
#ifndef PI_CUDA_EVENT_H
#define PI_CUDA_EVENT_H

#include "../objects/event.h"
#include "context.h"

/* A new event with one reference and nothing in it but a status of PI_EVENT_SUBMITTED. */
pi_result event_create(pi_context context, pi_command_type type, pi_event *event);

static inline void event_retain(pi_event event) {
  pi_handle_retain(&event->handle);
}
void event_release(pi_event event);

/*
 * Whether the event has ended, without waiting: PI_EVENT_COMPLETE, PI_EVENT_RUNNING,
 * PI_EVENT_SUBMITTED, or the negative code of a failure, whose sentence is then recorded.
 */
pi_int32 event_status(pi_event event);

/*
 * Waits until the event has ended. PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST with a
 * sentence when it failed, now and at every later call.
 */
pi_result event_wait(pi_event event);

/*
 * Has a stream wait for an event, whose command may be of any queue and context. The context of the
 * stream is current. Errors: that of event_wait for an event that is known to have failed.
 */
pi_result event_hold_slow(pi_event event, CUstream stream);

static inline pi_result event_hold(pi_event event, CUstream stream) {
  const pi_int32 status = atomic_load_explicit(&event->status, memory_order_acquire);
  if (status == PI_EVENT_COMPLETE)
    return PI_SUCCESS;
  if (status > PI_EVENT_COMPLETE && event->driver.stream && event->driver.stream == stream)
    return PI_SUCCESS;
  return event_hold_slow(event, stream);
}

#endif
