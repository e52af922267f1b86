/* Events: waiting, states, times. */
#include "launch_world.h"

#include <pthread.h>

/* A queue whose commands wait for a user event of PI. */
typedef struct held {
  const pi_function_table *pi;
  specpi_queue queue;
  specpi_buffer buffer;
  pi_event gate;
  specpi_event event; /* of a command that waits for the gate */
} held;

static held hold(unsigned flags) {
  const unsigned char seven = 7;
  held held = {.pi = specpiDeviceGetFunctions(world_device()),
               .queue = world_queue(flags),
               .buffer = world_buffer(64, NULL)};
  pi_context context;
  WORKS(specpiDeviceGetContext(world_device(), &context));
  assert_int_equal(held.pi->piEventCreate(context, &held.gate), PI_SUCCESS);
  assert_int_equal(held.pi->piEnqueueEventsWaitWithBarrier(specpiQueueGetHandle(held.queue), 1,
                                                           &held.gate, NULL),
                   PI_SUCCESS);
  WORKS(specpiBufferFill(held.queue, held.buffer, &seven, 1, 0, 64, 0, NULL, &held.event));
  return held;
}

static void let_go(held *held, pi_int32 status) {
  assert_int_equal(held->pi->piEventSetStatus(held->gate, status), PI_SUCCESS);
}

static void clear(held *held) {
  held->pi->piEventRelease(held->gate);
  specpiEventRelease(held->event);
  specpiBufferRelease(held->buffer);
  specpiQueueRelease(held->queue);
}

static specpi_event_state state_of(specpi_event event) {
  specpi_event_state found;
  WORKS(specpiEventGetState(event, &found));
  return found;
}

TEST(has_states) {
  held held = hold(0);
  const specpi_event_state before = state_of(held.event);
  assert_true(before == SPECPI_EVENT_QUEUED || before == SPECPI_EVENT_SUBMITTED);
  let_go(&held, PI_EVENT_COMPLETE);
  /* The command completes without a wait; this loop only queries. */
  for (long i = 0; state_of(held.event) != SPECPI_EVENT_COMPLETE; i++)
    assert_true(i < 100000000);
  clear(&held);
  assert_string_equal(specpiEventStateGetName(SPECPI_EVENT_QUEUED), "queued");
  assert_string_equal(specpiEventStateGetName(SPECPI_EVENT_SUBMITTED), "submitted");
  assert_string_equal(specpiEventStateGetName(SPECPI_EVENT_RUNNING), "running");
  assert_string_equal(specpiEventStateGetName(SPECPI_EVENT_COMPLETE), "complete");
  assert_string_equal(specpiEventStateGetName(SPECPI_EVENT_FAILED), "failed");
  assert_null(specpiEventStateGetName((specpi_event_state)5));
}

TEST(has_times) {
  held held = hold(SPECPI_QUEUE_PROFILING);
  specpi_times times = {1, 2, 3, 4};
  FAILS(specpiEventGetTimes(held.event, &times), SPECPI_ERROR_INVALID_STATE, "only a complete one");
  assert_int_equal(times.queued + times.submitted + times.started + times.ended, 10);
  let_go(&held, PI_EVENT_COMPLETE);
  WORKS(specpiEventWait(1, &held.event));
  WORKS(specpiEventGetTimes(held.event, &times));
  assert_true(times.queued <= times.submitted && times.submitted <= times.started &&
              times.started <= times.ended);
  clear(&held);
}

/* The difference of a long kernel's times is its duration in nanoseconds. */
TEST(times_are_nanoseconds) {
  specpi_queue queue = world_queue(SPECPI_QUEUE_PROFILING);
  specpi_buffer buffer = world_buffer(4, NULL);
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "slow");
  const uint32_t rounds = world_is_cuda() ? 100000 : 20000000;
  const specpi_range range = {.dimensions = 1, .global = {1}};
  const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(rounds)};
  specpi_event event;
  specpi_times times;
  WORKS(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, &event));
  WORKS(specpiEventWait(1, &event));
  WORKS(specpiEventGetTimes(event, &times));
  /* Each round takes between 0.1 and 10000 nanoseconds. */
  assert_in_range(times.ended - times.started, rounds / 10, (uint64_t)rounds * 10000);
  specpiEventRelease(event);
  specpiKernelRelease(kernel);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

TEST(needs_profiling_for_times) {
  held held = hold(SPECPI_QUEUE_OUT_OF_ORDER);
  let_go(&held, PI_EVENT_COMPLETE);
  WORKS(specpiEventWait(1, &held.event));
  specpi_times times = {1, 2, 3, 4};
  FAILS(specpiEventGetTimes(held.event, &times), SPECPI_ERROR_NO_PROFILING,
        "SPECPI_QUEUE_PROFILING");
  assert_int_equal(times.queued + times.submitted + times.started + times.ended, 10);
  clear(&held);
}

static void *set_later(void *argument) {
  held *held = argument;
  let_go(held, PI_EVENT_COMPLETE);
  return NULL;
}

/* A command of one queue waits for another queue's, and the host for both. */
TEST(orders_queues) {
  held held = hold(0);
  specpi_queue other = world_queue(SPECPI_QUEUE_OUT_OF_ORDER);
  specpi_buffer copy = world_buffer(64, NULL);
  specpi_event events[2] = {held.event, NULL};
  WORKS(specpiBufferCopy(other, held.buffer, 0, copy, 0, 64, 1, &held.event, &events[1]));
  assert_true(state_of(events[1]) != SPECPI_EVENT_COMPLETE);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, set_later, &held), 0);
  WORKS(specpiEventWait(2, events));
  assert_int_equal(pthread_join(thread, NULL), 0);
  unsigned char bytes[64];
  world_read(other, copy, bytes);
  assert_int_equal(bytes[0], 7);
  assert_int_equal(bytes[63], 7);
  specpiEventRelease(events[1]);
  specpiBufferRelease(copy);
  specpiQueueRelease(other);
  clear(&held);
}

/* A wait list that is too long for the space that a command has for one. */
TEST(waits_for_many) {
  held held = hold(SPECPI_QUEUE_OUT_OF_ORDER);
  specpi_queue other = world_queue(SPECPI_QUEUE_OUT_OF_ORDER);
  specpi_event events[151] = {held.event};
  specpi_buffer buffers[150];
  for (size_t i = 0; i < COUNT_OF(buffers); i++) {
    buffers[i] = world_buffer(64, NULL);
    WORKS(
        specpiBufferCopy(other, held.buffer, 0, buffers[i], 0, 64, 1, &held.event, &events[i + 1]));
  }
  specpi_event last;
  specpi_buffer result = world_buffer(64, NULL);
  WORKS(specpiBufferCopy(other, buffers[149], 0, result, 0, 64, COUNT_OF(events), events, &last));
  assert_true(state_of(last) != SPECPI_EVENT_COMPLETE);
  let_go(&held, PI_EVENT_COMPLETE);
  WORKS(specpiEventWait(1, &last));
  for (size_t i = 0; i < COUNT_OF(events); i++)
    assert_int_equal(state_of(events[i]), SPECPI_EVENT_COMPLETE);
  unsigned char bytes[64];
  world_read(other, result, bytes);
  assert_int_equal(bytes[63], 7);
  specpiEventRelease(last);
  for (size_t i = 0; i < COUNT_OF(buffers); i++) {
    specpiEventRelease(events[i + 1]);
    specpiBufferRelease(buffers[i]);
  }
  specpiBufferRelease(result);
  specpiQueueRelease(other);
  clear(&held);
}

TEST(counts_references) {
  held held = hold(0);
  let_go(&held, PI_EVENT_COMPLETE);
  specpiEventRetain(held.event);
  specpiEventRelease(held.event);
  WORKS(specpiEventWait(1, &held.event));
  assert_non_null(specpiEventGetHandle(held.event));
  assert_ptr_equal(specpiEventGetQueue(held.event), held.queue);
  clear(&held);
  specpiEventRetain(NULL);
  specpiEventRelease(NULL);
}

TEST(refuses) {
  held held = hold(0);
  let_go(&held, PI_EVENT_COMPLETE);
  specpi_event events[2] = {held.event, NULL};
  WORKS(specpiEventWait(0, NULL));
  REFUSES(specpiEventWait(1, NULL), "events is NULL");
  REFUSES(specpiEventWait(2, events), "events[1] is NULL");
  specpi_event_state found;
  specpi_times times;
  REFUSES(specpiEventGetState(NULL, &found), "event is NULL");
  REFUSES(specpiEventGetState(held.event, NULL), "state is NULL");
  REFUSES(specpiEventGetTimes(NULL, &times), "event is NULL");
  REFUSES(specpiEventGetTimes(held.event, NULL), "times is NULL");
  assert_null(specpiEventGetHandle(NULL));
  assert_null(specpiEventGetQueue(NULL));
  clear(&held);
}

int main(void) {
  return tests_run(NULL, world_end);
}
