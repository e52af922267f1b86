/* Events: what tells that a command has finished, and when. */
#ifndef PI_LEVEL_ZERO_EVENT_H
#define PI_LEVEL_ZERO_EVENT_H

#include "context.h"

/*
 * Of a command, of the application (a user event), or around a native ze_event_handle_t. Those of
 * commands come from pools of their context, which grow, and go back there when nothing can refer
 * to them any more: neither the application nor a command that waits for them.
 */
struct pi_event_object {
  pi_handle handle;
  pi_context context; /* a reference */
  pi_queue queue;     /* kept in use; NULL: a user event, or one made from a native handle */
  pi_command_type type;
  atomic_int status;       /* above 0: not known to have ended; 0: complete; below: the failure's */
  ze_event_handle_t event; /* signalled by the command's end */
  bool is_owned;           /* event is destroyed (or put back) with the object */
  bool has_timestamps;     /* the event is of a pool with kernel timestamps */
  pi_uint64 queued;        /* with profiling: when the command was enqueued, in ns of the device */
  pi_uint64 submitted; /* with profiling: when it was given to the driver, in ns of the device */
  struct queue_batch *batch;    /* the list that it is in, as long as that may not be submitted */
  struct pi_event_object *next; /* in a pool */
};

static inline void event_retain(pi_event event) {
  pi_handle_retain(&event->handle);
}
void event_release(pi_event event);

/*
 * Whether the event has ended, without waiting; submits the batch it is in. PI_EVENT_COMPLETE,
 * PI_EVENT_RUNNING, PI_EVENT_SUBMITTED, or the negative code of a failure, whose sentence is then
 * recorded.
 */
pi_int32 event_status(pi_event event);

/*
 * Waits until the event has ended; submits the batch it is in.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST with a sentence when it failed, now and at
 * every later call.
 */
pi_result event_wait(pi_event event);

#endif
