/* Calls of the driver that fail, and lost devices. The fake driver must not be strict here. */
#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Commands with a queue and two buffers. */
static pi_result fill(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  const char byte = 4;
  return piEnqueueMemBufferFill(queue, buffers[0], &byte, 1, 0, 64, 0, NULL, event);
}

static pi_result copy(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  return piEnqueueMemBufferCopy(queue, buffers[0], buffers[1], 0, 0, 64, 0, NULL, event);
}

static pi_result barrier(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  (void)buffers;
  return piEnqueueEventsWaitWithBarrier(queue, 0, NULL, event);
}

static pi_result marker(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  (void)buffers;
  return piEnqueueEventsWait(queue, 0, NULL, event);
}

static pi_result odd_fill(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  return piEnqueueMemBufferFill(queue, buffers[0], "abcdefghijk", 11, 0, 55, 0, NULL, event);
}

static pi_result flush(pi_queue queue, const pi_mem *buffers, pi_event *event) {
  const pi_result result = copy(queue, buffers, event);
  return result == PI_SUCCESS ? piQueueFlush(queue) : result;
}

static pi_result (*const commands[])(pi_queue queue, const pi_mem *buffers, pi_event *event) = {
    fill, copy, barrier, marker, odd_fill, flush};

/* Enqueues with the nth call of the driver failing; returns whether a call was reached. */
static bool fail_nth(size_t command, pi_queue queue, const pi_mem *buffers, unsigned long nth) {
  pi_event event = NULL;
  fake_ze_fail(NULL, nth, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  const pi_result result = commands[command](queue, buffers, &event);
  const bool is_reached = fake_ze_unfail() != NULL;
  if (!is_reached)
    assert_int_equal(result, PI_SUCCESS);
  if (event)
    must(piEventRelease(event));
  return is_reached;
}

/* Each call of each command fails once; afterwards the queue works, and no object is left. */
WORLD_TEST(any_call_may_fail) {
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER, OUT_OF_ORDER | PROFILING};
  const pi_mem buffers[] = {new_buffer(64, NULL), new_buffer(64, NULL)};
  for (size_t o = 0; o < 3; o++)
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) {
      const pi_queue queue = new_queue(orders[o]);
      must(copy(queue, buffers, NULL));
      must(piQueueFinish(queue)); /* out of order nothing else keeps later commands after it */
      unsigned long nth = 1;
      while (nth < 200 && fail_nth(c, queue, buffers, nth))
        nth++;
      assert_true(nth > 1 && nth < 200);
      must(piQueueFinish(queue));
      fill_buffer(queue, buffers[0], 0x5a, NULL, NULL);
      must(piQueueFinish(queue));
      expect_filled(buffers[0], 0x5a);
      must(piQueueRelease(queue));
    }
  must(piMemRelease(buffers[0]));
  must(piMemRelease(buffers[1]));
}

/* Each wait reports that the device is lost, and every object can be released. */
WORLD_TEST(a_lost_device_is_reported_by_each_wait) {
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER};
  for (int i = 0; i < 2; i++) {
    const pi_queue queue = new_queue(orders[i]);
    const pi_mem buffer = new_buffer(64, NULL);
    const pi_event gate = new_user_event();
    pi_event event = NULL;
    fill_buffer(queue, buffer, 1, gate, &event); /* has not ended before it is waited for */
    must(piQueueFlush(queue));
    fake_ze_fail("zeEventHostSynchronize", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &event));
    assert_non_null(fake_ze_unfail());
    fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &event));
    assert_int_equal(status_of(event), PI_ERROR_DEVICE_NOT_AVAILABLE);
    const char byte = 1;
    fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          piEnqueueMemBufferFill(queue, buffer, &byte, 1, 0, 64, 1, &event, NULL));
    must(piEventRelease(event));
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventRelease(gate));
    usleep(20 * 1000); /* the device is not really lost, and executes the command */
    must(piMemRelease(buffer));
    must(piQueueRelease(queue));
  }
}

/* A finish reports the driver's own failure. */
WORLD_TEST(finish_tells_of_failures) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  fill_buffer(w.queue, buffer, 1, gate, NULL);
  must(piQueueFlush(w.queue));
  fake_ze_fail("zeEventHostSynchronize", 1, ZE_RESULT_ERROR_DEVICE_LOST);
  fails(PI_ERROR_DEVICE_NOT_AVAILABLE, piQueueFinish(w.queue));
  assert_non_null(fake_ze_unfail());
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(gate));
  usleep(20 * 1000);
  fill_buffer(w.queue, buffer, 2, NULL, NULL);
  must(piQueueFinish(w.queue));
  expect_filled(buffer, 2);
  must(piMemRelease(buffer));
}

/* Commands after a refused batch come after the commands before it. */
WORLD_TEST(order_outlives_a_refused_batch) {
  const pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event first = NULL;
  pi_event after = NULL;
  must(piEnqueueEventsWait(queue, 1, &gate, &first));
  must(piQueueFlush(queue));
  fill_buffer(queue, buffer, 1, NULL, NULL);
  fill_buffer(queue, buffer, 2, NULL, NULL);
  fake_ze_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES, piQueueFlush(queue));
  assert_non_null(fake_ze_unfail());
  fill_buffer(queue, buffer, 3, NULL, &after);
  must(piQueueFlush(queue));
  usleep(20 * 1000);
  assert_int_equal(status_of(after), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(queue));
  assert_int_equal(status_of(first), PI_EVENT_COMPLETE);
  assert_int_equal(status_of(after), PI_EVENT_COMPLETE);
  expect_filled(buffer, 3);
  must(piEventRelease(first));
  must(piEventRelease(after));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

typedef struct beside {
  atomic_bool is_over;
  atomic_uint failures;
} beside;

/* Releases buffers, so that the context's queues forget commands that have ended. */
static void *forget(void *argument) {
  beside *s = argument;
  while (!atomic_load(&s->is_over)) {
    pi_mem buffer = NULL;
    if (piMemBufferCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &buffer, NULL) !=
            PI_SUCCESS ||
        piMemRelease(buffer) != PI_SUCCESS)
      atomic_fetch_add(&s->failures, 1);
  }
  return NULL;
}

/* Takes events that were given back, which nobody may signal. */
static void *take(void *argument) {
  beside *s = argument;
  while (!atomic_load(&s->is_over)) {
    pi_event events[16];
    for (int i = 0; i < 16; i++)
      if (piEventCreate(w.context, &events[i]) != PI_SUCCESS)
        return NULL;
    for (int i = 0; i < 16; i++) {
      pi_int32 status = 99;
      (void)piEventGetInfo(events[i], PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status,
                           &status, NULL);
      if (status != PI_EVENT_SUBMITTED)
        atomic_fetch_add(&s->failures, 1);
      (void)piEventRelease(events[i]);
    }
  }
  return NULL;
}

WORLD_TEST(refused_batches_signal_no_event_of_others) {
  beside s = {false, 0};
  pthread_t threads[2];
  const pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
  const pi_mem buffer = new_buffer(64, NULL);
  assert_int_equal(pthread_create(&threads[0], NULL, forget, &s), 0);
  assert_int_equal(pthread_create(&threads[1], NULL, take, &s), 0);
  for (int i = 0; i < 300; i++) {
    fake_ze_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const char byte = 1;
    for (int k = 0; k < 24; k++)
      (void)piEnqueueMemBufferFill(queue, buffer, &byte, 1, 0, 64, 0, NULL, NULL);
    (void)piQueueFlush(queue);
    (void)fake_ze_unfail();
  }
  atomic_store(&s.is_over, true);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert_int_equal(atomic_load(&s.failures), 0);
  must(piQueueFinish(queue));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}
