/* Queues, and how a command is put into one. */
#ifndef PI_CUDA_QUEUE_H
#define PI_CUDA_QUEUE_H

#include "event.h"

/* Owned by queue.c: streams, events that are free, flags. */
struct pi_queue_object;

/* A command between queue_begin and queue_end; lives on the caller's stack. */
typedef struct queue_command {
  pi_queue queue;
  CUstream stream;
  pi_event event; /* taken from the queue's pool when one is wanted; NULL otherwise */
} queue_command;

/*
 * Starts a command: makes the queue's context current, picks a stream and has it wait for the
 * events, which the caller has checked. wants_event: the caller of PI asked for one. With
 * PI_SUCCESS, one of queue_end and queue_cancel must follow. Allocates nothing once the pools are
 * warm.
 */
pi_result queue_begin(pi_queue queue, pi_command_type type, pi_uint32 num_events_in_wait_list,
                      const pi_event *event_wait_list, bool wants_event, queue_command *command);

/*
 * Ends a command whose driver call succeeded: records its event, and hands it out if event is not
 * NULL. blocking: waits until the command has finished.
 */
pi_result queue_end(queue_command *command, bool blocking, pi_event *event);

/* Gives up a command whose driver call failed; returns result, the call's. */
pi_result queue_cancel(queue_command *command, pi_result result);

/* The context of a queue, and whether it has the device of one. */
pi_context queue_context(pi_queue queue);

void queue_retain(pi_queue queue);
void queue_release(pi_queue queue);

#endif
