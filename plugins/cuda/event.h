/* Events: what tells that a command has finished, and when. */
#ifndef PI_CUDA_EVENT_H
#define PI_CUDA_EVENT_H

#include "context.h"

/* Owned by event.c, which documents each member. */
struct pi_event_object {
  pi_handle handle;
  pi_context context;
  pi_queue queue; /* NULL: a user event, or one made from a native handle */
  pi_command_type type;
  CUevent end;                  /* recorded behind the command */
  CUevent queued;               /* with profiling: recorded when it was enqueued, before it waits */
  CUevent start;                /* with profiling: recorded before the command */
  CUstream stream;              /* where the command runs; NULL for others */
  struct pi_event_object *next; /* in a pool of events that are free */
};

static inline void event_retain(pi_event event) {
  pi_handle_retain(&event->handle);
}
void event_release(pi_event event);

#endif
