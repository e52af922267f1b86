/* Queues, and how a command is put into one. */
#ifndef PI_CUDA_QUEUE_H
#define PI_CUDA_QUEUE_H

#include "../objects/queue.h"
#include "event.h"

#include <pthread.h>

/*
 * Streams of a queue out of order, at most. Each is made when it is first needed. More than the
 * device has connections to its front end (8, unless CUDA_DEVICE_MAX_CONNECTIONS says otherwise)
 * gives no more overlap, but fewer commands that wait behind one they have nothing to do with.
 */
enum { QUEUE_STREAMS = 16 };

/* One stream of a queue out of order. */
typedef struct queue_stream {
  _Atomic(CUstream) stream; /* NULL until it is needed */
  CUevent join;             /* recorded where a barrier or a marker waits for the stream */
  atomic_uint serial;       /* commands that it was given */
  atomic_uint barrier;      /* the latest barrier that it waits for */
  atomic_bool is_used;      /* since the latest barrier */
  atomic_bool is_given_out; /* as a native handle: who has it may use it at any time */
} queue_stream;

/* What a queue out of order has besides. */
typedef struct queue_pool {
  atomic_uint next;         /* the stream whose turn it is */
  pthread_mutex_t lock;     /* of making streams, of barriers and markers */
  CUevent barrier;          /* recorded by the latest barrier; each contains the one before */
  atomic_uint barrier_made; /* barriers so far */
  queue_stream streams[QUEUE_STREAMS];
} queue_pool;

/* A command between queue_begin and queue_end; lives on the caller's stack. */
typedef struct queue_command {
  pi_queue queue;
  CUstream stream;
  queue_stream *place; /* of the stream, in a queue out of order */
  unsigned serial;     /* of the command in that stream */
  pi_command_type type;
  pi_event event; /* taken from the queue's pool when one is wanted; NULL otherwise */
} queue_command;

/*
 * Starts a command: makes the queue's context current, picks a stream and has it wait for the
 * events, which the caller has checked. wants_event: the caller of PI asked for one. With
 * PI_SUCCESS, one of queue_end and queue_cancel must follow. Allocates nothing once the pools are
 * warm. Safe from any thread; two threads that use one queue at the same time get no order among
 * their commands.
 *
 * PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event is known to have failed. Otherwise
 * what the driver's failures are mapped to.
 */
pi_result queue_begin(pi_queue queue, pi_command_type type, pi_uint32 num_events_in_wait_list,
                      const pi_event *event_wait_list, bool wants_event, queue_command *command);

/*
 * Ends a command whose driver call succeeded: records its event, and hands it out if event is not
 * NULL. blocking: waits until the command has finished; PI_ERROR_... of event_wait if it failed.
 * After a failure the command is not under way any more, unless an event of the application holds
 * it back.
 */
pi_result queue_end(queue_command *command, bool blocking, pi_event *event);

/* Gives up a command whose driver call failed; returns result, the call's. */
pi_result queue_cancel(queue_command *command, pi_result result);

/*
 * The same for a command of several driver calls of which some may have succeeded, and which use
 * memory of the caller: waits for these first.
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

/* The pool of a queue out of order, whose context is current. */
pi_result queue_pool_create(pi_queue queue);
/* Destroys it; there may be none. */
void queue_pool_destroy(pi_queue queue);

/* Picks a stream of the pool for a command, and has it wait for the latest barrier. */
pi_result queue_pool_pick(pi_queue queue, pi_uint32 num_events, const pi_event *events,
                          queue_command *command);

/* The stream for a place in the pool, made if there is none yet. The context is current. */
pi_result queue_stream_get(pi_queue queue, queue_stream *place, CUstream *stream);

/* Goes through all streams that the queue has made: false at the end. *place starts at 0. */
bool queue_next_stream(pi_queue queue, unsigned *place, CUstream *stream);

/*
 * Notes that the command's stream has been used, for barriers and markers. When the driver has the
 * command: a barrier of another thread, which may come earlier, would take back the note without
 * waiting for it.
 */
void queue_mark_used(const queue_command *command);

/* Has command's stream wait for all that was enqueued before in the queue (of a marker). */
pi_result queue_join(queue_command *command);

/*
 * Makes the command, which waits for what it has to, one for which all commands wait that are
 * enqueued later. joins: without a wait list, so that it waits for all that came before.
 */
pi_result queue_barrier(queue_command *command, bool joins);

/* An event of the queue for a command; it keeps the queue in use. */
pi_result queue_event_take(pi_queue queue, pi_command_type type, pi_event *event);
/* Gives it back. */
void queue_event_put(pi_queue queue, pi_event event);

#endif
