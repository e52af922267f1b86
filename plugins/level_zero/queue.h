/* Queues, their lanes and batches, and commands of several driver calls. */
#ifndef LEVEL_ZERO_QUEUE_H
#define LEVEL_ZERO_QUEUE_H

#include "../objects/sink.h"
#include "event.h"

#include <pthread.h>

/*
 * These build a command of several driver calls (steps) between sink_begin and sink_end.
 * command_first_step makes all later steps wait for the command's wait list, and records the start
 * time. The steps themselves get no events. command_order_steps goes between steps that depend on
 * one another. command_last_step signals the command's event when all steps are complete. sink_end
 * then gets the first error of all these calls.
 *
 * The queue's lock is held from sink_begin to sink_end, so only calls that append the command
 * belong between them.
 */
pi_result command_first_step(sink *sink);
pi_result command_order_steps(sink *sink);
pi_result command_last_step(sink *sink);

/* Submits the gathered commands of all queues of a context. */
void queue_flush_all(pi_context context);

/* Submits and waits for all commands of all queues of a context; returns the first error. */
pi_result queue_finish_all(pi_context context);

/*
 * Enqueues a marker in each queue of a context whose native handle the application has, because it
 * may have appended commands that the plugin does not know. The markers are pending until these
 * have ended. Returns false if a queue has a command queue's handle, for whose commands only
 * queue_finish_all waits, or if the driver fails. Costs one load while the application has no such
 * handle. The caller holds no lock of a queue.
 */
bool queue_mark_natives(pi_context context);

/*
 * Asks the driver about the pending commands, and removes those that have ended from the queue's
 * lists. The caller keeps the queue in use and holds none of its locks.
 */
void queue_sweep(pi_queue queue);

/*
 * Drops the use that a queue has kept since the application released it, if no command is pending
 * any more. Returns whether it did.
 */
bool queue_leave(pi_queue queue);

/* Fills in all of a new queue except its lanes. */
void queue_prepare(pi_queue queue);

/* Adds a queue to the list of its context. Its lane for kernels must have been made. */
void queue_publish(pi_queue queue);

/*
 * Iterates over the queues of a context: returns the one after latest with a use, or NULL at the
 * end, and drops the use of latest. latest is NULL at the start. No lock is held between calls.
 */
pi_queue queue_next(pi_context context, pi_queue latest);

/* Returns the lane for an engine, and makes it at first use. The caller holds the queue's lock. */
pi_result queue_lane_get(pi_queue queue, queue_engine engine, queue_lane **lane);
/* Waits until all submitted commands of a lane have ended. Does not wait for an immediate list if
 * the driver has no call for that. */
void queue_lane_wait(const queue_lane *lane);
/* Destroys a lane's driver objects. No command is pending. */
void queue_lane_destroy(queue_lane *lane);

/* Returns the list for the next command of a lane. The caller holds the queue's lock. */
pi_result queue_lane_list(pi_queue queue, queue_lane *lane, ze_command_list_handle_t *list);
/* Adds the event of a command that was appended to the lane's list; executes the batch if it is
 * full. The caller holds the queue's lock. */
pi_result queue_lane_add(pi_queue queue, queue_lane *lane, pi_event event);

/* Opens a batch of a lane, a new or a reused one. The caller holds the queue's lock. */
pi_result queue_batch_open(pi_queue queue, queue_lane *lane);
/*
 * Executes the open batch of a lane, if there is one. If the driver refuses, the commands of the
 * batch fail, and commands that wait for them go on. is_full: the reason is that the batch is full,
 * not that somebody waits for a command. The caller holds the queue's lock.
 */
pi_result queue_batch_execute(pi_queue queue, queue_lane *lane, bool is_full);
/* Destroys the batches of a lane. None of them is still running. */
void queue_batches_destroy(queue_lane *lane);

#endif
