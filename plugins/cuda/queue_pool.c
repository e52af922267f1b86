/*
 * The streams of an out-of-order queue. A command that waits for an event goes to the event's
 * stream, if the event's command is still the stream's latest one. So a chain of commands stays in
 * one stream, and needs no waits between streams. All other commands use the streams in turn.
 */
#include "gate.h"
#include "queue.h"

#include <stdlib.h>

pi_result queue_pool_create(pi_queue queue) {
  queue_pool *pool = calloc(1, sizeof *pool);
  REQUIRE_MEMORY(pool, "%d streams of a queue", QUEUE_STREAMS);
  pthread_mutex_init(&pool->lock, NULL);
  queue->driver.pool = pool;
  CU_TRY(EventCreate, &pool->barrier, CU_EVENT_DISABLE_TIMING);
  return PI_SUCCESS;
}

void queue_pool_destroy(pi_queue queue) {
  queue_pool *pool = queue->driver.pool;
  if (!pool)
    return;
  for (unsigned i = 0; i < QUEUE_STREAMS; i++) {
    const CUstream stream = atomic_load(&pool->streams[i].stream);
    if (!stream)
      continue;
    cu.EventDestroy(pool->streams[i].join);
    cu.StreamDestroy(stream);
  }
  if (pool->barrier)
    cu.EventDestroy(pool->barrier);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

/* The caller holds the pool's lock. */
static pi_result make_stream(pi_queue queue, queue_stream *place) {
  CUevent join;
  CUstream stream;
  CU_TRY(EventCreate, &join, CU_EVENT_DISABLE_TIMING);
  const pi_result result =
      CU_CALL(StreamCreateWithPriority, &stream, CU_STREAM_NON_BLOCKING, queue->driver.priority);
  if (result != PI_SUCCESS) {
    cu.EventDestroy(join);
    return result;
  }
  place->join = join;
  atomic_store_explicit(&place->stream, stream, memory_order_release);
  return PI_SUCCESS;
}

pi_result queue_stream_get(pi_queue queue, queue_stream *place, CUstream *stream) {
  *stream = atomic_load_explicit(&place->stream, memory_order_acquire);
  if (__builtin_expect(*stream != NULL, 1))
    return PI_SUCCESS;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&queue->driver.pool->lock);
  if (!atomic_load_explicit(&place->stream, memory_order_relaxed))
    result = make_stream(queue, place);
  *stream = atomic_load_explicit(&place->stream, memory_order_relaxed);
  pthread_mutex_unlock(&queue->driver.pool->lock);
  return result;
}

bool queue_next_stream(pi_queue queue, unsigned *place, CUstream *stream, stream_use **use) {
  struct driver_queue *own = &queue->driver;
  if (!own->pool) {
    *stream = own->stream;
    if (use)
      *use = &own->use;
    return *stream && (*place)++ == 0;
  }
  while (*place < QUEUE_STREAMS) {
    queue_stream *next = &own->pool->streams[(*place)++];
    *stream = atomic_load_explicit(&next->stream, memory_order_acquire);
    if (use)
      *use = &next->use;
    if (*stream)
      return true;
  }
  return false;
}

/* Returns the stream of a listed event whose command is the stream's latest one, or NULL. */
static queue_stream *continue_chain(pi_queue queue, pi_uint32 num_events, const pi_event *events,
                                    unsigned *serial) {
  for (pi_uint32 i = 0; i < num_events; i++) {
    queue_stream *place = events[i]->queue == queue ? events[i]->driver.place : NULL;
    unsigned latest = events[i]->driver.serial;
    *serial = latest + 1;
    if (place &&
        atomic_compare_exchange_strong_explicit(&place->serial, &latest, latest + 1,
                                                memory_order_relaxed, memory_order_relaxed))
      return place;
  }
  return NULL;
}

/*
 * Returns an idle stream, or NULL. Called while an unset user event holds commands back: the stream
 * whose turn it is may wait for that event, and the command would wait for it without need.
 */
static queue_stream *idle_stream(pi_queue queue) {
  for (unsigned i = 0; i < QUEUE_STREAMS; i++) {
    queue_stream *place = &queue->driver.pool->streams[i];
    const CUstream stream = atomic_load_explicit(&place->stream, memory_order_acquire);
    if (!stream || cu.StreamQuery(stream) == CUDA_SUCCESS)
      return place;
  }
  return NULL;
}

static queue_stream *take_turn(pi_queue queue) {
  if (gate_is_any_closed()) {
    queue_stream *idle = idle_stream(queue);
    if (idle)
      return idle;
  }
  const unsigned turn =
      atomic_fetch_add_explicit(&queue->driver.pool->next, 1, memory_order_relaxed);
  return &queue->driver.pool->streams[turn % QUEUE_STREAMS];
}

/*
 * Makes a stream wait for the latest barrier. Sets place->barrier after the wait is enqueued, so
 * that a thread that reads the new number need not enqueue it again. Meanwhile a later barrier may
 * have recorded the event; that barrier follows this one, so waiting for it is right, too.
 */
__attribute__((noinline)) static pi_result hold_barrier(queue_pool *pool, queue_stream *place,
                                                        CUstream stream, unsigned made) {
  CU_TRY(StreamWaitEvent, stream, pool->barrier, 0);
  atomic_store_explicit(&place->barrier, made, memory_order_release);
  return PI_SUCCESS;
}

pi_result queue_pool_give_out(pi_queue queue, CUstream *stream) {
  queue_pool *pool = queue->driver.pool;
  queue_stream *place = &pool->streams[0];
  TRY(queue_stream_get(queue, place, stream));
  atomic_store_explicit(&place->use.is_given_out, true, memory_order_relaxed);
  const unsigned made = atomic_load_explicit(&pool->barrier_made, memory_order_acquire);
  if (atomic_load_explicit(&place->barrier, memory_order_acquire) != made)
    return hold_barrier(pool, place, *stream, made);
  return PI_SUCCESS;
}

pi_result queue_pool_pick(sink *sink) {
  const pi_queue queue = sink->queue;
  queue_pool *pool = queue->driver.pool;
  queue_stream *place = continue_chain(queue, sink->wait_count, sink->waits, &sink->command.serial);
  if (!place) {
    place = take_turn(queue);
    sink->command.serial = atomic_fetch_add_explicit(&place->serial, 1, memory_order_relaxed) + 1;
  }
  sink->command.place = place;
  TRY(queue_stream_get(queue, place, &sink->command.stream));
  const unsigned made = atomic_load_explicit(&pool->barrier_made, memory_order_acquire);
  if (atomic_load_explicit(&place->barrier, memory_order_acquire) != made)
    return hold_barrier(pool, place, sink->command.stream, made);
  return PI_SUCCESS;
}

void queue_mark_used(const sink *sink) {
  queue_stream *place = sink->command.place;
  stream_use *use = place ? &place->use : &sink->queue->driver.use;
  atomic_store_explicit(&use->bits, STREAM_USED, memory_order_release);
}

/*
 * Makes the command's stream wait for another one, if that may have been used since the latest
 * barrier. If forget is true, a later barrier need not wait for the other stream again.
 */
static pi_result join_stream(sink *sink, queue_stream *place, CUstream stream, bool forget) {
  if (!stream_take_use(&place->use, UNBARRED))
    return PI_SUCCESS;
  pi_result result = CU_CALL(EventRecord, place->join, stream);
  if (result == PI_SUCCESS)
    result = CU_CALL(StreamWaitEvent, sink->command.stream, place->join, 0);
  if (result != PI_SUCCESS || !forget)
    stream_return_use(&place->use, UNBARRED);
  return result;
}

/* Joins all other streams. The caller holds the pool's lock, as this records their join events. */
static pi_result join_streams(sink *sink, bool forget) {
  queue_pool *pool = sink->queue->driver.pool;
  for (unsigned i = 0; i < QUEUE_STREAMS; i++) {
    queue_stream *place = &pool->streams[i];
    const CUstream stream = atomic_load_explicit(&place->stream, memory_order_acquire);
    if (stream && place != sink->command.place)
      TRY(join_stream(sink, place, stream, forget));
  }
  return PI_SUCCESS;
}

pi_result driver_marker(sink *sink, bool joins) {
  queue_pool *pool = joins ? sink->queue->driver.pool : NULL;
  if (!pool)
    return PI_SUCCESS;
  pthread_mutex_lock(&pool->lock);
  const pi_result result = join_streams(sink, false);
  pthread_mutex_unlock(&pool->lock);
  return result;
}

/*
 * Makes a barrier. The caller holds the pool's lock, so that each barrier follows all earlier ones.
 * The stream waits for the latest barrier here, because another thread may have made one since
 * queue_pool_pick.
 */
static pi_result make_barrier(sink *sink, bool joins) {
  queue_pool *pool = sink->queue->driver.pool;
  const unsigned made = atomic_load_explicit(&pool->barrier_made, memory_order_relaxed);
  if (atomic_load_explicit(&sink->command.place->barrier, memory_order_relaxed) != made)
    TRY(hold_barrier(pool, sink->command.place, sink->command.stream, made));
  if (joins)
    TRY(join_streams(sink, true));
  CU_TRY(EventRecord, pool->barrier, sink->command.stream);
  atomic_store_explicit(&pool->barrier_made, made + 1, memory_order_release);
  atomic_store_explicit(&sink->command.place->barrier, made + 1, memory_order_release);
  return PI_SUCCESS;
}

pi_result driver_barrier(sink *sink, bool joins) {
  queue_pool *pool = sink->queue->driver.pool;
  if (!pool)
    return PI_SUCCESS;
  pthread_mutex_lock(&pool->lock);
  const pi_result result = make_barrier(sink, joins);
  pthread_mutex_unlock(&pool->lock);
  return result;
}
