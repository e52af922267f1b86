/* Level Zero events: their pools, refusals of the driver, native events. */
#include "world.h"

#include "../../plugins/level_zero/event.h"

/* Thousands of commands take their events from pools, which grow and are used again. */
WORLD_TEST(pools_grow_and_are_used_again) {
  enum { COUNT = 1000 };
  static pi_event events[COUNT];
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(COUNT, NULL);
  const char byte = 3;
  size_t pools = 0;
  for (int round = 0; round < 4; round++) {
    const pi_event gate = new_user_event();
    for (size_t i = 0; i < COUNT; i++)
      must(piEnqueueMemBufferFill(queue, buffer, &byte, 1, i, 1, 1, &gate, &events[i]));
    must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
    must(piEventsWait(COUNT, events));
    for (size_t i = 0; i < COUNT; i++)
      must(piEventRelease(events[i]));
    must(piEventRelease(gate));
    must(piQueueFinish(queue));
    if (round == 0)
      pools = fake_ze_live(FAKE_POOL);
    assert_int_equal(fake_ze_live(FAKE_POOL), pools);
  }
  assert_true(pools >= COUNT / 64 && pools <= COUNT / 64 + 3);
  expect_filled(buffer, 3);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* A Level Zero event belongs to a context. */
WORLD_TEST(events_must_be_of_the_queue_s_context) {
  pi_context context = context_of_all();
  pi_event foreign = NULL;
  pi_event got = NULL;
  const pi_mem buffer = new_buffer(64, NULL);
  const char byte = 1;
  must(piEventCreate(context, &foreign));
  fails(PI_ERROR_INVALID_CONTEXT,
        piEnqueueMemBufferFill(w.queue, buffer, &byte, 1, 0, 64, 1, &foreign, &got));
  fails(PI_ERROR_INVALID_CONTEXT, piEnqueueEventsWait(w.queue, 1, &foreign, &got));
  assert_null(got);
  must(piEventSetStatus(foreign, PI_EVENT_COMPLETE));
  fill_buffer(w.queue, buffer, 1, NULL, &got);
  const pi_event both[] = {foreign, got};
  must(piEventsWait(2, both));
  must(piEventRelease(got));
  must(piEventRelease(foreign));
  must(piMemRelease(buffer));
  must(piContextRelease(context));
}

static __typeof__(ze.EventPoolCreate) create_pool;
static ze_event_pool_flags_t asked;

static ze_result_t note_pool(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                             uint32_t count, ze_device_handle_t *devices,
                             ze_event_pool_handle_t *pool) {
  asked |= desc->flags;
  return create_pool(context, desc, count, devices, pool);
}

/* Only profiling needs the time, which makes an event slower. */
WORLD_TEST(timestamps_are_for_profiling) {
  pi_context context = NULL;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
  static const pi_queue_properties flags[] = {IN_ORDER, PROFILING};
  create_pool = ze.EventPoolCreate;
  ze.EventPoolCreate = note_pool;
  for (int i = 0; i < 2; i++) {
    pi_queue queue = NULL;
    pi_event event = NULL;
    asked = 0;
    must(piQueueCreate(context, w.device, flags[i], &queue));
    must(piEnqueueEventsWait(queue, 0, NULL, &event));
    must(piEventsWait(1, &event));
    assert_int_equal((asked & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP) != 0, i);
    must(piEventRelease(event));
    must(piQueueRelease(queue));
  }
  ze.EventPoolCreate = create_pool;
  must(piContextRelease(context));
}

/* A call that fails while a pool is created leaves no object. */
WORLD_TEST(a_refused_pool_leaves_nothing) {
  static const char *const calls[] = {"zeEventPoolCreate", "zeEventCreate"};
  for (unsigned long i = 0; i < 2; i++) {
    pi_context context = NULL;
    pi_event event = NULL;
    must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
    const size_t before = fake_ze_live_all();
    fake_ze_fail(calls[i], i * 20 + 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES, piEventCreate(context, &event));
    assert_string_equal(fake_ze_unfail(), calls[i]);
    assert_null(event);
    assert_int_equal(fake_ze_live_all(), before);
    must(piContextRelease(context));
  }
}

/* The driver refuses to signal the event: it can still be set later. */
WORLD_TEST(a_user_event_can_be_set_after_a_refusal) {
  const pi_event gate = new_user_event();
  fake_ze_fail("zeEventHostSignal", 1, ZE_RESULT_ERROR_DEVICE_LOST);
  fails(PI_ERROR_DEVICE_NOT_AVAILABLE, piEventSetStatus(gate, PI_EVENT_COMPLETE));
  assert_non_null(fake_ze_unfail());
  assert_int_equal(status_of(gate), PI_EVENT_SUBMITTED);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &gate));
  must(piEventRelease(gate));
}

/* An event of the application's own pool, which the application signals. */
WORLD_TEST(a_native_event_is_used) {
  const pi_mem buffer = new_buffer(64, NULL);
  const ze_event_pool_desc_t pool_description = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1,
  };
  const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  for (int owned = 0; owned < 2; owned++) {
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t native = NULL;
    pi_native_handle back;
    pi_event event = NULL;
    pi_event filled = NULL;
    driver(ze.EventPoolCreate(w.context->driver.context, &pool_description, 0, NULL, &pool));
    driver(ze.EventCreate(pool, &description, &native));
    must(piextEventCreateWithNativeHandle((pi_native_handle)native, w.context, owned, &event));
    must(piextEventGetNativeHandle(event, &back));
    assert_ptr_equal((ze_event_handle_t)back, native);
    assert_int_equal(status_of(event), PI_EVENT_SUBMITTED);
    fails(PI_ERROR_INVALID_EVENT, piEventSetStatus(event, PI_EVENT_COMPLETE));
    const pi_queue queue = new_queue(OUT_OF_ORDER);
    fill_buffer(queue, buffer, 6, event, &filled);
    assert_int_not_equal(status_of(filled), PI_EVENT_COMPLETE);
    driver(ze.EventHostSignal(native));
    must(piEventsWait(1, &event));
    must(piEventsWait(1, &filled));
    assert_int_equal(status_of(event), PI_EVENT_COMPLETE);
    expect_filled(buffer, 6);
    must(piEventRelease(filled));
    must(piQueueRelease(queue));
    const size_t before = fake_ze_live(FAKE_EVENT);
    must(piEventRelease(event));
    assert_int_equal(fake_ze_live(FAKE_EVENT), before - (size_t)owned);
    if (!owned)
      driver(ze.EventDestroy(native));
    driver(ze.EventPoolDestroy(pool));
  }
  must(piMemRelease(buffer));
}

/* Level Zero waits for the native event of a user event that the application sets. */
WORLD_TEST(a_user_event_has_a_native_one) {
  const pi_event gate = new_user_event();
  pi_native_handle native, again;
  must(piextEventGetNativeHandle(gate, &native));
  must(piextEventGetNativeHandle(gate, &again));
  assert_true(native == again);
  assert_int_equal(ze.EventQueryStatus((ze_event_handle_t)native), ZE_RESULT_NOT_READY);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  driver(ze.EventHostSynchronize((ze_event_handle_t)native, UINT64_MAX));
  must(piEventRelease(gate));
}
