/* The parts of a queue for each engine. */
#ifndef LEVEL_ZERO_QUEUE_LANE_H
#define LEVEL_ZERO_QUEUE_LANE_H

#include "driver.h"

#include <stdatomic.h>

/*
 * The engine of a command. Kernels need the compute engine. A copy may use a copy engine if the
 * device has one, unless all its memory is host memory.
 */
typedef enum queue_engine { QUEUE_COMPUTE, QUEUE_COPY, QUEUE_ENGINES } queue_engine;

/* A command list that gathers commands, is executed, and is then reused; see queue_batch.c. */
typedef struct queue_batch {
  struct queue_batch *next;
  ze_command_list_handle_t list;
  ze_fence_handle_t fence;
  pi_uint64 number;
  unsigned count; /* commands in the list */
  pi_event events, *events_end;
} queue_batch;

/*
 * A queue's part for one engine: an immediate command list, or a command queue and its batches. It
 * is made when a command first needs it.
 */
typedef struct queue_lane {
  bool is_made;
  bool is_owned;            /* the driver's object is destroyed with the queue */
  atomic_bool is_given_out; /* the application has the native handle and may use it at any time */
  uint32_t group, index;    /* the engine's group ordinal, and its index in the group */
  size_t fill_pattern_size; /* bytes: zeCommandListAppendMemoryFill's limit */
  bool is_explicit;         /* the driver must use this engine and no other */
  bool is_used;             /* has commands since the latest barrier or marker that joined lanes */
  ze_command_list_handle_t immediate;    /* NULL if the lane has batches */
  ze_command_queue_handle_t queue;       /* executes the batches; NULL without */
  queue_batch *open;                     /* the batch that gathers commands; NULL if none */
  queue_batch *executed, **executed_end; /* the oldest first */
  queue_batch *spare;
  pi_uint64 opened;        /* number of the latest batch */
  atomic_ullong submitted; /* number of the latest batch that was executed */
  unsigned batch_size;     /* number of commands at which a batch is full */
} queue_lane;

#endif
