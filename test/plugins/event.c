/* Events: states, waiting, user events, callbacks, times and failures. */
#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* --- commands */

WORLD_TEST(events_are_used_again) {
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event = NULL;
  fill_buffer(w.queue, buffer, 1, NULL, &event);
  must(piEventRelease(event));
  const size_t before = driver_live(DRIVER_EVENT);
  for (int i = 0; i < 1000; i++) {
    fill_buffer(w.queue, buffer, 1, NULL, &event);
    if (backend.frees_later)
      must(piEventsWait(1, &event));
    must(piEventRelease(event));
  }
  assert_int_equal(driver_live(DRIVER_EVENT), before);
  must(piMemRelease(buffer));
}

/*
 * The application releases an event that a held command waits for. The plugin must not reset it for
 * another command before the held one has run.
 */
WORLD_TEST(an_event_is_not_reset_too_early) {
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffers[3] = {new_buffer(64, NULL), new_buffer(64, NULL), new_buffer(64, NULL)};
  const pi_event gate = new_user_event();
  pi_event first = NULL;
  pi_event held = NULL;
  fill_buffer(queue, buffers[0], 1, NULL, &first);
  const pi_event waits[] = {first, gate};
  const char byte = 2;
  must(piEnqueueMemBufferFill(queue, buffers[1], &byte, 1, 0, 64, 2, waits, &held));
  must(piEventsWait(1, &first));
  must(piEventRelease(first));
  for (int i = 0; i < 500; i++) {
    pi_event event = NULL;
    fill_buffer(w.queue, buffers[2], 3, NULL, &event);
    must(piEventsWait(1, &event));
    must(piEventRelease(event));
  }
  assert_int_equal(status_of(held), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &held));
  expect_filled(buffers[1], 2);
  must(piEventRelease(held));
  must(piEventRelease(gate));
  for (int i = 0; i < 3; i++)
    must(piMemRelease(buffers[i]));
  must(piQueueRelease(queue));
}

/* --- user events */

/* Expects a command to end that waited for a user event with an error. */
static void expect_end_behind_failure(pi_event event) {
  if (!backend.spreads_failures) {
    must(piEventsWait(1, &event));
    return;
  }
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &event));
  assert_int_equal(status_of(event), PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

/*
 * Commands enqueued before the failure run. Where failures spread, those that name a failed event
 * in their wait list count as failed; those that only come later in the queue do not. Commands
 * enqueued after the failure are refused.
 */
WORLD_TEST(a_failed_user_event_fails_its_waiters) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  const pi_queue other = new_queue(OUT_OF_ORDER);
  const unsigned char byte = 2;
  pi_event chain[3] = {NULL};
  pi_event behind = NULL;
  pi_event after = NULL;
  fill_buffer(w.queue, buffer, 1, gate, &chain[0]);
  fill_buffer(other, buffer, 3, chain[0], &chain[1]);
  fill_buffer(w.queue, buffer, 4, chain[1], &chain[2]);
  fill_buffer(w.queue, buffer, 5, NULL, &behind);
  must(piEventSetStatus(gate, -7));
  assert_int_equal(status_of(gate), -7);
  for (int i = 0; i < 3; i++) {
    expect_end_behind_failure(chain[i]);
    must(piEventRelease(chain[i]));
  }
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &gate));
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        piEnqueueMemBufferFill(w.queue, buffer, &byte, 1, 0, 64, 1, &gate, &after));
  assert_null(after);
  must(piEventsWait(1, &behind));
  must(piQueueFinish(w.queue));
  must(piQueueFinish(other));
  expect_filled(buffer, 5);
  must(piEventRelease(behind));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(other));
}

/* Nobody can set it any more, so it must not hold commands for ever. */
WORLD_TEST(a_user_event_that_is_given_up_opens) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  fill_buffer(w.queue, buffer, 4, gate, &event);
  must(piEventRelease(gate));
  must(piEventsWait(1, &event));
  expect_filled(buffer, 4);
  must(piEventRelease(event));
  must(piMemRelease(buffer));
}

WORLD_TEST(many_user_events_are_waited_for_at_once) {
  enum { COUNT = 600 };
  static pi_event gates[COUNT];
  for (int i = 0; i < COUNT; i++)
    gates[i] = new_user_event();
  pi_event marker = NULL;
  must(piEnqueueEventsWait(w.queue, COUNT, gates, &marker));
  for (int i = 0; i < COUNT; i++) {
    assert_int_not_equal(status_of(marker), PI_EVENT_COMPLETE);
    must(piEventSetStatus(gates[i], PI_EVENT_COMPLETE));
    must(piEventRelease(gates[i]));
  }
  must(piEventsWait(1, &marker));
  must(piEventRelease(marker));
}

static void *set_later(void *event) {
  usleep(20 * 1000);
  must(piEventSetStatus(event, PI_EVENT_COMPLETE));
  return NULL;
}

WORLD_TEST(the_host_waits_for_a_user_event) {
  const pi_event event = new_user_event();
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, set_later, event), 0);
  must(piEventsWait(1, &event));
  assert_int_equal(status_of(event), PI_EVENT_COMPLETE);
  pthread_join(thread, NULL);
  must(piEventRelease(event));
}

/* --- callbacks */

typedef struct seen {
  atomic_int calls;
  atomic_int status;
  pi_event event;
} seen;

/* Calls PI, which a callback may do. */
static void notice(pi_event event, pi_int32 status, void *user_data) {
  seen *seen = user_data;
  pi_context context = NULL;
  seen->event = event;
  atomic_store(&seen->status, status);
  if (piEventGetInfo(event, PI_EVENT_INFO_CONTEXT, sizeof context, &context, NULL) == PI_SUCCESS &&
      piEventRetain(event) == PI_SUCCESS && piEventRelease(event) == PI_SUCCESS)
    atomic_fetch_add(&seen->calls, 1);
}

static void expect_calls(seen *seen, int calls, pi_int32 status) {
  for (int i = 0; i < 5000 && atomic_load(&seen->calls) < calls; i++)
    usleep(1000);
  assert_int_equal(atomic_load(&seen->calls), calls);
  assert_int_equal(atomic_load(&seen->status), status);
}

WORLD_TEST(callbacks_come_with_their_states) {
  static seen submitted, running, complete, late;
  const pi_queue queue = new_queue(PROFILING);
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  fill_buffer(queue, buffer, 1, gate, &event);
  must(piEventSetCallback(event, PI_EVENT_SUBMITTED, notice, &submitted));
  must(piEventSetCallback(event, PI_EVENT_RUNNING, notice, &running));
  must(piEventSetCallback(event, PI_EVENT_COMPLETE, notice, &complete));
  expect_calls(&submitted, 1, PI_EVENT_SUBMITTED);
  usleep(5000);
  assert_int_equal(atomic_load(&running.calls), 0);
  assert_int_equal(atomic_load(&complete.calls), 0);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_calls(&running, 1, PI_EVENT_RUNNING);
  expect_calls(&complete, 1, PI_EVENT_COMPLETE);
  must(piEventSetCallback(event, PI_EVENT_COMPLETE, notice, &late));
  expect_calls(&late, 1, PI_EVENT_COMPLETE);
  assert_ptr_equal(late.event, event);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* Even if the application's last reference is gone already. */
WORLD_TEST(a_callback_keeps_its_event) {
  static seen of_command, of_user;
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  fill_buffer(w.queue, buffer, 1, gate, &event);
  must(piEventSetCallback(event, PI_EVENT_COMPLETE, notice, &of_command));
  must(piEventSetCallback(gate, PI_EVENT_COMPLETE, notice, &of_user));
  must(piEventRelease(event));
  must(piEventSetStatus(gate, -20));
  must(piEventRelease(gate));
  expect_calls(&of_command, 1,
               backend.spreads_failures ? PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                        : PI_EVENT_COMPLETE);
  expect_calls(&of_user, 1, -20);
  must(piMemRelease(buffer));
  usleep(2000); /* the thread drops its references after the call */
}

typedef struct enqueuer {
  pi_event gate;
  pi_event events[64];
  int count;
} enqueuer;

static void *enqueue_behind(void *argument) {
  enqueuer *s = argument;
  while (s->count < 64 &&
         piEnqueueEventsWait(w.queue, 1, &s->gate, &s->events[s->count]) == PI_SUCCESS)
    s->count++;
  return NULL;
}

/* A command enqueued before the failing status is set fails; one enqueued after it is refused. */
WORLD_TEST(failures_reach_what_comes_meanwhile) {
  for (int round = 0; round < 200; round++) {
    enqueuer s = {.gate = new_user_event()};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, enqueue_behind, &s), 0);
    if (round % 2)
      usleep(100);
    must(piEventSetStatus(s.gate, -20));
    pthread_join(thread, NULL);
    for (int i = 0; i < s.count; i++) {
      expect_end_behind_failure(s.events[i]);
      must(piEventRelease(s.events[i]));
    }
    must(piEventRelease(s.gate));
  }
}

/* --- times */

WORLD_TEST(times_are_in_order) {
  const pi_queue queue = new_queue(PROFILING);
  const pi_mem buffer = new_buffer(1 << 20, NULL);
  enum { COUNT = 20 };
  pi_event events[COUNT];
  uint64_t before, after, last_end = 0;
  must(piGetDeviceAndHostTimer(w.device, &before, NULL));
  for (int i = 0; i < COUNT; i++)
    fill_buffer(queue, buffer, (unsigned char)i, NULL, &events[i]);
  must(piEventsWait(COUNT, events));
  must(piGetDeviceAndHostTimer(w.device, &after, NULL));
  for (int i = 0; i < COUNT; i++) {
    uint64_t times[4];
    for (int k = 0; k < 4; k++)
      must(piEventGetProfilingInfo(events[i],
                                   (pi_profiling_info)((int)PI_PROFILING_INFO_COMMAND_QUEUED + k),
                                   8, &times[k], NULL));
    assert_true(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    assert_true(times[2] + 1000 >= last_end);
    /* There is one clock for all; times that the plugin measures may be some microseconds off. */
    assert_true(times[2] + 1000000 > before && times[3] < after + 1000000);
    last_end = times[3];
    must(piEventRelease(events[i]));
  }
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* Commands that take several calls of the driver, or none, have times like any other. */
WORLD_TEST(all_commands_have_times) {
  static const pi_queue_properties orders[] = {PROFILING, PROFILING | OUT_OF_ORDER};
  const pi_mem buffer = new_buffer(64, NULL);
  for (int o = 0; o < 2; o++) {
    const pi_queue queue = new_queue(orders[o]);
    pi_event events[5] = {NULL};
    uint64_t before, after;
    must(piGetDeviceAndHostTimer(w.device, &before, NULL));
    must(piEnqueueEventsWait(queue, 0, NULL, &events[0]));
    must(piEventsWait(1, &events[0]));
    must(piEnqueueEventsWaitWithBarrier(queue, 1, &events[0], &events[1]));
    must(piEnqueueMemBufferFill(queue, buffer, "abc", 3, 0, 63, 0, NULL, &events[2]));
    must(piEnqueueMemBufferFill(queue, buffer, "abc", 3, 0, 63, 1, &events[2], &events[3]));
    must(piEnqueueMemBufferFill(queue, buffer, "abc", 3, 0, 0, 1, &events[0], &events[4]));
    must(piEventsWait(5, events));
    must(piGetDeviceAndHostTimer(w.device, &after, NULL));
    for (int i = 0; i < 5; i++) {
      uint64_t start, end;
      must(piEventGetProfilingInfo(events[i], PI_PROFILING_INFO_COMMAND_START, 8, &start, NULL));
      must(piEventGetProfilingInfo(events[i], PI_PROFILING_INFO_COMMAND_END, 8, &end, NULL));
      assert_true(before <= start + 1000000 && start <= end && end <= after + 1000000);
      must(piEventRelease(events[i]));
    }
    must(piQueueRelease(queue));
  }
  must(piMemRelease(buffer));
}

WORLD_TEST(a_native_handle_needs_its_context) {
  const pi_event gate = new_user_event();
  pi_native_handle native;
  pi_event event = NULL;
  must(piextEventGetNativeHandle(gate, &native));
  fails(PI_ERROR_INVALID_CONTEXT, piextEventCreateWithNativeHandle(native, NULL, false, &event));
  assert_null(event);
  must(piEventRelease(gate));
}
