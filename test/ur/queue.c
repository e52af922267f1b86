/* Contexts, queues, events, and the commands of a queue other than copies. */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include <stdatomic.h>
#include <time.h>

static ur_device_handle_t device;
static ur_context_handle_t context;

static ur_queue_handle_t make_queue(ur_queue_flags_t flags) {
  const ur_queue_properties_t properties = {UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, NULL, flags};
  ur_queue_handle_t queue = NULL;
  assert_ok(UR(urQueueCreate)(context, device, flags ? &properties : NULL, &queue));
  return queue;
}

/* Enqueues a command that does nothing, and returns its event. */
static ur_event_handle_t make_event(ur_queue_handle_t queue) {
  ur_event_handle_t event = NULL;
  assert_ok(UR(urEnqueueEventsWait)(queue, 0, NULL, &event));
  return event;
}

/* ---- Contexts ---- */

static atomic_int deleted;

static void note_deletion(void *user_data) {
  atomic_fetch_add((atomic_int *)user_data, 1);
}

TEST(contexts_answer_queries) {
  ur_context_handle_t made = world_context(1);
  uint32_t number = 0;
  assert_answer(urContextGetInfo, made, UR_CONTEXT_INFO_NUM_DEVICES, uint32_t, 1);
  ur_device_handle_t devices[2] = {NULL};
  size_t size = 0;
  assert_ok(UR(urContextGetInfo)(made, UR_CONTEXT_INFO_DEVICES, sizeof devices, devices, &size));
  assert_int_equal(size, sizeof devices[0]);
  assert_ptr_equal(devices[0], device);
  assert_answer(urContextGetInfo, made, UR_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, uint8_t, 1);
  assert_answer(urContextGetInfo, made, UR_CONTEXT_INFO_USM_FILL2D_SUPPORT, uint8_t, 0);
  assert_ok(UR(urContextGetInfo)(made, UR_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, 4, &number,
                                 &size));
  assert_int_equal(size, 4);
  assert_refused(UR(urContextGetInfo)(made, (ur_context_info_t)77, 4, &number, NULL),
                 UNSUPPORTED_ENUMERATION, "0x4d");
  assert_ok(UR(urContextRetain)(made));
  assert_answer(urContextGetInfo, made, UR_CONTEXT_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_ok(UR(urContextSetExtendedDeleter)(made, note_deletion, &deleted));
  ur_native_handle_t native = 0;
  assert_ok(UR(urContextGetNativeHandle)(made, &native));
  ur_context_handle_t again = NULL;
  assert_ok(UR(urContextCreateWithNativeHandle)(native, world_adapter, 1, devices, NULL, &again));
  assert_ptr_equal(again, made);
  assert_ok(UR(urContextRelease)(made));
  assert_ok(UR(urContextRelease)(made));
  assert_int_equal(deleted, 0);
  assert_ok(UR(urContextRelease)(made));
  assert_int_equal(deleted, 1);
}

TEST(wrong_contexts_are_refused) {
  ur_context_handle_t made = NULL;
  ur_device_handle_t devices[2] = {device, NULL};
  ur_context_properties_t properties = {UR_STRUCTURE_TYPE_CONTEXT_PROPERTIES, NULL, 2};
  assert_refused(UR(urContextCreate)(0, devices, NULL, &made), INVALID_SIZE, "DeviceCount");
  assert_refused(UR(urContextCreate)(2, devices, NULL, &made), INVALID_NULL_HANDLE, "phDevices[1]");
  assert_refused(UR(urContextCreate)(1, devices, &properties, &made), INVALID_ENUMERATION, "0x2");
  devices[0] = (ur_device_handle_t)(void *)context;
  assert_refused(UR(urContextCreate)(1, devices, NULL, &made), INVALID_DEVICE, "live");
  assert_refused(UR(urContextCreateWithNativeHandle)(0, world_adapter, 0, NULL, NULL, &made),
                 INVALID_NULL_HANDLE, "hNativeContext");
  assert_refused(UR(urContextCreateWithNativeHandle)(1, world_adapter, 1, NULL, NULL, &made),
                 INVALID_NULL_POINTER, "phDevices");
  assert_null(made);
}

/* ---- Queues ---- */

TEST(queues_answer_queries) {
  const ur_queue_flags_t flags =
      UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | UR_QUEUE_FLAG_PROFILING_ENABLE;
  ur_queue_handle_t queue = make_queue(flags | UR_QUEUE_FLAG_LOW_POWER_EVENTS_SUPPORT_EXP);
  uint32_t number = 0;
  assert_answer(urQueueGetInfo, queue, UR_QUEUE_INFO_CONTEXT, void *, context);
  assert_answer(urQueueGetInfo, queue, UR_QUEUE_INFO_DEVICE, void *, device);
  assert_answer(urQueueGetInfo, queue, UR_QUEUE_INFO_FLAGS, uint32_t, flags);
  assert_answer(urQueueGetInfo, queue, UR_QUEUE_INFO_EMPTY, uint8_t, 1);
  assert_refused(UR(urQueueGetInfo)(queue, UR_QUEUE_INFO_SIZE, 4, &number, NULL), INVALID_QUEUE,
                 "device");
  assert_refused(UR(urQueueGetInfo)(queue, (ur_queue_info_t)55, 4, &number, NULL),
                 UNSUPPORTED_ENUMERATION, "0x37");
  assert_ok(UR(urQueueFlush)(queue));
  assert_ok(UR(urQueueFinish)(queue));
  assert_ok(UR(urQueueRetain)(queue));
  assert_answer(urQueueGetInfo, queue, UR_QUEUE_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_ok(UR(urQueueRelease)(queue));
  assert_ok(UR(urQueueRelease)(queue));
}

TEST(wrong_queues_are_refused) {
  ur_queue_handle_t queue = NULL;
  ur_queue_index_properties_t index = {UR_STRUCTURE_TYPE_QUEUE_INDEX_PROPERTIES, NULL, 0};
  ur_queue_properties_t properties = {UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, &index, 0};
  assert_ok(UR(urQueueCreate)(context, device, &properties, &queue));
  assert_ok(UR(urQueueRelease)(queue));
  queue = NULL;
  index.computeIndex = 9;
  assert_refused(UR(urQueueCreate)(context, device, &properties, &queue), INVALID_VALUE, "9");
  properties.pNext = NULL;
  properties.flags = UR_QUEUE_FLAG_PRIORITY_LOW | UR_QUEUE_FLAG_PRIORITY_HIGH;
  assert_refused(UR(urQueueCreate)(context, device, &properties, &queue), INVALID_QUEUE_PROPERTIES,
                 "priority");
  properties.flags = UR_QUEUE_FLAG_USE_DEFAULT_STREAM;
  assert_refused(UR(urQueueCreate)(context, device, &properties, &queue), INVALID_QUEUE_PROPERTIES,
                 "default stream");
  properties.flags = 1u << 20;
  assert_refused(UR(urQueueCreate)(context, device, &properties, &queue), INVALID_ENUMERATION,
                 "0x100000");
  assert_refused(UR(urQueueCreate)(context, world_device(1), NULL, &queue), INVALID_DEVICE,
                 "context");
  assert_refused(UR(urQueueCreateWithNativeHandle)(0, context, device, NULL, &queue),
                 INVALID_NULL_HANDLE, "hNativeQueue");
  assert_null(queue);
}

/* A queue created from another queue's native handle uses the same stream and keeps it alive. */
TEST(a_native_handle_is_its_queue) {
  ur_queue_handle_t queue = make_queue(0), again = NULL;
  int32_t kind = 77;
  ur_queue_native_desc_t desc = {UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC, NULL, &kind};
  ur_native_handle_t native = 0, same = 0;
  assert_ok(UR(urQueueGetNativeHandle)(queue, &desc, &native));
  assert_int_not_equal(kind, 77);
  const ur_queue_native_properties_t properties = {UR_STRUCTURE_TYPE_QUEUE_NATIVE_PROPERTIES, &desc,
                                                   false};
  assert_ok(UR(urQueueCreateWithNativeHandle)(native, context, NULL, &properties, &again));
  assert_ok(UR(urQueueRelease)(queue));
  assert_ok(UR(urQueueGetNativeHandle)(again, NULL, &same));
  assert_int_equal(same, native);
  const ur_event_handle_t event = make_event(again);
  assert_ok(UR(urEventWait)(1, &event));
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urQueueRelease)(again));
}

/* ---- Events ---- */

static uint32_t ask_event(ur_event_handle_t event, ur_event_info_t query) {
  uint32_t answer = 0;
  assert_ok(UR(urEventGetInfo)(event, query, sizeof answer, &answer, NULL));
  return answer;
}

TEST(events_answer_queries) {
  ur_queue_handle_t queue = make_queue(0);
  ur_event_handle_t event = make_event(queue), barrier = NULL;
  assert_ok(UR(urEnqueueEventsWaitWithBarrier)(queue, 1, &event, &barrier));
  const ur_event_handle_t both[] = {event, barrier};
  assert_ok(UR(urEventWait)(2, both));
  assert_int_equal(ask_event(event, UR_EVENT_INFO_COMMAND_TYPE), UR_COMMAND_EVENTS_WAIT);
  assert_int_equal(ask_event(barrier, UR_EVENT_INFO_COMMAND_TYPE),
                   UR_COMMAND_EVENTS_WAIT_WITH_BARRIER);
  assert_int_equal(ask_event(event, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS),
                   UR_EVENT_STATUS_COMPLETE);
  assert_answer(urEventGetInfo, event, UR_EVENT_INFO_COMMAND_QUEUE, void *, queue);
  assert_answer(urEventGetInfo, event, UR_EVENT_INFO_CONTEXT, void *, context);
  assert_ok(UR(urEventRetain)(event));
  assert_int_equal(ask_event(event, UR_EVENT_INFO_REFERENCE_COUNT), 2);
  assert_ok(UR(urEventRelease)(event));
  uint64_t time = 0;
  assert_refused(
      UR(urEventGetProfilingInfo)(event, UR_PROFILING_INFO_COMMAND_START, 8, &time, NULL),
      PROFILING_INFO_NOT_AVAILABLE, "profiling");
  uint32_t answer = 0;
  assert_refused(UR(urEventGetInfo)(event, (ur_event_info_t)88, 4, &answer, NULL),
                 UNSUPPORTED_ENUMERATION, "0x58");
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urEventRelease)(barrier));
  assert_ok(UR(urQueueRelease)(queue));
}

TEST(wrong_events_are_refused) {
  ur_queue_handle_t queue = make_queue(0);
  ur_event_handle_t event = (ur_event_handle_t)(void *)queue, made = NULL;
  assert_refused(UR(urEventWait)(0, &event), INVALID_VALUE, "numEvents");
  assert_refused(UR(urEventWait)(1, NULL), INVALID_NULL_POINTER, "phEventWaitList");
  assert_refused(UR(urEventWait)(1, &event), INVALID_EVENT, "live");
  assert_refused(UR(urEnqueueEventsWait)(queue, 1, &event, &made), INVALID_EVENT_WAIT_LIST, "live");
  assert_refused(UR(urEnqueueEventsWait)(queue, 1, NULL, &made), INVALID_EVENT_WAIT_LIST, "NULL");
  assert_refused(UR(urEnqueueEventsWaitWithBarrier)(queue, 0, &event, &made),
                 INVALID_EVENT_WAIT_LIST, "0");
  assert_ok(UR(urEventCreateWithNativeHandle)(0, context, NULL, &made));
  assert_int_equal(ask_event(made, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS),
                   UR_EVENT_STATUS_COMPLETE);
  assert_ok(UR(urEnqueueEventsWait)(queue, 1, &made, NULL));
  assert_ok(UR(urEventRelease)(made));
  made = NULL;
  if (HAS(urEnqueueEventsWaitWithBarrierExt)) {
    const ur_exp_enqueue_ext_properties_t properties = {
        UR_STRUCTURE_TYPE_EXP_ENQUEUE_EXT_PROPERTIES, NULL, 1};
    assert_refused(UR(urEnqueueEventsWaitWithBarrierExt)(queue, &properties, 0, NULL, &made),
                   INVALID_ENUMERATION, "0x1");
    assert_ok(UR(urEnqueueEventsWaitWithBarrierExt)(queue, NULL, 0, NULL, &made));
    assert_ok(UR(urEventWait)(1, &made));
    assert_ok(UR(urEventRelease)(made));
    made = NULL;
  }
  assert_null(made);
  assert_ok(UR(urQueueRelease)(queue));
}

TEST(a_native_handle_is_its_event) {
  ur_queue_handle_t queue = make_queue(0);
  ur_event_handle_t event = make_event(queue), again = NULL;
  ur_native_handle_t native = 0;
  assert_ok(UR(urEventGetNativeHandle)(event, &native));
  assert_ok(UR(urEventCreateWithNativeHandle)(native, context, NULL, &again));
  assert_ok(UR(urEventWait)(1, &again));
  assert_int_equal(ask_event(again, UR_EVENT_INFO_COMMAND_TYPE), UR_COMMAND_EVENTS_WAIT);
  assert_ok(UR(urEventRelease)(again));
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urQueueRelease)(queue));
}

static atomic_int called[4];

static void note_call(ur_event_handle_t event, ur_execution_info_t status, void *user_data) {
  (void)event;
  (void)user_data;
  atomic_fetch_add(&called[status], 1);
}

TEST(callbacks_are_called_once) {
  ur_queue_handle_t queue = make_queue(0);
  ur_event_handle_t event = make_event(queue);
  assert_ok(UR(urEventSetCallback)(event, UR_EXECUTION_INFO_COMPLETE, note_call, NULL));
  assert_ok(UR(urEventSetCallback)(event, UR_EXECUTION_INFO_QUEUED, note_call, NULL));
  assert_refused(UR(urEventSetCallback)(event, (ur_execution_info_t)9, note_call, NULL),
                 INVALID_ENUMERATION, "9");
  assert_refused(UR(urEventSetCallback)(event, UR_EXECUTION_INFO_COMPLETE, NULL, NULL),
                 INVALID_NULL_POINTER, "pfnNotify");
  const struct timespec moment = {0, 1000000};
  while (called[UR_EXECUTION_INFO_COMPLETE] + called[UR_EXECUTION_INFO_QUEUED] < 2)
    nanosleep(&moment, NULL);
  assert_int_equal(called[UR_EXECUTION_INFO_COMPLETE], 1);
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urQueueRelease)(queue));
}

/* ---- Times, and the application's own work ---- */

static uint64_t time_of(ur_event_handle_t event, ur_profiling_info_t moment) {
  uint64_t time = 0;
  assert_ok(UR(urEventGetProfilingInfo)(event, moment, sizeof time, &time, NULL));
  return time;
}

TEST(times_are_in_order) {
  ur_queue_handle_t queue = make_queue(UR_QUEUE_FLAG_PROFILING_ENABLE);
  ur_event_handle_t event = make_event(queue);
  assert_ok(UR(urEventWait)(1, &event));
  const uint64_t queued = time_of(event, UR_PROFILING_INFO_COMMAND_QUEUED);
  const uint64_t submitted = time_of(event, UR_PROFILING_INFO_COMMAND_SUBMIT);
  const uint64_t start = time_of(event, UR_PROFILING_INFO_COMMAND_START);
  const uint64_t end = time_of(event, UR_PROFILING_INFO_COMMAND_END);
  assert_true(queued && queued <= submitted && submitted <= start && start <= end);
  assert_int_equal(time_of(event, UR_PROFILING_INFO_COMMAND_COMPLETE), end);
  assert_refused(UR(urEventGetProfilingInfo)(event, (ur_profiling_info_t)5, 0, NULL, &(size_t){0}),
                 UNSUPPORTED_ENUMERATION, "0x5");
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urQueueRelease)(queue));
}

/* Even if a queue without profiling reuses events, each timestamp is the event's own. */
TEST(each_event_has_its_own_timestamp) {
  for (int i = 0; i < 2; i++) {
    ur_queue_handle_t queue = make_queue(i ? UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    uint64_t latest = 0;
    for (int round = 0; round < 3; round++) {
      ur_event_handle_t plain = make_event(queue), recorded = NULL;
      assert_ok(UR(urEnqueueTimestampRecordingExp)(queue, round == 0, 1, &plain, &recorded));
      assert_ok(UR(urEventWait)(1, &recorded));
      assert_int_equal(ask_event(recorded, UR_EVENT_INFO_COMMAND_TYPE),
                       UR_COMMAND_TIMESTAMP_RECORDING_EXP);
      const uint64_t end = time_of(recorded, UR_PROFILING_INFO_COMMAND_END);
      assert_int_equal(time_of(recorded, UR_PROFILING_INFO_COMMAND_START), end);
      assert_int_equal(time_of(recorded, UR_PROFILING_INFO_COMMAND_QUEUED),
                       time_of(recorded, UR_PROFILING_INFO_COMMAND_SUBMIT));
      assert_true(end >= latest && end > 0);
      latest = end;
      uint64_t time = 0;
      assert_int_equal(
          UR(urEventGetProfilingInfo)(plain, UR_PROFILING_INFO_COMMAND_END, 8, &time, NULL),
          UR_RESULT_ERROR_PROFILING_INFO_NOT_AVAILABLE);
      assert_ok(UR(urEventRelease)(plain));
      assert_ok(UR(urEventRelease)(recorded));
    }
    assert_refused(UR(urEnqueueTimestampRecordingExp)(queue, false, 0, NULL, NULL),
                   INVALID_NULL_POINTER, "phEvent");
    assert_ok(UR(urQueueRelease)(queue));
  }
}

static void work_natively(ur_queue_handle_t queue, void *data) {
  ur_native_handle_t native = 0;
  assert_ok(UR(urQueueGetNativeHandle)(queue, NULL, &native));
  *(ur_native_handle_t *)data = native;
}

TEST(native_commands_keep_the_order) {
  for (int i = 0; i < 2; i++) {
    ur_queue_handle_t queue = make_queue(i ? UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    ur_event_handle_t before = make_event(queue), event = NULL;
    ur_native_handle_t native = 0;
    assert_ok(UR(urEnqueueNativeCommandExp)(queue, work_natively, &native, 0, NULL, NULL, 1,
                                            &before, &event));
    assert_int_not_equal(native, 0);
    assert_ok(UR(urEventWait)(1, &event));
    assert_int_equal(ask_event(event, UR_EVENT_INFO_COMMAND_TYPE), UR_COMMAND_ENQUEUE_NATIVE_EXP);
    ur_mem_handle_t memory = (ur_mem_handle_t)(void *)queue;
    native = 0;
    assert_refused(UR(urEnqueueNativeCommandExp)(queue, work_natively, &native, 1, &memory, NULL, 0,
                                                 NULL, NULL),
                   INVALID_MEM_OBJECT, "live");
    assert_refused(
        UR(urEnqueueNativeCommandExp)(queue, NULL, &native, 0, NULL, NULL, 0, NULL, NULL),
        INVALID_NULL_POINTER, "pfnNativeEnqueue");
    assert_int_equal(native, 0);
    assert_ok(UR(urEventRelease)(before));
    assert_ok(UR(urEventRelease)(event));
    assert_ok(UR(urQueueRelease)(queue));
  }
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  device = world_device(0);
  context = world_context(1);
  return tests_run(NULL, NULL);
}
