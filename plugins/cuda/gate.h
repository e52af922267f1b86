/*
 * User events: what a stream can wait for until the application says so. Each has a word in memory
 * of the host which the device reads (cuStreamWaitValue32).
 *
 * A stream that waits for the application may wait for ever, and so does every call that waits for
 * such a stream. While there are any (gate_is_any_closed) the plugin avoids the waits which it
 * otherwise leaves to the driver: transfers of pageable memory are staged (transfer.h), and memory
 * and code are freed later (deferred_free.h).
 */
#ifndef CUDA_GATE_H
#define CUDA_GATE_H

#include "event.h"

/* User events of the process which are not set yet and which a stream waits for. */
extern atomic_uint gate_closed_count;

static inline bool gate_is_any_closed(void) {
  return atomic_load_explicit(&gate_closed_count, memory_order_acquire) != 0;
}

/*
 * Gives a new event its gate. PI_ERROR_UNSUPPORTED_FEATURE: the driver has no stream memory
 * operations. PI_ERROR_OUT_OF_HOST_MEMORY, or what the driver says when it has no memory.
 */
pi_result gate_create(pi_event event);

/* Opens the gate of an event that nobody can set any more, and takes it back. */
void gate_destroy(pi_event event);

/*
 * Ends a user event with PI_EVENT_COMPLETE or a negative status and opens its gate: commands that
 * were enqueued before run in either case, because CUDA cannot take them back.
 */
void gate_set(pi_event event, pi_int32 status);

/* Has a stream of the current context wait for a user event; see event_hold_slow. */
pi_result gate_hold(pi_event event, CUstream stream);

/* Waits on the host until the user event is set. */
void gate_wait(pi_event event);

/* Frees a context's memory for user events; none of them is left. */
void gate_close_context(pi_context context);

#endif
