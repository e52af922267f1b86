/* Queues, and the streams and events of their commands. */
#ifndef CUDA_QUEUE_H
#define CUDA_QUEUE_H

#include "../objects/sink.h"
#include "event.h"

#include <pthread.h>

/*
 * Maximum number of streams of an out-of-order queue. Each is made when it is first needed. CUDA
 * maps streams to 8 hardware queues (CUDA_DEVICE_MAX_CONNECTIONS changes that), so more than 8 do
 * not let more commands overlap, but fewer commands wait for an unrelated one.
 */
enum { QUEUE_STREAMS = 16 };

/* One stream of an out-of-order queue. */
typedef struct queue_stream {
  _Atomic(CUstream) stream; /* NULL until it is needed */
  CUevent join;             /* recorded in the stream for barriers and markers to wait for */
  atomic_uint serial;       /* number of commands that the stream received */
  atomic_uint barrier;      /* number of the latest barrier that the stream waits for */
  stream_use use;
} queue_stream;

/* The streams and barriers of an out-of-order queue. */
typedef struct queue_pool {
  atomic_uint next;         /* index of the stream whose turn it is, modulo QUEUE_STREAMS */
  pthread_mutex_t lock;     /* held while a stream, a barrier or a marker is made */
  CUevent barrier;          /* recorded by the latest barrier, which follows all earlier ones */
  atomic_uint barrier_made; /* number of barriers so far */
  queue_stream streams[QUEUE_STREAMS];
} queue_pool;

/* Makes the pool of an out-of-order queue, whose context is current. */
pi_result queue_pool_create(pi_queue queue);
/* Destroys the pool, if there is one. */
void queue_pool_destroy(pi_queue queue);

/* Picks a stream of the pool for a command, and makes it wait for the latest barrier. */
pi_result queue_pool_pick(sink *sink);

/* Returns the stream of a place in the pool, and makes it if needed. The context is current. */
pi_result queue_stream_get(pi_queue queue, queue_stream *place, CUstream *stream);

/* Returns the first stream for a native handle, and makes it wait for the latest barrier. */
pi_result queue_pool_give_out(pi_queue queue, CUstream *stream);

/*
 * Iterates over the streams that the queue has made; returns false at the end. *place starts at 0.
 * *use is the stream's stream_use; use may be NULL.
 */
bool queue_next_stream(pi_queue queue, unsigned *place, CUstream *stream, stream_use **use);

/* Returns whether a waiter has to wait for a stream, and clears the waiter's bit. */
static inline bool stream_take_use(stream_use *use, unsigned char bit) {
  return atomic_load_explicit(&use->is_given_out, memory_order_relaxed) ||
         ((atomic_load_explicit(&use->bits, memory_order_acquire) & bit) &&
          (atomic_fetch_and_explicit(&use->bits, (unsigned char)~bit, memory_order_acq_rel) & bit));
}

/* Sets the bit again after the wait has failed. */
static inline void stream_return_use(stream_use *use, unsigned char bit) {
  atomic_fetch_or_explicit(&use->bits, bit, memory_order_relaxed);
}

/* Sets all bits of the command's stream. Called once the driver has the command. */
void queue_mark_used(const sink *sink);

/* Returns an event of the queue for a command. The event holds a use of the queue. */
pi_result queue_event_take(pi_queue queue, pi_command_type type, bool has_times, pi_event *event);
/* Returns an event to the queue, and drops its use of the queue. */
void queue_event_put(pi_queue queue, pi_event event);
/* Destroys an event; its context is current. */
void queue_event_destroy(pi_event event);

#endif
