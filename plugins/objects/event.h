/* Events: what tells that a command has finished, and when. */
#ifndef PI_OBJECTS_EVENT_H
#define PI_OBJECTS_EVENT_H

#include "driver_parts.h"
#include "handle.h"

/*
 * Of a command, of the application (a user event), or around a native handle. Where events of
 * commands come from and go back to is the driver's affair.
 */
struct pi_event_object {
  pi_handle handle;  /* references of PI */
  atomic_int status; /* above 0: not known to have ended; 0: complete; below: the failure's code */
  pi_command_type type;
  bool is_user;            /* made by piEventCreate */
  atomic_bool is_set;      /* of a user event: it has its status, or nobody can set it any more */
  bool is_owned;           /* the driver's object is destroyed with the event, which has no queue */
  pi_context context;      /* a reference, for events without a queue */
  pi_queue queue;          /* kept in use; NULL: a user event, or one made from a native handle */
  pi_event next;           /* in a list of the driver's */
  pi_uint64 queued;        /* with profiling: when the command was enqueued, in ns */
  atomic_ullong submitted; /* with profiling: when it was given to the driver, in ns */
  pi_event origin; /* of a native handle that is of one of ours: a reference to that event */
  struct driver_event driver;
};

#endif
