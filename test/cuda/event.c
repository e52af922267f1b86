/* Events: states, waiting, user events, callbacks, times, failures and native handles. */
#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include "../../plugins/cuda/event.h"

#include <pthread.h>
#include <unistd.h>

/* --- commands */

static void a_command_s_event_goes_through_its_states(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  fill_buffer(w.queue, buffer, 1, gate, &event);
  assert_int_equal(status_of(gate), PI_EVENT_SUBMITTED);
  assert_int_equal(status_of(event), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_done(event);
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

static void info_tells_of_the_command(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event = NULL;
  pi_queue queue = NULL;
  pi_context context = NULL;
  pi_uint32 type = 0;
  fill_buffer(w.queue, buffer, 1, NULL, &event);
  must(piEventGetInfo(event, PI_EVENT_INFO_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  must(piEventGetInfo(event, PI_EVENT_INFO_CONTEXT, sizeof context, &context, NULL));
  must(piEventGetInfo(event, PI_EVENT_INFO_COMMAND_TYPE, sizeof type, &type, NULL));
  assert_ptr_equal(queue, w.queue);
  assert_ptr_equal(context, w.context);
  assert_int_equal(type, PI_COMMAND_TYPE_MEM_BUFFER_FILL);
  must(piEventRelease(event));
  const pi_event user = new_user_event();
  must(piEventGetInfo(user, PI_EVENT_INFO_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  must(piEventGetInfo(user, PI_EVENT_INFO_COMMAND_TYPE, sizeof type, &type, NULL));
  assert_null(queue);
  assert_int_equal(type, PI_COMMAND_TYPE_USER);
  must(piEventRelease(user));
  must(piMemRelease(buffer));
}

/* An in-order queue needs no events of its own. */
static void nothing_is_recorded_for_nobody(void **state) {
  (void)state;
  const pi_queue queue = new_queue(IN_ORDER | PROFILING);
  const pi_mem buffer = new_buffer(64, NULL);
  const unsigned long made = fake_cuda_calls("cuEventCreate");
  const unsigned long recorded = fake_cuda_calls("cuEventRecord");
  for (int i = 0; i < 10; i++)
    fill_buffer(queue, buffer, 1, NULL, NULL);
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
  must(piEnqueueEventsWait(queue, 0, NULL, NULL));
  assert_int_equal(fake_cuda_calls("cuEventCreate"), made);
  assert_int_equal(fake_cuda_calls("cuEventRecord"), recorded);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

static void events_are_used_again(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event = NULL;
  fill_buffer(w.queue, buffer, 1, NULL, &event);
  must(piEventRelease(event));
  const size_t before = fake_cuda_live(FAKE_EVENT);
  for (int i = 0; i < 100; i++) {
    fill_buffer(w.queue, buffer, 1, NULL, &event);
    must(piEventRelease(event));
  }
  assert_int_equal(fake_cuda_live(FAKE_EVENT), before);
  must(piMemRelease(buffer));
}

static PFN_cuEventCreate_v2000 create_event;
static unsigned int created_with;

static CUresult CUDAAPI note_flags(CUevent *event, unsigned int flags) {
  created_with = flags;
  return create_event(event, flags);
}

/* Only profiling needs the time, which makes an event slower. */
static void timing_is_for_profiling(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  static const pi_queue_properties flags[] = {IN_ORDER, PROFILING};
  static const unsigned int expected[] = {CU_EVENT_DISABLE_TIMING, CU_EVENT_DEFAULT};
  create_event = cu.EventCreate;
  cu.EventCreate = note_flags;
  for (int i = 0; i < 2; i++) {
    const pi_queue queue = new_queue(flags[i]);
    pi_event event = NULL;
    created_with = 99;
    fill_buffer(queue, buffer, 1, NULL, &event);
    assert_int_equal(created_with, expected[i]);
    must(piEventRelease(event));
    must(piQueueRelease(queue));
  }
  cu.EventCreate = create_event;
  must(piMemRelease(buffer));
}

static void waiting_is_checked(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event events[2] = {NULL};
  fill_buffer(w.queue, buffer, 1, NULL, &events[0]);
  fails(PI_ERROR_INVALID_VALUE, piEventsWait(0, events));
  fails(PI_ERROR_INVALID_VALUE, piEventsWait(1, NULL));
  fails(PI_ERROR_INVALID_EVENT, piEventsWait(2, events));
  events[1] = (pi_event)(void *)buffer;
  fails(PI_ERROR_INVALID_EVENT, piEventsWait(2, events));
  must(piEventRelease(events[0]));
  must(piMemRelease(buffer));
}

/* Of two contexts: PI asks for one, but CUDA has no reason to refuse. */
static void one_wait_for_two_contexts(void **state) {
  (void)state;
  pi_device devices[2];
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_mem buffers[2] = {new_buffer(64, NULL)};
  pi_event events[2] = {NULL};
  const unsigned char byte = 5;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  must(piContextCreate(NULL, 1, &devices[1], NULL, NULL, &context));
  must(piQueueCreate(context, devices[1], 0, &queue));
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &buffers[1], NULL));
  const pi_event gate = new_user_event();
  fill_buffer(w.queue, buffers[0], 1, gate, &events[0]);
  must(piEnqueueMemBufferFill(queue, buffers[1], &byte, 1, 0, 64, 1, events, &events[1]));
  assert_int_not_equal(status_of(events[1]), PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(2, events));
  for (int i = 0; i < 2; i++) {
    must(piEventRelease(events[i]));
    must(piMemRelease(buffers[i]));
  }
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
  must(piContextRelease(context));
}

/* --- user events */

static void a_user_event_is_set_once(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event event = new_user_event();
  pi_event command = NULL;
  fill_buffer(w.queue, buffer, 1, NULL, &command);
  fails(PI_ERROR_INVALID_VALUE, piEventSetStatus(event, PI_EVENT_RUNNING));
  fails(PI_ERROR_INVALID_EVENT, piEventSetStatus(command, PI_EVENT_COMPLETE));
  fails(PI_ERROR_INVALID_EVENT, piEventSetStatus(NULL, PI_EVENT_COMPLETE));
  must(piEventSetStatus(event, PI_EVENT_COMPLETE));
  fails(PI_ERROR_INVALID_OPERATION, piEventSetStatus(event, -3));
  assert_int_equal(status_of(event), PI_EVENT_COMPLETE);
  must(piEventsWait(1, &event));
  must(piEventRelease(command));
  must(piEventRelease(event));
  must(piMemRelease(buffer));
}

/* What was enqueued before runs, and is no failure itself; what comes later is refused. */
static void a_failed_user_event(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  const unsigned char byte = 2;
  pi_event before = NULL;
  pi_event after = NULL;
  fill_buffer(w.queue, buffer, 1, gate, &before);
  must(piEventSetStatus(gate, -7));
  assert_int_equal(status_of(gate), -7);
  must(piEventsWait(1, &before));
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &gate));
  fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        piEnqueueMemBufferFill(w.queue, buffer, &byte, 1, 0, 64, 1, &gate, &after));
  assert_null(after);
  expect_filled(buffer, 1);
  must(piEventRelease(before));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

/* Nobody can set it any more: what waits for it must not wait for ever. */
static void a_user_event_that_is_given_up_opens(void **state) {
  (void)state;
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

/* The words of user events are used again while streams may still look at them. */
static void many_user_events(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  const size_t pages = fake_cuda_live(FAKE_HOST);
  for (int i = 0; i < 1000; i++) {
    const pi_event gate = new_user_event();
    pi_event event = NULL;
    fill_buffer(w.queue, buffer, (unsigned char)i, gate, &event);
    assert_int_not_equal(status_of(event), PI_EVENT_COMPLETE);
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventRelease(gate));
    if (i % 10 == 0)
      must(piEventsWait(1, &event));
    must(piEventRelease(event));
    must(piQueueFinish(w.queue));
  }
  assert_int_equal(fake_cuda_live(FAKE_HOST), pages + 1);
  expect_filled(buffer, (unsigned char)999);
  must(piMemRelease(buffer));
}

static void many_user_events_at_once(void **state) {
  (void)state;
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

static void the_host_waits_for_a_user_event(void **state) {
  (void)state;
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

/* Calls PI, which must be allowed here. */
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

static void callbacks_come_with_their_states(void **state) {
  (void)state;
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

/* Also when the application's last reference is gone before. */
static void a_callback_keeps_its_event(void **state) {
  (void)state;
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
  expect_calls(&of_command, 1, PI_EVENT_COMPLETE);
  expect_calls(&of_user, 1, -20);
  must(piMemRelease(buffer));
  usleep(2000); /* the thread gives its references up behind the call */
}

static void callbacks_are_checked(void **state) {
  (void)state;
  static seen never;
  const pi_event event = new_user_event();
  fails(PI_ERROR_INVALID_EVENT, piEventSetCallback(NULL, PI_EVENT_COMPLETE, notice, &never));
  fails(PI_ERROR_INVALID_VALUE, piEventSetCallback(event, PI_EVENT_COMPLETE, NULL, &never));
  fails(PI_ERROR_INVALID_VALUE, piEventSetCallback(event, PI_EVENT_QUEUED, notice, &never));
  fails(PI_ERROR_INVALID_VALUE, piEventSetCallback(event, -1, notice, &never));
  must(piEventRelease(event));
  assert_int_equal(atomic_load(&never.calls), 0);
}

/* --- times */

static void times_are_in_order(void **state) {
  (void)state;
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
    /* One clock for all; what the plugin measures may be some microseconds off. */
    assert_true(times[2] + 1000000 > before && times[3] < after + 1000000);
    last_end = times[3];
    must(piEventRelease(events[i]));
  }
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

static void times_are_refused(void **state) {
  (void)state;
  const pi_queue queue = new_queue(PROFILING);
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pi_event plain = NULL;
  pi_event waiting = NULL;
  uint64_t time = 77;
  fill_buffer(w.queue, buffer, 1, NULL, &plain);
  must(piEventsWait(1, &plain));
  fill_buffer(queue, buffer, 1, gate, &waiting);
  const pi_event without[] = {plain, waiting, gate};
  for (int i = 0; i < 3; i++)
    fails(PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
          piEventGetProfilingInfo(without[i], PI_PROFILING_INFO_COMMAND_END, 8, &time, NULL));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &waiting));
  fails(PI_ERROR_INVALID_VALUE,
        piEventGetProfilingInfo(waiting, (pi_profiling_info)0x1284, 8, &time, NULL));
  fails(PI_ERROR_INVALID_VALUE,
        piEventGetProfilingInfo(waiting, PI_PROFILING_INFO_COMMAND_END, 4, &time, NULL));
  assert_int_equal(time, 77);
  for (int i = 0; i < 3; i++)
    must(piEventRelease(without[i]));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* --- native handles */

static void a_native_event_is_used(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  fill_buffer(w.queue, buffer, 1, NULL, NULL);
  expect_filled(buffer, 1); /* makes the event that the queue keeps */
  for (int owned = 0; owned < 2; owned++) {
    const pi_event gate = new_user_event();
    CUevent native = NULL;
    pi_native_handle stream, back;
    pi_event event = NULL;
    pi_event filled = NULL;
    driver(cu.EventCreate(&native, CU_EVENT_DISABLE_TIMING));
    must(piEnqueueEventsWaitWithBarrier(w.queue, 1, &gate, NULL));
    must(piextQueueGetNativeHandle(w.queue, &stream, NULL));
    driver(cu.EventRecord(native, (CUstream)stream));
    const size_t before = fake_cuda_live(FAKE_EVENT);
    must(piextEventCreateWithNativeHandle((pi_native_handle)native, w.context, owned, &event));
    must(piextEventGetNativeHandle(event, &back));
    assert_ptr_equal((CUevent)back, native);
    assert_int_equal(status_of(event), PI_EVENT_SUBMITTED);
    const pi_queue queue = new_queue(OUT_OF_ORDER);
    fill_buffer(queue, buffer, 6, event, &filled);
    assert_int_not_equal(status_of(filled), PI_EVENT_COMPLETE);
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventsWait(1, &event));
    must(piEventsWait(1, &filled));
    expect_filled(buffer, 6);
    must(piEventRelease(filled));
    must(piQueueRelease(queue));
    must(piEventRelease(event));
    assert_int_equal(fake_cuda_live(FAKE_EVENT), before - (size_t)owned);
    if (!owned)
      driver(cu.EventDestroy(native));
    must(piEventRelease(gate));
  }
  must(piMemRelease(buffer));
}

static pi_uint32 references(pi_event event) {
  pi_uint32 count = 0;
  must(piEventGetInfo(event, PI_EVENT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

static void an_event_of_ours_has_one_owner(void **state) {
  (void)state;
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event event = NULL;
  pi_native_handle native;
  fill_buffer(w.queue, buffer, 1, NULL, &event);
  must(piextEventGetNativeHandle(event, &native));
  for (int owned = 0; owned < 2; owned++) {
    pi_event second = NULL;
    if (owned)
      must(piEventRetain(event));
    must(piextEventCreateWithNativeHandle(native, w.context, owned, &second));
    assert_int_equal(references(event), 2);
    must(piEventsWait(1, &second));
    must(piEventRelease(second));
    assert_int_equal(references(event), 1);
  }
  must(piEventRelease(event));
  must(piMemRelease(buffer));
}

/* What CUDA can wait for, of an event that the application sets. */
static void a_user_event_has_a_native_one(void **state) {
  (void)state;
  const pi_event gate = new_user_event();
  pi_native_handle native, again;
  must(piextEventGetNativeHandle(gate, &native));
  must(piextEventGetNativeHandle(gate, &again));
  assert_true(native == again);
  assert_int_equal(cu.EventQuery((CUevent)native), CUDA_ERROR_NOT_READY);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  driver(cu.EventSynchronize((CUevent)native));
  must(piEventRelease(gate));
}

static void native_handles_are_checked(void **state) {
  (void)state;
  const pi_event gate = new_user_event();
  pi_native_handle native;
  pi_event event = NULL;
  fails(PI_ERROR_INVALID_EVENT, piextEventGetNativeHandle(NULL, &native));
  fails(PI_ERROR_INVALID_VALUE, piextEventGetNativeHandle(gate, NULL));
  must(piextEventGetNativeHandle(gate, &native));
  fails(PI_ERROR_INVALID_EVENT, piextEventCreateWithNativeHandle(0, w.context, false, &event));
  fails(PI_ERROR_INVALID_CONTEXT, piextEventCreateWithNativeHandle(native, NULL, false, &event));
  fails(PI_ERROR_INVALID_VALUE, piextEventCreateWithNativeHandle(native, w.context, false, NULL));
  assert_null(event);
  must(piEventRelease(gate));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(a_command_s_event_goes_through_its_states),
      WORLD_TEST(info_tells_of_the_command),
      WORLD_TEST(nothing_is_recorded_for_nobody),
      WORLD_TEST(events_are_used_again),
      WORLD_TEST(timing_is_for_profiling),
      WORLD_TEST(waiting_is_checked),
      WORLD_TEST(one_wait_for_two_contexts),
      WORLD_TEST(a_user_event_is_set_once),
      WORLD_TEST(a_failed_user_event),
      WORLD_TEST(a_user_event_that_is_given_up_opens),
      WORLD_TEST(many_user_events),
      WORLD_TEST(many_user_events_at_once),
      WORLD_TEST(the_host_waits_for_a_user_event),
      WORLD_TEST(callbacks_come_with_their_states),
      WORLD_TEST(a_callback_keeps_its_event),
      WORLD_TEST(callbacks_are_checked),
      WORLD_TEST(times_are_in_order),
      WORLD_TEST(times_are_refused),
      WORLD_TEST(a_native_event_is_used),
      WORLD_TEST(an_event_of_ours_has_one_owner),
      WORLD_TEST(a_user_event_has_a_native_one),
      WORLD_TEST(native_handles_are_checked),
  };
  return cmocka_run_group_tests_name("cuda.event", tests, NULL, NULL);
}
