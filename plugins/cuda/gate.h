/*
 * User events. Streams wait for a user event until the application sets it. Each user event has a
 * gate, a word in host memory that the device polls (cuStreamWaitValue32).
 *
 * A stream that waits for the application may wait for ever, and so may any call that waits for the
 * stream. So while a stream waits for an unset user event (gate_is_any_closed), the plugin avoids
 * driver calls that wait for streams: it stages transfers of pageable memory (transfer.h), and
 * frees memory and code later (deferred_free.h).
 */
#ifndef CUDA_GATE_H
#define CUDA_GATE_H

#include "event.h"

/* Number of unset user events, of the whole process, that some stream waits for. */
extern atomic_uint gate_closed_count;

static inline bool gate_is_any_closed(void) {
  return atomic_load_explicit(&gate_closed_count, memory_order_acquire) != 0;
}

/*
 * Makes the gate of a new event. PI_ERROR_UNSUPPORTED_FEATURE: the driver has no
 * cuStreamWaitValue32. PI_ERROR_OUT_OF_HOST_MEMORY; errors of the driver's allocation.
 */
pi_result gate_create(pi_event event);

/* Opens and frees the gate of an event that the application has released. */
void gate_destroy(pi_event event);

/*
 * Sets a user event to PI_EVENT_COMPLETE or a negative status, and opens its gate. Commands that
 * already wait for the event run even after a negative status: CUDA cannot cancel them.
 */
void gate_set(pi_event event, pi_int32 status);

/* Makes a stream of the current context wait for a user event; see event_hold_slow. */
pi_result gate_hold(pi_event event, CUstream stream);

/* Waits on the host until the user event is set. */
void gate_wait(pi_event event);

/* Frees a context's memory for gates, when the context has no user event any more. */
void gate_close_context(pi_context context);

#endif
