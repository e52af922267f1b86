/* What the CUDA driver keeps in the objects of ../objects; see ../objects/driver.h. */
#ifndef PI_CUDA_DRIVER_PARTS_H
#define PI_CUDA_DRIVER_PARTS_H

#include "driver.h"

#include "../objects/command_list.h"
#include "../objects/watcher.h"

#include <stdatomic.h>

/* CUDA has no samplers: a kernel gets a number, see sampler_properties, and an image a texture. */
struct driver_sampler {
  pi_uint32 properties;
};

/*
 * An in-order queue is a stream, one out of order has a pool of them (queue.h). Events of commands
 * go back to their queue, with their CUevents.
 */
struct driver_queue {
  CUstream stream;         /* of an in-order queue; NULL in one that is out of order */
  struct queue_pool *pool; /* of a queue out of order; NULL in an in-order queue */
  atomic_flag events_lock;
  pi_event events; /* the free ones */
  int priority;
  bool is_owned; /* the stream is destroyed with the queue */
};

struct driver_event {
  CUstream stream; /* the command's; the stream itself is order enough for what follows there */
  CUevent end;     /* recorded behind the command; NULL for a user event that nobody asked for */
  CUevent start;   /* with profiling: recorded before the command; NULL without */
  struct queue_stream *place; /* in a queue out of order: the stream's, with its number then */
  unsigned serial;            /* of the command in that stream */
  struct event_gate *gate;    /* of a user event: gate.h */
};

/* A graph while it is open, and what that was made into once it is finalized. */
struct driver_command_buffer {
  CUgraph graph;
  command_list nodes;    /* CUgraphNode: all, so that a failed command can be taken out again */
  command_list commands; /* CUgraphNode: the last one of each command, by its sync point */
  CUgraphExec exec;
  CUevent run;      /* behind the latest launch, under the lock; NULL before the first */
  watched released; /* by the application, while a run is held back */
};

#endif
