/* Events: user events, status, callbacks, profiling, native handles. */
#define _GNU_SOURCE /* nanosleep */
#include "fixture.h"

#include <time.h>

INFO_CALL(event_info, pi_event, pi_event_info, piEventGetInfo)
INFO_CALL(profiling_info, pi_event, pi_profiling_info, piEventGetProfilingInfo)

static pi_int32 status(pi_event event) {
  pi_int32 value = 99;
  expect_success(
      pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof value, &value, NULL));
  return value;
}

static pi_uint32 references(pi_event event) {
  pi_uint32 count = 0;
  expect_success(
      pi.piEventGetInfo(event, PI_EVENT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

/* Returns the event of a completed command. */
static pi_event done(pi_queue queue) {
  const char pattern = 1;
  pi_event event = NULL;
  expect_success(
      pi.piEnqueueMemBufferFill(queue, new_buffer(64, NULL), &pattern, 1, 0, 64, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  return event;
}

static pi_event user(void) {
  pi_event event = NULL;
  expect_success(pi.piEventCreate(the_context(), &event));
  release_event_later(event);
  return event;
}

TEST(event, user_event) {
  const pi_event event = user();
  expect_equal(PI_EVENT_SUBMITTED, status(event));
  if (!is_supported(pi.piEventSetStatus(event, PI_EVENT_COMPLETE)))
    return;
  expect_equal(PI_EVENT_COMPLETE, status(event));
  expect_success(pi.piEventsWait(1, &event));
}

TEST(event, user_event_holds_a_command) {
  const pi_event gate = user();
  const pi_mem buffer = new_buffer(4, "abc");
  const char pattern = 'x';
  pi_event filled = NULL;
  expect_success(
      pi.piEnqueueMemBufferFill(the_queue(), buffer, &pattern, 1, 0, 4, 1, &gate, &filled));
  release_event_later(filled);
  expect_success(pi.piQueueFlush(the_queue()));
  expect(status(filled) != PI_EVENT_COMPLETE, "the command did not wait");
  expect_success(pi.piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_success(pi.piEventsWait(1, &filled));
  expect_equal(PI_EVENT_COMPLETE, status(filled));
  char got[4];
  read_buffer(buffer, sizeof got, got);
  expect_bytes("xxxx", got, sizeof got);
}

/* A negative status is an error, which waiting for the event returns. */
TEST(event, user_event_fails) {
  const pi_event event = user();
  expect_success(pi.piEventSetStatus(event, -5));
  expect_equal(-5, status(event));
  expect_refused(pi.piEventsWait(1, &event));
}

TEST(event, user_event_has_no_queue) {
  const pi_event event = user();
  pi_queue queue = the_queue();
  pi_uint32 type = 0;
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_TYPE, sizeof type, &type, NULL));
  expect_same(NULL, queue);
  expect_equal(PI_COMMAND_TYPE_USER, type);
  is_supported(pi.piEventSetStatus(event, PI_EVENT_COMPLETE));
}

TEST(event, user_event_is_set_once) {
  const pi_event event = user();
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEventSetStatus(event, PI_EVENT_RUNNING));
  expect_success(pi.piEventSetStatus(event, PI_EVENT_COMPLETE));
  expect_error(PI_ERROR_INVALID_OPERATION, pi.piEventSetStatus(event, -3));
  expect_equal(PI_EVENT_COMPLETE, status(event));
}

TEST(event, create_refuses_null) {
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, event, pi.piEventCreate(NULL, &event));
}

TEST(event, create_refuses_null_output) {
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEventCreate(the_context(), NULL));
}

TEST(event, set_status_refuses) {
  expect_error(PI_ERROR_INVALID_EVENT, pi.piEventSetStatus(NULL, PI_EVENT_COMPLETE));
  expect_refused(pi.piEventSetStatus(done(the_queue()), PI_EVENT_COMPLETE));
}

static bool nothing_optional(pi_uint32 query) {
  (void)query;
  return false;
}

QUERY_TESTS(event, query, pi_event_info, event_info, done(the_queue()), nothing_optional,
            PI_ERROR_INVALID_EVENT)

QUERY_TESTS(event, profiling_query, pi_profiling_info, profiling_info, done(the_queue()),
            nothing_optional, PI_ERROR_INVALID_EVENT)

TEST(event, queries_make_sense) {
  const pi_event event = done(the_queue());
  pi_queue queue = NULL;
  pi_context context = NULL;
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  expect_same(the_queue(), queue);
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_CONTEXT, sizeof context, &context, NULL));
  expect_same(the_context(), context);
}

TEST(event, query_command_type) {
  pi_uint32 type = 0;
  expect_success(
      pi.piEventGetInfo(done(the_queue()), PI_EVENT_INFO_COMMAND_TYPE, sizeof type, &type, NULL));
  expect_equal(PI_COMMAND_TYPE_MEM_BUFFER_FILL, type);
}

TEST(event, references) {
  const pi_event event = done(the_queue());
  expect_success(pi.piQueueFinish(the_queue()));
  const pi_uint32 before = references(event);
  expect_success(pi.piEventRetain(event));
  expect_equal(before + 1, references(event));
  expect_success(pi.piEventRelease(event));
  expect_equal(before, references(event));
}

TEST(event, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_EVENT, pi.piEventRetain(NULL));
  expect_error(PI_ERROR_INVALID_EVENT, pi.piEventRelease(NULL));
}

TEST(event, wait_for_several) {
  const pi_event events[] = {done(the_queue()), done(the_queue()), done(the_queue())};
  expect_success(pi.piEventsWait(3, events));
  for (int i = 0; i < 3; i++)
    expect_equal(PI_EVENT_COMPLETE, status(events[i]));
}

TEST(event, wait_refuses) {
  const pi_event none = NULL;
  expect_refused(pi.piEventsWait(1, NULL));
  expect_error(PI_ERROR_INVALID_EVENT, pi.piEventsWait(1, &none));
}

TEST(event, wait_refuses_other_object) {
  const pi_event events[] = {done(the_queue()), (pi_event)(void *)the_queue()};
  expect_error(PI_ERROR_INVALID_EVENT, pi.piEventsWait(2, events));
}

TEST(event, wait_refuses_count_0) {
  const pi_event event = done(the_queue());
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEventsWait(0, &event));
}

/* A command's four timestamps are in order, and so are those of two commands in an in-order queue.
 */
TEST(event, profiling_order) {
  const pi_event first = done(the_queue());
  const pi_event second = done(the_queue());
  static const pi_profiling_info moments[] = {
      PI_PROFILING_INFO_COMMAND_QUEUED, PI_PROFILING_INFO_COMMAND_SUBMIT,
      PI_PROFILING_INFO_COMMAND_START, PI_PROFILING_INFO_COMMAND_END};
  uint64_t times[2][4] = {{0}};
  for (int i = 0; i < 4; i++) {
    expect_success(pi.piEventGetProfilingInfo(first, moments[i], 8, &times[0][i], NULL));
    expect_success(pi.piEventGetProfilingInfo(second, moments[i], 8, &times[1][i], NULL));
  }
  for (int e = 0; e < 2; e++)
    for (int i = 1; i < 4; i++)
      expect(times[e][i] >= times[e][i - 1], "event %d: moment %d lies before moment %d", e, i,
             i - 1);
  expect(times[1][2] >= times[0][3], "the second command starts before the first one's end");
}

TEST(event, profiling_refuses_queue_without) {
  uint64_t time;
  expect_error_keeps(PI_ERROR_PROFILING_INFO_NOT_AVAILABLE, time,
                     pi.piEventGetProfilingInfo(done(new_queue(0)), PI_PROFILING_INFO_COMMAND_START,
                                                sizeof time, &time, NULL));
}

TEST(event, profiling_refuses_user_event) {
  const pi_event event = user();
  uint64_t time;
  expect_error_keeps(
      PI_ERROR_PROFILING_INFO_NOT_AVAILABLE, time,
      pi.piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_START, sizeof time, &time, NULL));
  /* A driver may wait for its events when it destroys their context. */
  is_supported(pi.piEventSetStatus(event, PI_EVENT_COMPLETE));
}

TEST(event, profiling_refuses_before_the_end) {
  const pi_event gate = user();
  const char pattern = 1;
  pi_event event = NULL;
  uint64_t time;
  expect_success(pi.piEnqueueMemBufferFill(the_queue(), new_buffer(64, NULL), &pattern, 1, 0, 64, 1,
                                           &gate, &event));
  release_event_later(event);
  expect_error_keeps(
      PI_ERROR_PROFILING_INFO_NOT_AVAILABLE, time,
      pi.piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, sizeof time, &time, NULL));
  expect_success(pi.piEventSetStatus(gate, PI_EVENT_COMPLETE));
  expect_success(pi.piEventsWait(1, &event));
}

typedef struct seen {
  atomic_int calls;
  atomic_int status;
} seen;

static void notice(pi_event event, pi_int32 command_status, void *user_data) {
  (void)event;
  seen *what = user_data;
  atomic_store(&what->status, command_status);
  atomic_fetch_add(&what->calls, 1);
}

static void wait_for_calls(seen *what, int calls) {
  const struct timespec moment = {0, 5 * 1000 * 1000};
  for (int i = 0; i < 1000 && atomic_load(&what->calls) < calls; i++)
    nanosleep(&moment, NULL);
}

TEST(event, callback) {
  static seen before;
  static seen after;
  const pi_event event = user();
  if (!is_supported(pi.piEventSetCallback(event, PI_EVENT_COMPLETE, notice, &before)))
    return;
  expect_equal(0, atomic_load(&before.calls));
  expect_success(pi.piEventSetStatus(event, PI_EVENT_COMPLETE));
  wait_for_calls(&before, 1);
  expect_equal(1, atomic_load(&before.calls));
  expect_equal(PI_EVENT_COMPLETE, atomic_load(&before.status));
  /* The event is complete already: the function is called all the same. */
  expect_success(pi.piEventSetCallback(event, PI_EVENT_COMPLETE, notice, &after));
  wait_for_calls(&after, 1);
  expect_equal(1, atomic_load(&after.calls));
}

TEST(event, callback_refuses) {
  static seen what;
  expect_error(PI_ERROR_INVALID_EVENT,
               pi.piEventSetCallback(NULL, PI_EVENT_COMPLETE, notice, &what));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEventSetCallback(done(the_queue()), 77, notice, &what));
}

TEST(event, callback_refuses_other_states) {
  static seen what;
  const pi_event event = done(the_queue());
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEventSetCallback(event, PI_EVENT_QUEUED, notice, &what));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEventSetCallback(event, -1, notice, &what));
  expect_equal(0, atomic_load(&what.calls));
}

TEST(event, callback_refuses_null_function) {
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEventSetCallback(done(the_queue()), PI_EVENT_COMPLETE, NULL, NULL));
}

TEST(event, native_handle) {
  const pi_event event = done(the_queue());
  pi_native_handle native = 0;
  if (!is_supported(pi.piextEventGetNativeHandle(event, &native)))
    return;
  static const bool owned[] = {false, true};
  for (size_t i = 0; i < 2; i++) {
    const pi_uint32 before = references(event);
    if (owned[i])
      expect_success(pi.piEventRetain(event));
    pi_event second = NULL;
    expect_success(pi.piextEventCreateWithNativeHandle(native, the_context(), owned[i], &second));
    expect_success(pi.piEventsWait(1, &second));
    expect_equal(PI_EVENT_COMPLETE, status(second));
    expect_success(pi.piEventRelease(second));
    expect_equal(before, references(event));
  }
}

TEST(event, native_handle_refuses_null) {
  pi_native_handle native;
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_EVENT, native, pi.piextEventGetNativeHandle(NULL, &native));
  expect_refused_keeps(event, pi.piextEventCreateWithNativeHandle(0, the_context(), false, &event));
}

TEST(event, native_handle_refuses_null_output) {
  const pi_event event = done(the_queue());
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextEventGetNativeHandle(event, NULL));
  expect_success(pi.piextEventGetNativeHandle(event, &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextEventCreateWithNativeHandle(native, the_context(), false, NULL));
}
