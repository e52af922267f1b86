/*
 * UR's entries for markers, barriers, and work that the application submits to the driver itself.
 */
#include "checks.h"
#include "sinks.h"

ur_result_t urEnqueueEventsWait(ur_queue_handle_t hQueue, uint32_t numEventsInWaitList,
                                const ur_event_handle_t *phEventWaitList,
                                ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(EVENTS_WAIT, false);
  return face_result(marker_enqueue(&sink, numEventsInWaitList == 0));
}

ur_result_t urEnqueueEventsWaitWithBarrier(ur_queue_handle_t hQueue, uint32_t numEventsInWaitList,
                                           const ur_event_handle_t *phEventWaitList,
                                           ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(EVENTS_WAIT_WITH_BARRIER, false);
  return face_result(barrier_enqueue(&sink, numEventsInWaitList == 0));
}

/* The flag for events that use less power is a hint, and is ignored. */
ur_result_t urEnqueueEventsWaitWithBarrierExt(ur_queue_handle_t hQueue,
                                              const ur_exp_enqueue_ext_properties_t *pProperties,
                                              uint32_t numEventsInWaitList,
                                              const ur_event_handle_t *phEventWaitList,
                                              ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  if (pProperties)
    UR_REQUIRE_FLAGS(pProperties->flags, UR_EXP_ENQUEUE_EXT_FLAG_LOW_POWER_EVENTS_SUPPORT);
  return urEnqueueEventsWaitWithBarrier(hQueue, numEventsInWaitList, phEventWaitList, phEvent);
}

/*
 * Enqueues a marker whose event has times in any queue. In an out-of-order queue it waits for all
 * commands enqueued before, unless there is a wait list.
 */
ur_result_t urEnqueueTimestampRecordingExp(ur_queue_handle_t hQueue, bool blocking,
                                           uint32_t numEventsInWaitList,
                                           const ur_event_handle_t *phEventWaitList,
                                           ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(phEvent);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(TIMESTAMP_RECORDING_EXP, blocking);
  sink.has_times = true;
  return face_result(marker_enqueue(&sink, numEventsInWaitList == 0));
}

/*
 * Calls the application's function, which submits work to the queue's native handle, between two
 * barriers. No lock is held during the call, because the function asks UR for that handle.
 */
ur_result_t urEnqueueNativeCommandExp(
    ur_queue_handle_t hQueue, ur_exp_enqueue_native_command_function_t pfnNativeEnqueue, void *data,
    uint32_t numMemsInMemList, const ur_mem_handle_t *phMemList,
    const ur_exp_enqueue_native_command_properties_t *pProperties, uint32_t numEventsInWaitList,
    const ur_event_handle_t *phEventWaitList, ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pfnNativeEnqueue);
  UR_REQUIRE(numMemsInMemList == 0 || phMemList, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "phMemList is NULL and numMemsInMemList is %u", numMemsInMemList);
  for (uint32_t i = 0; i < numMemsInMemList; i++)
    UR_REQUIRE_MEM(phMemList[i]);
  if (pProperties)
    UR_REQUIRE_FLAGS(pProperties->flags, UR_EXP_ENQUEUE_NATIVE_COMMAND_FLAG_TBD);
  UR_REQUIRE_WAIT_LIST();
  UR_PASS(urEnqueueEventsWaitWithBarrier(hQueue, numEventsInWaitList, phEventWaitList, NULL));
  pfnNativeEnqueue(hQueue, data);
  numEventsInWaitList = 0;
  phEventWaitList = NULL;
  sink sink = SINK_OF_QUEUE(ENQUEUE_NATIVE_EXP, false);
  return face_result(barrier_enqueue(&sink, true));
}
