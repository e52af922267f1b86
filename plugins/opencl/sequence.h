/*
 * Several OpenCL commands that answer one PI command: all of them wait for the caller's
 * wait list, and one event stands for all of them. That is right in any queue, because
 * the order comes from events and not from the queue.
 */
#ifndef OPENCL_SEQUENCE_H
#define OPENCL_SEQUENCE_H

#include "opencl.h"

/* Wait list of a command that is next to be enqueued. */
typedef struct sequence_wait {
  cl_uint count;
  const cl_event *list;
} sequence_wait;

/*
 * When this many commands have no common event yet, a marker takes their place, so that
 * any number of commands needs no allocation.
 */
enum { SEQUENCE_EVENTS = 64 };

typedef struct sequence {
  cl_command_queue queue;
  sequence_wait wait; /* what new commands wait for */
  cl_event barrier;   /* owned; the event after wait once sequence_order ran, or NULL */
  cl_event events[SEQUENCE_EVENTS]; /* owned */
  cl_uint count;
} sequence;

/* Starts without any command. wait_list is not kept beyond the caller's call. */
void sequence_begin(sequence *sequence, cl_command_queue queue, cl_uint wait_count,
                    const cl_event *wait_list);

/* Where the driver stores the next command's event. There is always a free place. */
static inline cl_event *sequence_event(sequence *sequence) {
  sequence->events[sequence->count] = NULL;
  return &sequence->events[sequence->count];
}

/*
 * Enters the command which the driver answered with code, and whose event is in place:
 *   sequence_add(&s, cl.EnqueueX(..., s.wait.count, s.wait.list, sequence_event(&s)), "clEnqueueX")
 */
pi_result sequence_add(sequence *sequence, cl_int code, const char *call);

/* Makes the commands that follow wait for all those that came before. */
pi_result sequence_order(sequence *sequence);

/*
 * Ends the sequence. result is how the steps went. After a success the event, when the
 * caller wants it, stands for all commands, and with blocking they are complete. After a
 * failure this waits for the commands which were already enqueued, because they may use
 * memory that the caller takes back, and returns result.
 */
pi_result sequence_end(sequence *sequence, pi_result result, bool blocking, pi_event *event);

#endif
