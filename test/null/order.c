/* The null backend's promises: the order of commands, memory, events, and failures on demand. */
#include <stdlib.h>
#include <string.h>

#include "../../plugins/null/fail.h"
#include "../support/tests.h"

enum { SIZE = 64 };

static pi_device device;
static pi_context context;
static pi_queue in_order, out_of_order;
static pi_mem buffer;

#define must(call) assert_int_equal(PI_SUCCESS, call)

static pi_queue new_queue(pi_queue_properties flags) {
  pi_queue queue = NULL;
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, flags, 0};
  must(piextQueueCreate(context, device, properties, &queue));
  return queue;
}

static int set_up(void **state) {
  (void)state;
  pi_platform platform = NULL;
  must(piPlatformsGet(1, &platform, NULL));
  must(piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &device, NULL));
  must(piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  in_order = new_queue(0);
  out_of_order = new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, SIZE, NULL, &buffer, NULL));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  must(piMemRelease(buffer));
  must(piQueueRelease(in_order));
  must(piQueueRelease(out_of_order));
  must(piContextRelease(context));
  return 0;
}

static pi_event new_user_event(void) {
  pi_event event = NULL;
  must(piEventCreate(context, &event));
  return event;
}

/* Fills the buffer with a byte, after an event or at once. */
static pi_event fill(pi_queue queue, char byte, pi_event wait) {
  pi_event event = NULL;
  must(piEnqueueMemBufferFill(queue, buffer, &byte, 1, 0, SIZE, wait != NULL, wait ? &wait : NULL,
                              &event));
  return event;
}

static pi_int32 status_of(pi_event event) {
  pi_int32 status = 0;
  must(piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static char first_byte(void) {
  pi_queue queue = new_queue(0);
  char bytes[SIZE] = {0};
  must(piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, SIZE, bytes, 0, NULL, NULL));
  must(piQueueRelease(queue));
  for (int i = 1; i < SIZE; i++)
    assert_int_equal(bytes[0], bytes[i]);
  return bytes[0];
}

static void release_events(pi_event one, pi_event other) {
  must(piEventRelease(one));
  must(piEventRelease(other));
}

TEST_WITH(a_command_runs_at_once, set_up, tear_down) {
  pi_event event = fill(in_order, 'a', NULL);
  assert_int_equal(PI_EVENT_COMPLETE, status_of(event));
  assert_int_equal('a', first_byte());
  must(piEventRelease(event));
}

/* The command waits until the event is set, and later commands in its queue wait for it. */
TEST_WITH(a_queue_keeps_its_order, set_up, tear_down) {
  pi_event gate = new_user_event();
  pi_event held = fill(in_order, 'b', gate);
  pi_event behind = fill(in_order, 'c', NULL);
  assert_true(status_of(held) > 0 && status_of(behind) > 0);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &behind));
  assert_int_equal(PI_EVENT_COMPLETE, status_of(held));
  assert_int_equal('c', first_byte());
  must(piEventRelease(gate));
  release_events(held, behind);
}

/* In an out-of-order queue a command waits only for its wait list and for barriers. */
TEST_WITH(a_command_out_of_order_goes_ahead, set_up, tear_down) {
  pi_event gate = new_user_event();
  pi_event held = fill(out_of_order, 'd', gate);
  pi_event ahead = fill(out_of_order, 'e', NULL);
  assert_int_equal(PI_EVENT_COMPLETE, status_of(ahead));
  must(piEnqueueEventsWaitWithBarrier(out_of_order, 0, NULL, NULL));
  pi_event behind = fill(out_of_order, 'f', NULL);
  assert_true(status_of(held) > 0 && status_of(behind) > 0);
  assert_int_equal('e', first_byte());
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(out_of_order));
  assert_int_equal('f', first_byte());
  must(piEventRelease(gate));
  must(piEventRelease(behind));
  release_events(held, ahead);
}

/* If an event fails, the commands that wait for it fail and do nothing. */
TEST_WITH(a_failed_event_fails_its_waiters, set_up, tear_down) {
  pi_event gate = new_user_event();
  pi_event first = fill(in_order, 'g', NULL);
  pi_event held = fill(in_order, 'h', gate);
  must(piEventSetStatus(gate, -5));
  assert_int_equal(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &held));
  assert_int_equal('g', first_byte());
  must(piEventRelease(gate));
  release_events(first, held);
}

/* A pending command's buffer lives until the command ends, even if PI has released it. */
TEST_WITH(a_pending_command_keeps_its_memory, set_up, tear_down) {
  pi_event gate = new_user_event();
  pi_mem used = NULL;
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, SIZE, NULL, &used, NULL));
  const char byte = 'i';
  must(piEnqueueMemBufferFill(in_order, used, &byte, 1, 0, SIZE, 1, &gate, NULL));
  must(piEnqueueMemBufferCopy(in_order, used, buffer, 0, 0, SIZE, 0, NULL, NULL));
  must(piMemRelease(used));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(gate));
  must(piQueueFinish(in_order));
  assert_int_equal('i', first_byte());
}

TEST_WITH(calls_fail_on_demand, set_up, tear_down) {
  pi_mem mem = NULL;
  null_fail(NULL_ALLOCATION, 2);
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, SIZE, NULL, &mem, NULL));
  pi_mem none = NULL;
  assert_int_not_equal(PI_SUCCESS,
                       piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, SIZE, NULL, &none, NULL));
  assert_null(none);
  must(piMemRelease(mem));

  null_fail(NULL_COMMAND, 1);
  const char byte = 'j';
  pi_event event = NULL;
  assert_int_equal(PI_ERROR_OUT_OF_RESOURCES,
                   piEnqueueMemBufferFill(in_order, buffer, &byte, 1, 0, SIZE, 0, NULL, &event));
  assert_null(event);
  must(piEventRelease(fill(in_order, 'k', NULL)));
  assert_int_equal('k', first_byte());
}
