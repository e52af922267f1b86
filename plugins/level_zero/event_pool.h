/*
 * A context's pools of events, and the list of its queues.
 *
 * A pool makes many events at a time. They are taken and put back, and live as long as the context.
 */
#ifndef LEVEL_ZERO_EVENT_POOL_H
#define LEVEL_ZERO_EVENT_POOL_H

#include "event.h"

#include <pthread.h>

enum { POOL_EVENTS = 64 };

/* Kinds of pools: without and with kernel timestamps, which cost time. */
enum { POOL_PLAIN, POOL_TIMESTAMPS, POOL_KINDS };

typedef struct event_pool {
  struct event_pool *next;
  ze_event_pool_handle_t pool;
  struct event_pools *pools;
  int kind;
  struct pi_event_object events[POOL_EVENTS];
} event_pool;

struct event_pools {
  pthread_mutex_t lock; /* guards all and free; never held during a driver call */
  event_pool *all;
  pi_event free[POOL_KINDS];
  pthread_mutex_t queues_lock; /* guards queues */
  pi_queue queues;
  pthread_mutex_t upload_lock; /* guards upload; driver_memory_upload holds it while it copies */
  ze_command_list_handle_t upload;
};

/*
 * Takes an event out of the context's pools. The event is not signalled; it has one use, no PI
 * reference, its type and the status PI_EVENT_SUBMITTED. It keeps queue in use, or the context if
 * queue is NULL, until event_drop_use puts it back. Allocates only when all events are in use.
 *
 * PI_ERROR_OUT_OF_HOST_MEMORY, or an error of the driver.
 */
pi_result event_take(pi_context context, pi_queue queue, bool has_timestamps, pi_command_type type,
                     pi_event *event);

/* Reserves capacity for count waits. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result event_reserve_waits(pi_event event, pi_uint32 count);

/* Adds an event to the wait list of a command and takes a use of it. The caller has reserved the
 * capacity. */
void event_add_wait(pi_event event, pi_event wait);

/* Drops the uses of the events that the command has waited for. */
void event_drop_waits(pi_event event);

#endif
