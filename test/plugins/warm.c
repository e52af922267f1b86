/* The cost of a repeated command: no memory of the host, no object of the driver. */
#include "world.h"

#include "../unit/memory.h"

enum { ROUNDS = 50 };

typedef struct place {
  pi_queue queue;
  pi_mem buffers[2];
  pi_event last;
  size_t written; /* bytes of the first buffer, written by commands that may run at the same time */
} place;

static void with_event(place *p) {
  pi_event event = NULL;
  fill_buffer(p->queue, p->buffers[0], 1, NULL, &event);
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
}

static void without_event(place *p) {
  const char byte = 1;
  must(piEnqueueMemBufferFill(p->queue, p->buffers[0], &byte, 1, p->written++, 1, 0, NULL, NULL));
}

static void in_a_chain(place *p) {
  pi_event event = NULL;
  fill_buffer(p->queue, p->buffers[0], 1, p->last, &event);
  if (p->last)
    must(piEventRelease(p->last));
  p->last = event;
}

static void blocking(place *p) {
  unsigned char bytes[64] = {0};
  must(piEnqueueMemBufferWrite(p->queue, p->buffers[0], PI_TRUE, 0, 64, bytes, 0, NULL, NULL));
  must(piEnqueueMemBufferRead(p->queue, p->buffers[0], PI_TRUE, 0, 64, bytes, 0, NULL, NULL));
}

static void with_barriers(place *p) {
  fill_buffer(p->queue, p->buffers[0], 1, NULL, NULL);
  must(piEnqueueEventsWait(p->queue, 0, NULL, NULL));
  fill_buffer(p->queue, p->buffers[1], 1, NULL, NULL);
  must(piEnqueueEventsWaitWithBarrier(p->queue, 0, NULL, NULL));
  must(piEnqueueMemBufferCopy(p->queue, p->buffers[0], p->buffers[1], 0, 0, 64, 0, NULL, NULL));
  must(piQueueFinish(p->queue));
}

static void (*const commands[])(place *p) = {with_event, without_event, in_a_chain, blocking,
                                             with_barriers};

/*
 * The device decides how many commands are pending at a time, so this makes the most at once: each
 * with an event, in a batch of its own.
 */
static void fill_pools(place *p) {
  const pi_event gate = new_user_event();
  must(piEnqueueEventsWaitWithBarrier(p->queue, 1, &gate, NULL));
  for (int i = 0; i < 10 * ROUNDS; i++) {
    fill_buffer(p->queue, p->buffers[1], 1, NULL, NULL);
    must(piQueueFlush(p->queue));
    must(piEnqueueEventsWait(p->queue, 0, NULL, NULL));
    must(piQueueFlush(p->queue));
  }
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(gate));
  must(piQueueFinish(p->queue));
}

static void run_warm(pi_queue_properties flags) {
  for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) {
    place p = {new_queue(flags), {new_buffer(2 * ROUNDS, NULL), new_buffer(64, NULL)}, NULL, 0};
    if (backend.pools_commands)
      fill_pools(&p);
    for (int i = 0; i < ROUNDS; i++)
      commands[c](&p);
    const size_t before = driver_live_all();
    memory_watch(MEMORY_NEVER);
    for (int i = 0; i < ROUNDS; i++)
      commands[c](&p);
    const memory_use use = memory_unwatch();
    assert_int_equal(use.calls, 0);
    assert_int_equal(driver_live_all(), before);
    /* A queue released with pending commands ends later, while the next one is counted. */
    must(piQueueFinish(p.queue));
    if (p.last)
      must(piEventRelease(p.last));
    must(piMemRelease(p.buffers[0]));
    must(piMemRelease(p.buffers[1]));
    must(piQueueRelease(p.queue));
  }
}

WORLD_TEST(repeated_commands_in_order_cost_nothing) {
  run_warm(IN_ORDER);
}

WORLD_TEST(repeated_commands_out_of_order_cost_nothing) {
  run_warm(OUT_OF_ORDER);
}

WORLD_TEST(repeated_commands_with_profiling_cost_nothing) {
  run_warm(OUT_OF_ORDER | PROFILING);
}
