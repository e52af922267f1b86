/* The parts of a queue for each engine. */
#ifndef LEVEL_ZERO_QUEUE_LANE_H
#define LEVEL_ZERO_QUEUE_LANE_H

#include "driver.h"

#include <stdatomic.h>

/*
 * Which engine a command may use: kernels need the compute engine; a copy whose memory is not all
 * of the host may use a copy engine where the device has one.
 */
typedef enum queue_engine { QUEUE_COMPUTE, QUEUE_COPY, QUEUE_ENGINES } queue_engine;

/* A list of commands that gathers, is executed, and is used again; in queue_batch.c. */
typedef struct queue_batch {
  struct queue_batch *next;
  ze_command_list_handle_t list;
  ze_fence_handle_t fence;
  pi_uint64 number;
  unsigned count; /* of commands */
  pi_event events, *events_end;
} queue_batch;

/*
 * A queue's part for one engine: an immediate command list, or a command queue and its batches.
 * Made when the first command needs it.
 */
typedef struct queue_lane {
  bool is_made;
  bool is_owned;            /* the driver's object is destroyed with the queue */
  atomic_bool is_given_out; /* as a native handle: who has it may use it at any time */
  uint32_t group, index;    /* the engine's */
  size_t fill_pattern_size; /* the largest one of zeCommandListAppendMemoryFill */
  bool is_explicit;         /* that engine and no other */
  bool is_used;             /* since the latest barrier or marker that waited for all lanes */
  ze_command_list_handle_t immediate;
  ze_command_queue_handle_t queue;       /* with batches */
  queue_batch *open;                     /* NULL: nothing is gathered */
  queue_batch *executed, **executed_end; /* the oldest first */
  queue_batch *spare;
  pi_uint64 opened;        /* the number of the latest batch */
  atomic_ullong submitted; /* that of the latest one that was executed */
  unsigned batch_size;     /* commands of a batch that is full */
} queue_lane;

#endif
