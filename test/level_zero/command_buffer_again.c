/* A command buffer enqueued again before its earlier run has ended. */
#include "world.h"

#include "../../plugins/level_zero/context.h"

#include <pthread.h>

static pi_mem buffer;
static const unsigned char byte = 3;
static pi_ext_command_buffer commands; /* fills the buffer with byte */

static void set_up(void) {
  buffer = new_buffer(64, NULL);
  fill_buffer(w.queue, buffer, 1, NULL, NULL);
  must(piQueueFinish(w.queue));
  must(piextCommandBufferCreate(w.context, w.device, NULL, &commands));
  must(piextCommandBufferMemBufferFill(commands, buffer, &byte, 1, 0, 64, 0, NULL, NULL));
  must(piextCommandBufferFinalize(commands));
}

static void tear_down(void) {
  must(piextCommandBufferRelease(commands));
  must(piMemRelease(buffer));
}

static pi_event run_in(pi_queue queue, pi_event wait) {
  pi_event event = NULL;
  must(piextEnqueueCommandBuffer(commands, queue, wait ? 1 : 0, wait ? &wait : NULL, &event));
  return event;
}

static void expect_refused(pi_queue queue) {
  const pi_event none = (pi_event)(void *)&buffer;
  pi_event event = none;
  fails(PI_ERROR_INVALID_OPERATION, piextEnqueueCommandBuffer(commands, queue, 0, NULL, &event));
  assert_ptr_equal(event, none);
}

static void end(pi_event event) {
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
}

/* Each run writes the memory again, in any queue. */
WORLD_TEST(runs_follow_each_other) {
  set_up();
  const pi_queue other = new_queue(OUT_OF_ORDER);
  for (int i = 0; i < 20; i++) {
    pi_event ends[3] = {NULL};
    fill_buffer(w.queue, buffer, 1, NULL, &ends[0]);
    ends[1] = run_in(i % 2 ? other : w.queue, ends[0]);
    ends[2] = run_in(i % 3 ? other : w.queue, NULL);
    must(piEventsWait(3, ends));
    expect_filled(buffer, byte);
    for (int k = 0; k < 3; k++)
      must(piEventRelease(ends[k]));
  }
  must(piQueueFinish(other));
  must(piQueueRelease(other));
  tear_down();
}

/* The run's own wait list holds it back. */
WORLD_TEST(a_held_run_is_not_waited_for) {
  set_up();
  const pi_event gate = new_user_event();
  const pi_event first = run_in(w.queue, gate);
  expect_refused(w.queue);
  const pi_queue other = new_queue(OUT_OF_ORDER);
  expect_refused(other);
  assert_true(status_of(first) > PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  end(run_in(other, NULL));
  assert_int_equal(status_of(first), PI_EVENT_COMPLETE);
  must(piEventRelease(first));
  must(piEventRelease(gate));
  must(piQueueRelease(other));
  expect_filled(buffer, byte);
  tear_down();
}

/* An earlier command holds the run back, also through other queues, created in either order. */
WORLD_TEST(a_run_is_held_through_others) {
  set_up();
  for (int order = 0; order < 2; order++) {
    pi_queue queues[3];
    for (int i = 0; i < 3; i++)
      queues[i] = new_queue(OUT_OF_ORDER);
    const pi_event gate = new_user_event();
    pi_event steps[2];
    must(piEnqueueEventsWaitWithBarrier(queues[order ? 2 : 0], 1, &gate, NULL));
    must(piEnqueueEventsWait(queues[order ? 2 : 0], 0, NULL, &steps[0]));
    must(piEnqueueEventsWait(queues[1], 1, &steps[0], &steps[1]));
    const pi_event first = run_in(queues[order ? 0 : 2], steps[1]);
    expect_refused(w.queue);
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    end(run_in(w.queue, NULL));
    for (int i = 0; i < 3; i++)
      must(piQueueFinish(queues[i]));
    must(piEventRelease(first));
    must(piEventRelease(steps[0]));
    must(piEventRelease(steps[1]));
    must(piEventRelease(gate));
    for (int i = 0; i < 3; i++)
      must(piQueueRelease(queues[i]));
  }
  tear_down();
}

/* A later command or one in another queue that is held does not refuse the run. */
WORLD_TEST(a_free_run_is_waited_for) {
  set_up();
  const pi_queue other = new_queue(IN_ORDER);
  const pi_event gate = new_user_event();
  pi_event held[2];
  must(piEnqueueEventsWait(other, 1, &gate, &held[0]));
  for (int i = 0; i < 50; i++)
    must(piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, NULL));
  must(piEnqueueEventsWait(w.queue, 1, &gate, &held[1]));
  const pi_queue third = new_queue(IN_ORDER);
  end(run_in(third, NULL));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(2, held));
  must(piEventRelease(held[0]));
  must(piEventRelease(held[1]));
  must(piEventRelease(gate));
  must(piQueueRelease(third));
  must(piQueueRelease(other));
  tear_down();
}

/* Only the owner of the native event can signal it. */
WORLD_TEST(a_native_event_holds_back) {
  set_up();
  const ze_event_pool_desc_t pool_description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                                 .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                                 .count = 1};
  const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_pool_handle_t pool = NULL;
  ze_event_handle_t native = NULL;
  driver(ze.EventPoolCreate(w.context->driver.context, &pool_description, 0, NULL, &pool));
  driver(ze.EventCreate(pool, &description, &native));
  pi_event gate = NULL;
  must(piextEventCreateWithNativeHandle((pi_native_handle)native, w.context, false, &gate));
  const pi_event first = run_in(w.queue, gate);
  expect_refused(w.queue);
  driver(ze.EventHostSignal(native));
  end(run_in(w.queue, NULL));
  end(first);
  must(piEventRelease(gate));
  driver(ze.EventDestroy(native));
  driver(ze.EventPoolDestroy(pool));
  tear_down();
}

/* The native handle of one of the plugin's own events is that event. */
WORLD_TEST(a_native_handle_of_ours_is_ours) {
  set_up();
  pi_native_handle handle = 0;
  pi_event again = NULL;
  const pi_event gate = new_user_event();
  must(piextEventGetNativeHandle(gate, &handle));
  must(piextEventCreateWithNativeHandle(handle, w.context, false, &again));
  const pi_event first = run_in(w.queue, again);
  expect_refused(w.queue);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  end(run_in(w.queue, NULL));
  end(first);
  must(piEventRelease(again));
  must(piEventRelease(gate));
  tear_down();
}

/* A run that counts as failed has ended, too. */
WORLD_TEST(a_failed_run_does_not_matter) {
  set_up();
  const pi_event gate = new_user_event();
  const pi_event first = run_in(w.queue, gate);
  must(piEventSetStatus(gate, -5));
  const pi_queue other = new_queue(IN_ORDER);
  end(run_in(other, NULL));
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &first));
  must(piEventRelease(first));
  must(piEventRelease(gate));
  must(piQueueRelease(other));
  expect_filled(buffer, byte);
  tear_down();
}

static void *set_later(void *gate) {
  must(piEventSetStatus((pi_event)gate, PI_EVENT_COMPLETE));
  return NULL;
}

/* The run either finds the status set, or is refused. */
WORLD_TEST(another_thread_sets_the_event) {
  set_up();
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    const pi_event gate = new_user_event();
    const pi_event first = run_in(w.queue, gate);
    assert_int_equal(pthread_create(&thread, NULL, set_later, gate), 0);
    pi_event event = NULL;
    const pi_result result = piextEnqueueCommandBuffer(commands, w.queue, 0, NULL, &event);
    assert_true(result == PI_SUCCESS || result == PI_ERROR_INVALID_OPERATION);
    assert_int_equal(pthread_join(thread, NULL), 0);
    end(first);
    if (event)
      end(event);
    must(piEventRelease(gate));
  }
  tear_down();
}
