/* Queues, and how a command of several driver calls is put into one. */
#ifndef LEVEL_ZERO_QUEUE_H
#define LEVEL_ZERO_QUEUE_H

#include "../objects/sink.h"
#include "event.h"

#include <pthread.h>

/*
 * For commands of several driver calls. After sink_begin: has what is appended from now on wait for
 * the command's wait list, and notes when it starts. The calls then get no events at all; between
 * calls that depend on one another stands command_order_steps. command_last_step comes last: it
 * signals the command's event when everything before is complete. Each is one or two calls of the
 * driver; sink_end ends the command with the result of them all.
 *
 * Between sink_begin and sink_end the queue's lock is held, so that what lies between is the calls
 * that append the command, and no more.
 */
pi_result command_first_step(sink *sink);
pi_result command_order_steps(sink *sink);
pi_result command_last_step(sink *sink);

/* driver_queue_finish for all queues of a context; the first failure, after having waited for all.
 */
pi_result queue_finish_all(pi_context context);

/*
 * Asks the driver how far the pending commands are, and forgets those which have ended. The caller
 * keeps the queue in use and holds none of its locks.
 */
void queue_sweep(pi_queue queue);

/*
 * For a queue that the application has released: gives up the use that its references were, if no
 * command is pending any more; returns whether it did.
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
 * refuses, the batch's commands have failed, and those that wait for them go on. is_full: nobody
 * waits, but the batch has no capacity for more.
 */
pi_result queue_batch_execute(pi_queue queue, queue_lane *lane, bool is_full);
/* Destroys the batches; none of them is executed any more. */
void queue_batches_destroy(queue_lane *lane);

#endif
