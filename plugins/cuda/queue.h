/* Queues, and the way of a command into one. */
#ifndef CUDA_QUEUE_H
#define CUDA_QUEUE_H

#include "../objects/sink.h"
#include "event.h"

#include <pthread.h>

/*
 * Most streams of an out-of-order queue. Each is made when it is first needed. Streams beyond the
 * device's connections to its front end (8, unless CUDA_DEVICE_MAX_CONNECTIONS says otherwise) give
 * no more overlap, but fewer commands wait for an unrelated one.
 */
enum { QUEUE_STREAMS = 16 };

/* One stream of an out-of-order queue. */
typedef struct queue_stream {
  _Atomic(CUstream) stream; /* NULL until it is needed */
  CUevent join;             /* recorded where a barrier or a marker waits for the stream */
  atomic_uint serial;       /* commands that it received */
  atomic_uint barrier;      /* the latest barrier that it waits for */
  stream_use use;
} queue_stream;

/* Further parts of an out-of-order queue. */
typedef struct queue_pool {
  atomic_uint next;         /* the stream whose turn it is */
  pthread_mutex_t lock;     /* for making streams, for barriers and markers */
  CUevent barrier;          /* recorded by the latest barrier; each contains the one before */
  atomic_uint barrier_made; /* barriers so far */
  queue_stream streams[QUEUE_STREAMS];
} queue_pool;

/* Makes the pool of an out-of-order queue, whose context is current. */
pi_result queue_pool_create(pi_queue queue);
/* Destroys the pool; there may be none. */
void queue_pool_destroy(pi_queue queue);

/* Picks a stream of the pool for a sink, and has it wait for the latest barrier. */
pi_result queue_pool_pick(sink *sink);

/* The stream for a place in the pool, made if there is none yet. The context is current. */
pi_result queue_stream_get(pi_queue queue, queue_stream *place, CUstream *stream);

/* The first stream, as a native handle; it waits for the latest barrier. */
pi_result queue_pool_give_out(pi_queue queue, CUstream *stream);

/*
 * Visits all streams that the queue has made; false at the end. *place starts at 0; use, which may
 * be NULL, receives the address of the stream's.
 */
bool queue_next_stream(pi_queue queue, unsigned *place, CUstream *stream, stream_use **use);

/* Returns whether a stream may have been used, and clears the bit. */
static inline bool stream_take_use(stream_use *use, unsigned char bit) {
  return atomic_load_explicit(&use->is_given_out, memory_order_relaxed) ||
         ((atomic_load_explicit(&use->bits, memory_order_acquire) & bit) &&
          (atomic_fetch_and_explicit(&use->bits, (unsigned char)~bit, memory_order_acq_rel) & bit));
}

/* Sets a cleared bit again, when the wait has failed. */
static inline void stream_return_use(stream_use *use, unsigned char bit) {
  atomic_fetch_or_explicit(&use->bits, bit, memory_order_relaxed);
}

/* Records that the command's stream has been used. */
void queue_mark_used(const sink *sink);

/* Takes an event of the queue for a command; the event keeps the queue in use. */
pi_result queue_event_take(pi_queue queue, pi_command_type type, bool has_times, pi_event *event);
/* Gives an event back. */
void queue_event_put(pi_queue queue, pi_event event);
/* Destroys an event; its context is current. */
void queue_event_destroy(pi_event event);

#endif
