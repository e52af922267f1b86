/* Queues, and how a command is put into one. */
#ifndef PI_LEVEL_ZERO_QUEUE_H
#define PI_LEVEL_ZERO_QUEUE_H

#include "event.h"

#include <pthread.h>

/*
 * Which engine a command may use: kernels need the compute engine; a copy whose memory is not all
 * of the host may use a copy engine where the device has one.
 */
typedef enum queue_engine { QUEUE_COMPUTE, QUEUE_COPY, QUEUE_ENGINES } queue_engine;

struct queue_batch;

/*
 * A queue sends its commands through immediate command lists, or gathers them in command lists
 * (batches) which it executes when they are full, or somebody waits for one of their commands; one
 * of each per engine. Which way: the queue's flags, else SPECPI_LEVEL_ZERO_COMMAND_LISTS, else
 * what docs/level_zero.md says.
 */
struct pi_queue_object {
  pi_handle handle;
  atomic_uint users; /* one for the handle's references together, one for each event */
  pi_context context;
  pi_device device;
  pi_queue_properties flags;
  bool is_in_order;
  bool has_profiling;
  bool is_immediate;
  pthread_mutex_t lock; /* of the lists: Level Zero takes one thread at a time for each */
};

/*
 * A command between queue_begin and queue_end; lives on the caller's stack. The queue's lock is
 * held meanwhile, so that what lies between is the driver call that appends the command, and no
 * more.
 */
typedef struct queue_command {
  pi_queue queue;
  queue_engine engine;
  pi_command_type type;
  ze_command_list_handle_t list;
  ze_event_handle_t signal; /* what the call is to signal: hSignalEvent; may be NULL */
  uint32_t wait_count;      /* and what it is to wait for: numWaitEvents, phWaitEvents */
  ze_event_handle_t *waits;
  struct queue_batch *batch;
  pi_event event; /* the event of signal */
} queue_command;

/*
 * Starts a command: chooses a list and fills in *command. The caller has checked the events.
 * wants_event: the caller of PI asked for one. With PI_SUCCESS, one of queue_end and queue_cancel
 * must follow on this thread. Allocates nothing once the pools are warm. Safe from any thread; two
 * threads that use one queue at the same time get no order among their commands.
 *
 * A command of several driver calls: the first one gets the waits, the last one the signal, or a
 * barrier with the signal comes last; between them the engine keeps no order by itself, so calls
 * that depend on one another need a barrier between.
 *
 * PI_ERROR_INVALID_CONTEXT: an event is of another context.
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event is known to have failed. Otherwise
 * what the driver's failures are mapped to.
 */
pi_result queue_begin(pi_queue queue, pi_command_type type, queue_engine engine,
                      pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                      bool wants_event, queue_command *command);

/*
 * Ends a command whose driver call succeeded: executes the batch when it is time, unlocks the
 * queue, and hands out the event if event is not NULL. blocking: waits until the command has
 * finished; PI_ERROR_... of event_wait if it failed.
 */
pi_result queue_end(queue_command *command, bool blocking, pi_event *event);

/* Gives up a command whose driver call failed; returns result, the call's. */
pi_result queue_cancel(queue_command *command, pi_result result);

/*
 * The same for a command of several driver calls of which some may have succeeded: what was
 * appended is executed and waited for first.
 */
pi_result queue_cancel_started(queue_command *command, pi_result result);

/* Ends a command of one driver call, or gives it up: result is the call's. */
static inline pi_result queue_conclude(queue_command *command, pi_result result, bool blocking,
                                       pi_event *event) {
  if (__builtin_expect(result != PI_SUCCESS, 0))
    return queue_cancel(command, result);
  return queue_end(command, blocking, event);
}

/* The same for several driver calls, of which some may have succeeded before result. */
static inline pi_result queue_conclude_started(queue_command *command, pi_result result,
                                               bool blocking, pi_event *event) {
  if (__builtin_expect(result != PI_SUCCESS, 0))
    return queue_cancel_started(command, result);
  return queue_end(command, blocking, event);
}

/* Executes what the queue has gathered; the driver may not have finished it. */
pi_result queue_flush(pi_queue queue);

/* The context of a queue, which keeps a reference to it. */
static inline pi_context queue_context(pi_queue queue) {
  return queue->context;
}

/* Uses of a queue that are no references of PI; the last one destroys it. */
static inline void queue_retain(pi_queue queue) {
  atomic_fetch_add_explicit(&queue->users, 1, memory_order_relaxed);
}
void queue_release(pi_queue queue);

#endif
