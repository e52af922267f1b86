/*
 * Several OpenCL commands that make up one PI command. All of them wait for the caller's wait list,
 * and one event stands for all of them. That is right in any queue, because the order comes from
 * events and not from the queue.
 */
#ifndef OPENCL_SEQUENCE_H
#define OPENCL_SEQUENCE_H

#include "sink.h"

/* Wait list of the next command. */
typedef struct sequence_wait {
  cl_uint count;
  const cl_event *list;
} sequence_wait;

/*
 * Largest number of events. When it is reached, one marker replaces them, so a sequence of any
 * length needs no allocation.
 */
enum { SEQUENCE_EVENTS = 64 };

typedef struct sequence {
  sink *sink; /* of the whole command */
  cl_command_queue queue;
  sequence_wait wait; /* wait list of new commands */
  cl_event barrier;   /* owned; the only event of wait after sequence_order, NULL before */
  cl_event events[SEQUENCE_EVENTS]; /* owned */
  cl_uint count;
} sequence;

/* Starts an empty sequence for the command of a queue's sink. */
void sequence_begin(sequence *sequence, sink *sink);

/* Returns the place for the next command's event; there is always a free one. */
static inline cl_event *sequence_event(sequence *sequence) {
  sequence->events[sequence->count] = NULL;
  return &sequence->events[sequence->count];
}

/*
 * Adds a command whose event is in the place of sequence_event; code is the result of its call:
 *   sequence_add(&s, cl.EnqueueX(..., s.wait.count, s.wait.list, sequence_event(&s)), "clEnqueueX")
 */
pi_result sequence_add(sequence *sequence, cl_int code, const char *call);

/* Makes all later commands wait for all earlier ones. */
pi_result sequence_order(sequence *sequence);

/*
 * Ends the sequence; result is the first error of its commands. After a success the sink's event
 * stands for all commands, and a blocking sink waits for their end. After a failure this waits for
 * the commands that were already enqueued, because they may use memory that the caller frees, and
 * returns result.
 */
pi_result sequence_end(sequence *sequence, pi_result result);

#endif
