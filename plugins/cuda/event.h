/* Events in CUDA. */
#ifndef CUDA_EVENT_H
#define CUDA_EVENT_H

#include "../objects/event.h"
#include "context.h"

/*
 * Makes a stream wait for an event of any queue and context. The stream's context is current. If
 * the event is known to have failed, it fails with the error of event_wait.
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
