/* UR's entries for events. */
#include "../plugins/objects/event.h"

#include "../plugins/objects/callback.h"
#include "../plugins/objects/context.h"
#include "../plugins/objects/queue.h"
#include "handles.h"
#include "reply.h"

#include <stdlib.h>

/* UR's number for an event's state. Only that of a failure differs from PI's. */
static uint32_t status_number(pi_int32 status) {
  return status < PI_EVENT_COMPLETE ? UR_EVENT_STATUS_ERROR : (uint32_t)status;
}

/* An event's type is UR's number already, see sinks.h. */
ur_result_t urEventGetInfo(ur_event_handle_t hEvent, ur_event_info_t propName, size_t propSize,
                           void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_EVENT(hEvent);
  UR_PASS(reply_check(&answer));
  const pi_event event = event_of(hEvent);
  switch ((int)propName) {
  case UR_EVENT_INFO_COMMAND_QUEUE:
    return reply_handle(&answer, event->queue);
  case UR_EVENT_INFO_CONTEXT:
    return reply_handle(&answer, event->context);
  case UR_EVENT_INFO_COMMAND_TYPE:
    return reply_uint32(&answer, (uint32_t)event->type);
  case UR_EVENT_INFO_COMMAND_EXECUTION_STATUS:
    return reply_uint32(&answer, status_number(event_status(event)));
  case UR_EVENT_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&event->handle));
  }
  return reply_unknown("ur_event_info_t", propName);
}

/* Reads one of an event's times. UR's moments have the same order as PI's. */
static ur_result_t read_time(pi_event event, pi_profiling_info moment, pi_uint64 *ret) {
  if (event_status(event) > PI_EVENT_COMPLETE && event_host_time(event, moment, ret))
    return UR_RESULT_SUCCESS;
  UR_TRY(event_answer_time(event, &(info_answer){sizeof *ret, ret, NULL}, moment));
  return UR_RESULT_SUCCESS;
}

/* Commands here start no commands of their own, so "complete" is the time of "end". */
ur_result_t urEventGetProfilingInfo(ur_event_handle_t hEvent, ur_profiling_info_t propName,
                                    size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_EVENT(hEvent);
  if (propName > UR_PROFILING_INFO_COMMAND_COMPLETE)
    return reply_unknown("ur_profiling_info_t", propName);
  unsigned moment =
      propName == UR_PROFILING_INFO_COMMAND_COMPLETE ? UR_PROFILING_INFO_COMMAND_END : propName;
  /* A timestamp command has two times: one of the host and one of the device. */
  if ((unsigned)event_of(hEvent)->type == UR_COMMAND_TIMESTAMP_RECORDING_EXP)
    moment = moment < UR_PROFILING_INFO_COMMAND_START ? UR_PROFILING_INFO_COMMAND_SUBMIT
                                                      : UR_PROFILING_INFO_COMMAND_END;
  pi_uint64 time;
  UR_PASS(read_time(event_of(hEvent),
                    (pi_profiling_info)(PI_PROFILING_INFO_COMMAND_QUEUED + moment), &time));
  UR_PASS(reply_check(&answer));
  return reply_uint64(&answer, time);
}

ur_result_t urEventWait(uint32_t numEvents, const ur_event_handle_t *phEventWaitList) {
  UR_REQUIRE_POINTER(phEventWaitList);
  UR_REQUIRE(numEvents != 0, UR_RESULT_ERROR_INVALID_VALUE, "numEvents is 0");
  for (uint32_t i = 0; i < numEvents; i++)
    UR_REQUIRE_EVENT(phEventWaitList[i]);
  return face_result(events_wait(numEvents, events_of(phEventWaitList)));
}

ur_result_t urEventRetain(ur_event_handle_t hEvent) {
  UR_REQUIRE_EVENT(hEvent);
  event_retain(event_of(hEvent));
  return UR_RESULT_SUCCESS;
}

ur_result_t urEventRelease(ur_event_handle_t hEvent) {
  UR_REQUIRE_EVENT(hEvent);
  event_release(event_of(hEvent));
  return UR_RESULT_SUCCESS;
}

ur_result_t urEventGetNativeHandle(ur_event_handle_t hEvent, ur_native_handle_t *phNativeEvent) {
  UR_REQUIRE_EVENT(hEvent);
  UR_REQUIRE_POINTER(phNativeEvent);
  return face_result(event_native(event_of(hEvent), phNativeEvent));
}

/*
 * With the native handle 0 runtimes ask for an event that is complete and has no command, to have
 * an event to wait for.
 */
ur_result_t urEventCreateWithNativeHandle(ur_native_handle_t hNativeEvent,
                                          ur_context_handle_t hContext,
                                          const ur_event_native_properties_t *pProperties,
                                          ur_event_handle_t *phEvent) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phEvent);
  const bool is_owned = pProperties && pProperties->isNativeHandleOwned;
  pi_event made;
  UR_TRY(hNativeEvent ? event_adopt(context_of(hContext), hNativeEvent, is_owned, &made)
                      : event_create_complete(context_of(hContext), &made));
  /*
   * An event with a queue is one of ours. UR has no type for an event without a command; "wait"
   * fits best.
   */
  if (!made->queue)
    made->type = (pi_command_type)UR_COMMAND_EVENTS_WAIT;
  *phEvent = event_handle(made);
  return UR_RESULT_SUCCESS;
}

/* ---- Callbacks ---- */

/* A callback, and the state that it waits for. UR does not report failures to callbacks. */
typedef struct notification {
  ur_event_callback_t function;
  ur_execution_info_t state;
  void *user_data;
} notification;

static void notify_and_free(pi_event event, pi_int32 status, void *user_data) {
  (void)status;
  const notification due = *(notification *)user_data;
  free(user_data);
  due.function(event_handle(event), due.state, due.user_data);
}

ur_result_t urEventSetCallback(ur_event_handle_t hEvent, ur_execution_info_t execStatus,
                               ur_event_callback_t pfnNotify, void *pUserData) {
  UR_REQUIRE_EVENT(hEvent);
  UR_REQUIRE_POINTER(pfnNotify);
  UR_REQUIRE(execStatus <= UR_EXECUTION_INFO_QUEUED, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "execStatus is %u", execStatus);
  notification *made = malloc(sizeof *made);
  UR_REQUIRE(made, UR_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for a callback");
  *made = (notification){pfnNotify, execStatus, pUserData};
  /* Every event is at least submitted. */
  const pi_int32 state =
      execStatus == UR_EXECUTION_INFO_QUEUED ? PI_EVENT_SUBMITTED : (pi_int32)execStatus;
  const pi_result result = callback_add(event_of(hEvent), state, notify_and_free, made);
  if (result != PI_SUCCESS)
    free(made);
  return face_result(result);
}
