/* Level Zero queues: batches, engines, native lists and queues. */
#define _DEFAULT_SOURCE /* usleep */
#include "../plugins/queue.h"
#include "world.h"

#include "../../plugins/level_zero/memory.h"
#include "../../plugins/level_zero/queue.h"

#include <unistd.h>

static pi_queue gathering_queue(pi_queue_properties flags) {
  return new_queue(flags | PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
}

static unsigned long executions(void) {
  return fake_ze_calls("zeCommandQueueExecuteCommandLists");
}

WORLD_TEST(submission_is_the_flags_choice) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_queue immediate = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE);
  const pi_queue gathering = gathering_queue(IN_ORDER);
  unsigned long before = executions();
  fill_buffer(immediate, buffer, 1, NULL, NULL);
  must(piQueueFinish(immediate));
  assert_int_equal(executions(), before);
  fill_buffer(gathering, buffer, 2, NULL, NULL);
  assert_int_equal(executions(), before);
  must(piQueueFinish(gathering));
  assert_true(executions() > before);
  expect_filled(buffer, 2);
  before = executions();
  fill_buffer(w.queue, buffer, 3, NULL, NULL);
  must(piQueueFinish(w.queue));
  assert_int_equal(executions() > before, is_batching());
  must(piMemRelease(buffer));
  must(piQueueRelease(immediate));
  must(piQueueRelease(gathering));
}

/* A gathered command, and the objects that make the queue execute it. */
typedef struct gathered {
  pi_queue queue, other;
  pi_mem buffer;
  pi_event event, gate;
} gathered;

static void by_wait(gathered *g) {
  must(piEventsWait(1, &g->event));
}

static void by_status(gathered *g) {
  (void)status_of(g->event);
}

static void by_flush(gathered *g) {
  must(piQueueFlush(g->queue));
}

static void by_finish(gathered *g) {
  must(piQueueFinish(g->queue));
}

static void by_empty(gathered *g) {
  (void)is_empty(g->queue);
}

static void by_other_queue(gathered *g) {
  must(piEnqueueEventsWait(g->other, 1, &g->event, NULL));
}

static void by_native_event(gathered *g) {
  pi_native_handle native;
  must(piextEventGetNativeHandle(g->event, &native));
}

static void by_native_queue(gathered *g) {
  pi_native_handle native;
  must(piextQueueGetNativeHandle(g->queue, &native, NULL));
}

static void by_user_event(gathered *g) {
  must(piEventSetStatus(g->gate, PI_EVENT_COMPLETE));
}

static void by_kernels_engine(gathered *g) {
  must(piEnqueueEventsWaitWithBarrier(g->queue, 1, &g->event, NULL));
  must(piQueueFlush(g->queue));
}

static void by_release(gathered *g) {
  must(piQueueRetain(g->other));
  must(piQueueRelease(g->queue));
  g->queue = g->other;
}

static void nothing(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  (void)status;
  (void)user_data;
}

static void by_callback(gathered *g) {
  must(piEventSetCallback(g->event, PI_EVENT_COMPLETE, nothing, NULL));
}

WORLD_TEST(whoever_waits_has_it_executed) {
  static void (*const ways[])(gathered * g) = {by_wait,           by_status,       by_flush,
                                               by_finish,         by_empty,        by_other_queue,
                                               by_native_event,   by_native_queue, by_user_event,
                                               by_kernels_engine, by_release,      by_callback};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    for (int order = 0; order < 2; order++) {
      gathered g = {gathering_queue(order ? OUT_OF_ORDER : IN_ORDER), gathering_queue(IN_ORDER),
                    new_buffer(64, NULL), NULL, new_user_event()};
      const unsigned long before = executions();
      fill_buffer(g.queue, g.buffer, 9, NULL, &g.event);
      assert_int_equal(executions(), before);
      ways[i](&g);
      for (int k = 0; k < 5000 && executions() == before; k++)
        usleep(1000);
      assert_true(executions() > before);
      must(piEventsWait(1, &g.event));
      expect_filled(g.buffer, 9);
      must(piEventRelease(g.event));
      must(piEventRelease(g.gate));
      must(piMemRelease(g.buffer));
      must(piQueueRelease(g.queue));
      must(piQueueRelease(g.other));
    }
}

/* If nothing waits for a batch, it is executed when full, and its list is used again. */
WORLD_TEST(full_batches_are_executed) {
  const pi_queue queue = gathering_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(10000, NULL);
  const char byte = 1;
  const unsigned long before = executions();
  for (size_t i = 0; i < 10000; i++)
    must(piEnqueueMemBufferFill(queue, buffer, &byte, 1, i, 1, 0, NULL, NULL));
  const unsigned long full = executions() - before;
  must(piQueueFinish(queue));
  expect_filled(buffer, 1);
  const size_t lists = fake_ze_live(FAKE_LIST);
  assert_true(full >= 9);
  assert_true(full < 1000);
  for (int round = 0; round < 200; round++) {
    fill_buffer(queue, buffer, (unsigned char)round, NULL, NULL);
    must(piQueueFinish(queue));
  }
  assert_true(fake_ze_live(FAKE_LIST) <= lists + 4);
  expect_filled(buffer, 199);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* The driver refuses a batch: its commands have failed, so that no wait for them is endless. */
WORLD_TEST(a_refused_batch_has_failed) {
  static const char *const calls[] = {"zeCommandListClose", "zeCommandQueueExecuteCommandLists"};
  for (size_t i = 0; i < 2; i++) {
    const pi_queue queue = gathering_queue(OUT_OF_ORDER);
    const pi_mem buffer = new_buffer(64, NULL);
    pi_event events[2] = {NULL};
    fill_buffer(queue, buffer, 1, NULL, &events[0]);
    fill_buffer(queue, buffer, 2, events[0], &events[1]);
    fake_ze_fail(calls[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES, piQueueFlush(queue));
    assert_string_equal(fake_ze_unfail(), calls[i]);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(status_of(events[k]), PI_ERROR_OUT_OF_RESOURCES);
      fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &events[k]));
      must(piEventRelease(events[k]));
    }
    fill_buffer(queue, buffer, 3, NULL, NULL);
    must(piQueueFinish(queue));
    expect_filled(buffer, 3);
    must(piMemRelease(buffer));
    must(piQueueRelease(queue));
  }
}

WORLD_TEST(compute_engines_are_chosen) {
  pi_queue queue = NULL;
  const pi_mem buffer = new_buffer(64, NULL);
  for (uint32_t index = 0; index < w.device->driver.compute_queues; index++) {
    pi_queue_properties list[] = {PI_QUEUE_FLAGS, 0, PI_QUEUE_COMPUTE_INDEX, index, 0};
    must(create(list, &queue));
    assert_int_equal(queue->driver.lanes[QUEUE_COMPUTE].index, index);
    assert_true(queue->driver.lanes[QUEUE_COMPUTE].is_explicit);
    must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
    fill_buffer(queue, buffer, 6, NULL, NULL);
    must(piQueueFinish(queue));
    must(piQueueRelease(queue));
  }
  bool seen[64] = {false};
  for (uint32_t i = 0; i < w.device->driver.compute_queues; i++) {
    queue = new_queue(OUT_OF_ORDER);
    seen[queue->driver.lanes[QUEUE_COMPUTE].index] = true;
    must(piQueueRelease(queue));
  }
  for (uint32_t i = 0; i < w.device->driver.compute_queues; i++)
    assert_true(seen[i]);
  must(piMemRelease(buffer));
}

static __typeof__(ze.CommandListCreateImmediate) create_list;
static __typeof__(ze.CommandQueueCreate) create_queue;
static ze_command_queue_priority_t asked;

static ze_result_t note_list(ze_context_handle_t context, ze_device_handle_t device,
                             const ze_command_queue_desc_t *desc, ze_command_list_handle_t *list) {
  asked = desc->priority;
  return create_list(context, device, desc, list);
}

static ze_result_t note_queue(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_command_queue_desc_t *desc,
                              ze_command_queue_handle_t *queue) {
  asked = desc->priority;
  return create_queue(context, device, desc, queue);
}

WORLD_TEST(priorities_reach_the_driver) {
  static const struct {
    pi_queue_properties flags;
    ze_command_queue_priority_t priority;
  } cases[] = {
      {0, ZE_COMMAND_QUEUE_PRIORITY_NORMAL},
      {PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW},
      {PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH},
  };
  create_list = ze.CommandListCreateImmediate;
  create_queue = ze.CommandQueueCreate;
  ze.CommandListCreateImmediate = note_list;
  ze.CommandQueueCreate = note_queue;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    asked = (ze_command_queue_priority_t)99;
    must(piQueueRelease(new_queue(cases[i].flags)));
    assert_int_equal(asked, cases[i].priority);
  }
  ze.CommandListCreateImmediate = create_list;
  ze.CommandQueueCreate = create_queue;
}

/* The queue gathers commands if the driver has no immediate lists. */
WORLD_TEST(immediate_lists_may_be_missing) {
  const pi_mem buffer = new_buffer(64, NULL);
  fake_ze_fail("zeCommandListCreateImmediate", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  const pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE | OUT_OF_ORDER);
  assert_non_null(fake_ze_unfail());
  assert_non_null(queue->driver.lanes[QUEUE_COMPUTE].queue);
  fill_buffer(queue, buffer, 8, NULL, NULL);
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
  must(piQueueFinish(queue));
  expect_filled(buffer, 8);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

WORLD_TEST(a_refused_queue_leaves_nothing) {
  const size_t before = fake_ze_live_all();
  static const struct {
    pi_queue_properties flags;
    const char *call;
  } cases[] = {
      {PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE, "zeCommandListCreateImmediate"},
      {PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE, "zeCommandQueueCreate"},
  };
  for (size_t i = 0; i < 2; i++) {
    pi_queue queue = NULL;
    fake_ze_fail(cases[i].call, 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    fails(PI_ERROR_OUT_OF_HOST_MEMORY, piQueueCreate(w.context, w.device, cases[i].flags, &queue));
    assert_null(queue);
    assert_int_equal(fake_ze_live_all(), before);
  }
}

static pi_result from_native(pi_native_handle native, int32_t desc, bool owned,
                             pi_queue_properties flags, pi_queue *queue) {
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, flags, 0};
  return piextQueueCreateWithNativeHandle(native, desc, w.context, NULL, owned, list, queue);
}

static pi_native_handle make_native(int32_t desc) {
  const ze_command_queue_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = w.device->driver.compute_group,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  };
  ze_command_queue_handle_t queue = NULL;
  ze_command_list_handle_t list = NULL;
  if (desc == 0)
    driver(ze.CommandQueueCreate(w.context->driver.context, w.device->driver.device, &description,
                                 &queue));
  else
    driver(ze.CommandListCreateImmediate(w.context->driver.context, w.device->driver.device,
                                         &description, &list));
  return desc == 0 ? (pi_native_handle)queue : (pi_native_handle)list;
}

static void destroy_native(pi_native_handle native, int32_t desc) {
  if (desc == 0)
    driver(ze.CommandQueueDestroy((ze_command_queue_handle_t)native));
  else
    driver(ze.CommandListDestroy((ze_command_list_handle_t)native));
}

WORLD_TEST(native_objects_are_used) {
  const pi_mem buffer = new_buffer(64, NULL);
  for (int i = 0; i < 8; i++) {
    const int32_t desc = i % 2;
    const bool owned = i / 2 % 2;
    const pi_queue_properties flags = i / 4 ? OUT_OF_ORDER : IN_ORDER;
    const pi_native_handle native = make_native(desc);
    const char *end = desc == 0 ? "zeCommandQueueDestroy" : "zeCommandListDestroy";
    pi_native_handle back = 0;
    int32_t back_desc = -1;
    pi_queue queue = NULL;
    must(from_native(native, desc, owned, flags, &queue));
    must(piextQueueGetNativeHandle(queue, &back, &back_desc));
    assert_true(back == native);
    assert_int_equal(back_desc, desc);
    fill_buffer(queue, buffer, (unsigned char)i, NULL, NULL);
    must(piQueueFinish(queue));
    assert_true(is_empty(queue));
    expect_filled(buffer, (unsigned char)i);
    const unsigned long before = fake_ze_calls(end);
    must(piQueueRelease(queue));
    assert_int_equal(fake_ze_calls(end), before + owned);
    if (!owned)
      destroy_native(native, desc);
  }
  must(piMemRelease(buffer));
}

/* A list or queue of the plugin stays its queue's, whoever claims it; both put commands there. */
WORLD_TEST(an_object_of_ours_has_one_owner) {
  const pi_mem buffer = new_buffer(64, NULL);
  for (int i = 0; i < 4; i++) {
    const bool owned = i % 2;
    const pi_queue first = new_queue(i / 2 ? PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE
                                           : PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
    pi_native_handle native = 0;
    int32_t desc = -1;
    pi_queue second = NULL;
    must(piextQueueGetNativeHandle(first, &native, &desc));
    assert_int_equal(desc, i / 2);
    if (owned)
      must(piQueueRetain(first));
    must(from_native(native, desc, owned, 0, &second));
    assert_int_equal(references_of(first), 2);
    fill_buffer(first, buffer, 1, NULL, NULL);
    must(piQueueFinish(first));
    fill_buffer(second, buffer, 2, NULL, NULL);
    must(piQueueFinish(second));
    expect_filled(buffer, 2);
    must(piQueueRelease(second));
    assert_int_equal(references_of(first), 1);
    fill_buffer(first, buffer, 3, NULL, NULL);
    must(piQueueFinish(first));
    expect_filled(buffer, 3);
    must(piQueueRelease(first));
  }
  must(piMemRelease(buffer));
}

/* The application's commands in the list are in the queue's order, and part of its finish. */
WORLD_TEST(native_commands_keep_the_order) {
  const pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE);
  const pi_mem buffer = new_buffer(1 << 16, NULL);
  pi_native_handle native = 0;
  must(piextQueueGetNativeHandle(queue, &native, NULL));
  const ze_command_list_handle_t list = (ze_command_list_handle_t)native;
  for (unsigned char i = 0; i < 50; i++) {
    driver(ze.CommandListAppendMemoryFill(list, buffer->pointer, &i, 1, 1 << 16, NULL, 0, NULL));
    must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
    must(piQueueFinish(queue));
    expect_filled(buffer, i);
  }
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

WORLD_TEST(native_handles_are_checked) {
  pi_native_handle native = 0;
  int32_t desc = 0;
  pi_queue queue = NULL;
  must(piextQueueGetNativeHandle(w.queue, &native, &desc));
  assert_int_equal(desc, is_batching() ? 0 : 1);
  fails(PI_ERROR_INVALID_QUEUE, from_native(0, desc, false, 0, &queue));
  fails(PI_ERROR_INVALID_VALUE, from_native(native, 7, false, 0, &queue));
  fails(PI_ERROR_INVALID_VALUE, from_native(native, desc, false, UINT64_C(1) << 40, &queue));
  fails(PI_ERROR_INVALID_CONTEXT,
        piextQueueCreateWithNativeHandle(native, desc, NULL, NULL, false, NULL, &queue));
  const pi_context context = context_of_all();
  fails(PI_ERROR_INVALID_DEVICE,
        piextQueueCreateWithNativeHandle(native, desc, context, NULL, false, NULL, &queue));
  must(piContextRelease(context));
  assert_null(queue);
}

/* The latest command's end shows that of all before it: the driver is not asked for each. */
WORLD_TEST(order_spares_questions) {
  enum { COUNT = 320 };
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  fake_ze_reset();
  for (int i = 0; i < COUNT; i++) {
    fill_buffer(queue, buffer, (unsigned char)i, NULL, NULL);
    if (i % 8 == 7)
      must(piQueueFinish(queue));
  }
  assert_true(fake_ze_calls("zeEventQueryStatus") <= COUNT / 4);
  /* The most commands that are pending at once, so that their number does not grow. */
  const pi_event gate = new_user_event();
  must(piEnqueueEventsWait(queue, 1, &gate, NULL));
  fake_ze_reset();
  for (int i = 0; i < COUNT; i++)
    fill_buffer(queue, buffer, (unsigned char)i, NULL, NULL);
  assert_true(fake_ze_calls("zeEventQueryStatus") <= COUNT / 4);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(gate));
  must(piQueueFinish(queue));
  pi_bool is_empty = PI_FALSE;
  must(piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, sizeof is_empty, &is_empty, NULL));
  assert_true(is_empty);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}
