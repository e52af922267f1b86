/* Queues, and how a command is put into one. */
#ifndef PI_LEVEL_ZERO_QUEUE_H
#define PI_LEVEL_ZERO_QUEUE_H

#include "../objects/queue.h"
#include "event.h"

#include <pthread.h>

/*
 * A command between queue_begin and queue_end; lives on the caller's stack. The queue's lock is
 * held meanwhile, so that what lies between is the driver call that appends the command, and no
 * more.
 */
typedef struct queue_command {
  pi_queue queue;
  queue_engine engine; /* whose lane it is in: QUEUE_COPY only on a copy engine */
  pi_command_type type;
  ze_command_list_handle_t list;
  ze_event_handle_t signal; /* what the call is to signal: hSignalEvent; not NULL */
  uint32_t wait_count;      /* and what it is to wait for: numWaitEvents, phWaitEvents */
  ze_event_handle_t *waits; /* NULL when the count is 0 */
  pi_event event;           /* the event of signal */
  bool is_single;           /* one call of the driver, though it is concluded as several */
} queue_command;

/*
 * Starts a command: chooses a list and fills in *command. The caller has checked that the events
 * are live handles. wants_event: the caller of PI asked for one. With PI_SUCCESS, one of queue_end
 * and queue_cancel must follow on this thread. Allocates nothing once the pools are warm. Safe from
 * any thread; two threads that use one queue at the same time get no order among their commands.
 *
 * A command of several driver calls has its own functions, below.
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

/*
 * For commands of several driver calls. After queue_begin: has what is appended from now on wait
 * for the command's wait list, and notes when it starts. The calls then get no events at all;
 * between calls that depend on one another stands queue_order_steps. queue_last_step comes last: it
 * signals the command's event when everything before is complete. Each is one or two calls of the
 * driver; queue_conclude_started ends the command with the result of them all.
 */
pi_result queue_first_step(queue_command *command);
pi_result queue_order_steps(queue_command *command);
pi_result queue_last_step(queue_command *command);

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

/*
 * Appends what makes the command, which has been begun on QUEUE_COMPUTE, a marker: it ends when
 * what it waits for has; joins: when all that was enqueued before in the queue has. Of a barrier
 * later commands wait for it. The command is then concluded as one of several driver calls.
 */
pi_result queue_marker(queue_command *command, bool joins);
pi_result queue_barrier(queue_command *command, bool joins);

/* driver_queue_finish for all queues of a context; the first failure, after having waited for all.
 */
pi_result queue_finish_all(pi_context context);

/*
 * Asks the driver how far the pending commands are, and forgets those which have ended. The caller
 * keeps the queue in use and holds none of its locks.
 */
void queue_sweep(pi_queue queue);

/*
 * Of a queue that the application has released: gives up the use that its references were if no
 * command is pending any more. Whether that was so.
 */
bool queue_leave(pi_queue queue);

/* Fills in what a new queue has before its lanes; the engines follow from its flags. */
void queue_prepare(pi_queue queue);

/* Lets the other queues and events of the context know a queue, whose lane for kernels is made. */
void queue_publish(pi_queue queue);

/*
 * Goes through the queues of a context: the first one after latest, which is NULL at the start and
 * whose use is given up; the next one comes with a use, NULL at the end. No lock is held.
 */
pi_queue queue_next(pi_context context, pi_queue latest);

/* The lane for an engine, made if there is none yet; with the queue's lock. */
pi_result queue_lane_get(pi_queue queue, queue_engine engine, queue_lane **lane);
/* Waits until all that the driver was given is complete, where it can tell that of a list. */
void queue_lane_wait(const queue_lane *lane);
/* Destroys what the driver has for a lane; no command is pending. */
void queue_lane_destroy(queue_lane *lane);

/* The list that the next command of a lane is to be appended to; with the queue's lock. */
pi_result queue_lane_list(pi_queue queue, queue_lane *lane, ze_command_list_handle_t *list);
/* Adds an event to what is in the lane's list; executes the batch if it is full. */
pi_result queue_lane_add(pi_queue queue, queue_lane *lane, pi_event event);

/* A new batch for a lane, or one that is used again. With the queue's lock. */
pi_result queue_batch_open(pi_queue queue, queue_lane *lane);
/*
 * Executes the open batch of a lane, if there is one. With the queue's lock. When the driver
 * refuses, the batch's commands have failed, and those that wait for them go on.
 * is_full: nobody waits, there is no room for more.
 */
pi_result queue_batch_execute(pi_queue queue, queue_lane *lane, bool is_full);
/* Destroys the batches; none of them is executed any more. */
void queue_batches_destroy(queue_lane *lane);

#endif
