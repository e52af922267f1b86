/* Queues: their flags, order and end. */
#define _DEFAULT_SOURCE /* usleep */
#include "queue.h"

#include <unistd.h>

pi_result create(pi_queue_properties *list, pi_queue *queue) {
  return piextQueueCreate(w.context, w.device, list, queue);
}

/* Needs a second device. */
WORLD_TEST(the_device_must_be_the_context_s) {
  pi_device devices[2];
  pi_queue queue;
  get_two_devices(devices);
  fails(PI_ERROR_INVALID_DEVICE, piQueueCreate(w.context, devices[1], 0, &queue));
}

bool is_empty(pi_queue queue) {
  pi_bool empty = 99;
  must(piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, sizeof empty, &empty, NULL));
  return empty == PI_TRUE;
}

WORLD_TEST(asking_whether_it_is_empty_does_not_wait) {
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER};
  for (int i = 0; i < 2; i++) {
    const pi_queue queue = new_queue(orders[i]);
    const pi_mem buffer = new_buffer(64, NULL);
    const pi_event gate = new_user_event();
    assert_true(is_empty(queue));
    fill_buffer(queue, buffer, 7, gate, NULL);
    assert_false(is_empty(queue));
    must(piQueueFlush(queue));
    assert_false(is_empty(queue));
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piQueueFinish(queue));
    assert_true(is_empty(queue));
    expect_filled(buffer, 7);
    must(piEventRelease(gate));
    must(piMemRelease(buffer));
    must(piQueueRelease(queue));
  }
}

/* --- order out of order */

void begin_order(order *o) {
  o->queue = new_queue(OUT_OF_ORDER);
  o->gate = new_user_event();
  o->held = new_buffer(64, NULL);
  o->free = new_buffer(64, NULL);
  if (backend.has_streams)
    fill_buffer(o->queue, o->held, 1, o->gate, &o->before[0]);
  fill_buffer(o->queue, o->free, 1, NULL, &o->before[1]);
  expect_done(o->before[1]);
  if (!backend.has_streams)
    fill_buffer(o->queue, o->held, 1, o->gate, &o->before[0]);
}

void end_order(order *o) {
  fill_buffer(o->queue, o->free, 2, NULL, &o->after);
}

void close_order(order *o) {
  must(piQueueFinish(o->queue));
  const pi_event events[] = {o->gate, o->before[0], o->before[1], o->fence, o->after};
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
    must(piEventRelease(events[i]));
  must(piMemRelease(o->held));
  must(piMemRelease(o->free));
  must(piQueueRelease(o->queue));
}

/* Checks that commands waiting for the gate have not run, then opens it. */
void open_gate(order *o) {
  assert_int_equal(status_of(o->before[0]), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(o->gate, PI_EVENT_COMPLETE));
  const pi_event events[] = {o->before[0], o->fence, o->after};
  must(piEventsWait(3, events));
  expect_filled(o->held, 1);
  expect_filled(o->free, 2);
}

WORLD_TEST(a_barrier_holds_what_follows) {
  order o;
  begin_order(&o);
  must(piEnqueueEventsWaitWithBarrier(o.queue, 0, NULL, &o.fence));
  end_order(&o);
  assert_int_not_equal(status_of(o.fence), PI_EVENT_COMPLETE);
  assert_int_not_equal(status_of(o.after), PI_EVENT_COMPLETE);
  open_gate(&o);
  close_order(&o);
}

WORLD_TEST(a_barrier_with_a_list_waits_for_the_list) {
  order o;
  begin_order(&o);
  must(piEnqueueEventsWaitWithBarrier(o.queue, 1, &o.before[1], &o.fence));
  if (barriers_end_alone(o.queue))
    expect_done(o.fence);
  end_order(&o);
  if (backend.has_streams)
    expect_done(o.after);
  open_gate(&o);
  close_order(&o);
}

WORLD_TEST(a_barrier_that_waits_for_the_gate_holds_what_follows) {
  order o;
  begin_order(&o);
  must(piEnqueueEventsWaitWithBarrier(o.queue, 1, &o.gate, &o.fence));
  end_order(&o);
  assert_int_not_equal(status_of(o.fence), PI_EVENT_COMPLETE);
  assert_int_not_equal(status_of(o.after), PI_EVENT_COMPLETE);
  open_gate(&o);
  close_order(&o);
}

/* The second barrier does not wait itself, yet later commands must wait for the first one. */
WORLD_TEST(barriers_add_up) {
  order o;
  begin_order(&o);
  must(piEnqueueEventsWaitWithBarrier(o.queue, 1, &o.gate, NULL));
  must(piEnqueueEventsWaitWithBarrier(o.queue, 1, &o.before[1], &o.fence));
  end_order(&o);
  assert_int_not_equal(status_of(o.after), PI_EVENT_COMPLETE);
  open_gate(&o);
  close_order(&o);
}

/* --- end of a queue */

WORLD_TEST(a_released_queue_does_its_work) {
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER};
  for (int i = 0; i < 2; i++) {
    const pi_queue queue = new_queue(orders[i]);
    const pi_event gate = new_user_event();
    const pi_mem buffers[2] = {new_buffer(64, NULL), new_buffer(64, NULL)};
    pi_event kept = NULL;
    fill_buffer(queue, buffers[0], 9, gate, NULL);
    fill_buffer(queue, buffers[1], 9, gate, &kept);
    must(piQueueRelease(queue));
    assert_int_not_equal(status_of(kept), PI_EVENT_COMPLETE);
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventsWait(1, &kept));
    expect_filled(buffers[1], 9);
    must(piEventRelease(kept));
    must(piEventRelease(gate));
    for (int k = 0; k < 2; k++)
      must(piMemRelease(buffers[k]));
  }
}

WORLD_TEST(queues_count_their_references) {
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event = NULL;
  fill_buffer(queue, buffer, 1, NULL, &event);
  assert_int_equal(references_of(queue), 1);
  must(piQueueRetain(queue));
  assert_int_equal(references_of(queue), 2);
  must(piQueueRelease(queue));
  must(piQueueRelease(queue));
  fails(PI_ERROR_INVALID_QUEUE, piQueueFinish(queue));
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
  must(piMemRelease(buffer));
}

/* Only commands of one list could keep the order without an event. */
WORLD_TEST(order_is_kept_across_engines) {
  static const pi_queue_properties kinds[] = {IN_ORDER, OUT_OF_ORDER};
  for (int i = 0; i < 2; i++) {
    const pi_queue queue = new_queue(kinds[i]);
    const pi_mem buffer = new_buffer(4096, NULL);
    unsigned char pattern[12], got[4096];
    for (unsigned char round = 0; round < 20; round++) {
      memset(pattern, round, sizeof pattern);
      pattern[7] = 0xff; /* needs several steps, which run on the kernels' engine */
      must(piEnqueueMemBufferFill(queue, buffer, pattern, 12, 0, 4092, 0, NULL, NULL));
      if (i)
        must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
      must(piEnqueueMemBufferRead(queue, buffer, PI_FALSE, 0, 4092, got, 0, NULL, NULL));
      if (i)
        must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
      fill_buffer(queue, buffer, 0x77, NULL, NULL);
      must(piQueueFinish(queue));
      for (size_t k = 0; k < 4092; k++)
        assert_int_equal(got[k], k % 12 == 7 ? 0xff : round);
      expect_filled(buffer, 0x77);
    }
    must(piMemRelease(buffer));
    must(piQueueRelease(queue));
  }
}

/* With a copy engine a barrier and copies are never in the same list. */
WORLD_TEST(a_barrier_holds_copies_behind_kernels) {
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event after = NULL;
  must(piEnqueueEventsWait(queue, 1, &gate, NULL));
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
  fill_buffer(queue, buffer, 1, NULL, &after);
  must(piQueueFlush(queue));
  usleep(20 * 1000);
  assert_int_equal(status_of(after), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(queue));
  assert_int_equal(status_of(after), PI_EVENT_COMPLETE);
  must(piEventRelease(after));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}
