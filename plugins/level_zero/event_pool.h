/*
 * The parts of a context for its events and queues: pools of events, and the list of its queues.
 *
 * Events are made many at a time, are taken and put back, and live as long as the context.
 */
#ifndef LEVEL_ZERO_EVENT_POOL_H
#define LEVEL_ZERO_EVENT_POOL_H

#include "event.h"

#include <pthread.h>

enum { POOL_EVENTS = 64 };

/* With kernel timestamps, which cost time, and without. */
enum { POOL_PLAIN, POOL_TIMESTAMPS, POOL_KINDS };

typedef struct event_pool {
  struct event_pool *next;
  ze_event_pool_handle_t pool;
  struct event_pools *pools;
  int kind;
  struct pi_event_object events[POOL_EVENTS];
} event_pool;

struct event_pools {
  pthread_mutex_t lock; /* of what follows; no call of the driver is made with it */
  event_pool *all;
  pi_event free[POOL_KINDS];
  pthread_mutex_t queues_lock; /* of the list that follows */
  pi_queue queues;
  pthread_mutex_t
      upload_lock; /* of the list that driver_memory_upload uses; held while it copies */
  ze_command_list_handle_t upload;
};

/*
 * Takes an event out of the context's pools, not signalled, with one use and nothing in it but its
 * type and a status of PI_EVENT_SUBMITTED, and no reference of PI. queue, which may be NULL, or
 * else the context, is kept in use until event_drop_use puts the event back. Allocates only when
 * all events are in use.
 *
 * PI_ERROR_OUT_OF_HOST_MEMORY, or what the driver says.
 */
pi_result event_take(pi_context context, pi_queue queue, bool has_timestamps, pi_command_type type,
                     pi_event *event);

/* Reserves capacity for count waits. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result event_reserve_waits(pi_event event, pi_uint32 count);

/* Adds an event to those that a command waits for, and takes a use of it. The capacity is reserved.
 */
void event_add_wait(pi_event event, pi_event wait);

/* Gives up the uses of what the command has waited for. */
void event_drop_waits(pi_event event);

#endif
