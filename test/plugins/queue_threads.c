/* Several threads on the same queues, events and buffers. */
#define _DEFAULT_SOURCE /* nanosleep */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 6, ROUNDS = 60, BYTES = 256 };

typedef struct shared {
  pi_queue queue;
  pi_mem buffer; /* a part of BYTES for each thread */
  atomic_uint failures;
  atomic_uint callbacks;
} shared;

typedef struct worker {
  shared *shared;
  unsigned number;
  pthread_t thread;
} worker;

/* cmocka's own checks must not fail outside of the main thread. */
#define WORKS(call)                                                                                \
  do {                                                                                             \
    if ((call) != PI_SUCCESS)                                                                      \
      atomic_fetch_add(&s->failures, 1);                                                           \
  } while (0)

static void called(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  if (status == PI_EVENT_COMPLETE)
    atomic_fetch_add((atomic_uint *)user_data, 1);
}

/* A chain by events in the thread's own bytes; other threads are in the same streams. */
static void chain(shared *s, unsigned number, unsigned char seed) {
  const size_t at = number * BYTES;
  unsigned char bytes[BYTES];
  unsigned char got[BYTES] = {0};
  pi_event steps[3] = {NULL};
  memset(bytes, seed, BYTES);
  WORKS(
      piEnqueueMemBufferWrite(s->queue, s->buffer, PI_FALSE, at, BYTES, bytes, 0, NULL, &steps[0]));
  const unsigned char half = (unsigned char)(seed + 1);
  WORKS(piEnqueueMemBufferFill(s->queue, s->buffer, &half, 1, at, BYTES / 2, 1, &steps[0],
                               &steps[1]));
  WORKS(piEnqueueMemBufferRead(s->queue, s->buffer, PI_FALSE, at, BYTES, got, 1, &steps[1],
                               &steps[2]));
  WORKS(piEventsWait(1, &steps[2]));
  memset(bytes, half, BYTES / 2);
  if (memcmp(bytes, got, BYTES) != 0)
    atomic_fetch_add(&s->failures, 1);
  for (int i = 0; i < 3; i++)
    WORKS(piEventRelease(steps[i]));
}

/* The same with barriers, which order all threads' commands. */
static void barriers(shared *s, unsigned number, unsigned char seed) {
  const size_t at = number * BYTES;
  unsigned char got[BYTES] = {0};
  for (unsigned char i = 0; i < 3; i++) {
    const unsigned char byte = (unsigned char)(seed + i);
    WORKS(piEnqueueMemBufferFill(s->queue, s->buffer, &byte, 1, at, BYTES, 0, NULL, NULL));
    WORKS(piEnqueueEventsWaitWithBarrier(s->queue, 0, NULL, NULL));
  }
  WORKS(piEnqueueMemBufferRead(s->queue, s->buffer, PI_TRUE, at, BYTES, got, 0, NULL, NULL));
  for (size_t i = 0; i < BYTES; i++)
    if (got[i] != (unsigned char)(seed + 2)) {
      atomic_fetch_add(&s->failures, 1);
      break;
    }
}

static void gates(shared *s) {
  pi_event gate = NULL;
  pi_event after = NULL;
  WORKS(piEventCreate(w.context, &gate));
  WORKS(piEnqueueEventsWait(s->queue, 1, &gate, &after));
  WORKS(piEventSetCallback(after, PI_EVENT_COMPLETE, called, &s->callbacks));
  WORKS(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  WORKS(piEventsWait(1, &after));
  WORKS(piEventRelease(after));
  WORKS(piEventRelease(gate));
}

static void maps(shared *s, unsigned number, unsigned char seed) {
  void *mapped = NULL;
  WORKS(piEnqueueMemBufferMap(s->queue, s->buffer, PI_TRUE, PI_MAP_WRITE_INVALIDATE_REGION,
                              number * BYTES, BYTES, 0, NULL, NULL, &mapped));
  if (mapped)
    memset(mapped, seed, BYTES);
  pi_event event = NULL;
  WORKS(piEnqueueMemUnmap(s->queue, s->buffer, mapped, 0, NULL, &event));
  WORKS(piEventsWait(1, &event));
  WORKS(piEventRelease(event));
}

static void *work(void *argument) {
  const worker *me = argument;
  shared *s = me->shared;
  for (unsigned i = 0; i < ROUNDS; i++) {
    const unsigned char seed = (unsigned char)(me->number * 31 + i);
    chain(s, me->number, seed);
    barriers(s, me->number, seed);
    maps(s, me->number, seed);
    gates(s);
    if (i % 16 == 0)
      WORKS(piQueueFinish(s->queue));
  }
  return NULL;
}

static void run(pi_queue_properties flags) {
  shared s = {new_queue(flags), new_buffer(THREADS * BYTES, NULL), 0, 0};
  worker workers[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    workers[i] = (worker){&s, i, 0};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(workers[i].thread, NULL);
  /* Each callback is called before its thread gives the event up, some after the wait. */
  for (int i = 0; i < 1000 && atomic_load(&s.callbacks) < THREADS * ROUNDS; i++) {
    const struct timespec moment = {0, 5 * 1000 * 1000};
    nanosleep(&moment, NULL);
  }
  assert_int_equal(atomic_load(&s.failures), 0);
  assert_int_equal(atomic_load(&s.callbacks), THREADS * ROUNDS);
  must(piMemRelease(s.buffer));
  must(piQueueRelease(s.queue));
}

WORLD_TEST(threads_share_a_queue_in_order) {
  run(IN_ORDER);
}

WORLD_TEST(threads_share_a_queue_out_of_order) {
  run(OUT_OF_ORDER);
}

WORLD_TEST(threads_share_a_queue_with_profiling) {
  run(OUT_OF_ORDER | PROFILING);
}
