/* Events: what tells that a command has finished, and when. */
#ifndef PI_CUDA_EVENT_H
#define PI_CUDA_EVENT_H

#include "context.h"

/*
 * Of a command, of the application (a user event: gate.h), or around a native CUevent. Those of
 * commands come from a pool of their queue and go back there, with their CUevents.
 */
struct pi_event_object {
  pi_handle handle;
  pi_context context; /* a reference, for events without a queue */
  pi_queue queue;     /* kept in use; NULL: a user event, or one made from a native handle */
  pi_command_type type;
  atomic_int status; /* above 0: not known to have ended; 0: complete; below: the failure's code */
  CUevent end;       /* recorded behind the command; NULL for a user event that nobody asked for */
  CUevent start;     /* with profiling: recorded before the command; NULL without */
  bool is_owned;     /* end is destroyed with the event */
  CUstream stream;   /* the command's; the stream itself is order enough for what follows there */
  struct queue_stream *place;   /* in a queue out of order: the stream's, with its number then */
  unsigned serial;              /* of the command in that stream */
  pi_uint64 queued;             /* with profiling: when the command was enqueued, in ns */
  pi_uint64 submitted;          /* with profiling: when it was given to the driver, in ns */
  struct event_gate *gate;      /* of a user event */
  pi_handle *origin;            /* of a native event that is one of ours: that one, a reference */
  struct pi_event_object *next; /* in the pool */
};

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
  if (status > PI_EVENT_COMPLETE && event->stream && event->stream == stream)
    return PI_SUCCESS;
  return event_hold_slow(event, stream);
}

#endif
