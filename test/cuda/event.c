/* CUDA events: when they are recorded, their flags, the words of user events, native events. */
#include "world.h"

#include "../../plugins/cuda/event.h"

/* An in-order queue needs no events of its own. */
WORLD_TEST(in_order_commands_record_no_events) {
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

static PFN_cuEventCreate_v2000 create_event;
static unsigned int created_with;

static CUresult CUDAAPI note_flags(CUevent *event, unsigned int flags) {
  created_with = flags;
  return create_event(event, flags);
}

/* Recording the time makes an event slower, and only profiling needs it. */
WORLD_TEST(only_profiling_events_record_times) {
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
    must(piEventsWait(1, &event)); /* the next queue writes to the buffer, too */
    must(piEventRelease(event));
    must(piQueueRelease(queue));
  }
  cu.EventCreate = create_event;
  must(piMemRelease(buffer));
}

/* PI demands that a wait list's events have one context, but CUDA can wait for any events. */
WORLD_TEST(one_wait_list_may_name_two_contexts) {
  pi_device devices[2];
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_mem buffers[2] = {new_buffer(64, NULL)};
  pi_event events[2] = {NULL};
  const unsigned char byte = 5;
  get_two_devices(devices);
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

/* A new user event reuses an old one's word even if streams may still read it. */
WORLD_TEST(words_of_user_events_are_reused) {
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

WORLD_TEST(a_native_event_is_used) {
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

/* CUDA waits for the native event of a user event that the application sets. */
WORLD_TEST(a_user_event_has_a_native_one) {
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
