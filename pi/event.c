/* PI's entries for events. */
#include "../plugins/objects/event.h"

#include "../plugins/objects/callback.h"
#include "../plugins/objects/handle_checks.h"

pi_result piEventCreate(pi_context context, pi_event *ret_event) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_event);
  return event_create_user(context, ret_event);
}

pi_result piEventGetInfo(pi_event event, pi_event_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  TRY(answer_check(&answer));
  return event_answer(event, &answer, param_name);
}

pi_result piEventGetProfilingInfo(pi_event event, pi_profiling_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  TRY(answer_check(&answer));
  return event_answer_time(event, &answer, param_name);
}

pi_result piEventsWait(pi_uint32 num_events, const pi_event *event_list) {
  REQUIRE(num_events != 0, PI_ERROR_INVALID_VALUE, "num_events is 0");
  REQUIRE_POINTER(event_list);
  for (pi_uint32 i = 0; i < num_events; i++)
    REQUIRE(object_is((const object_head *)(const void *)event_list[i], OBJECT_EVENT),
            PI_ERROR_INVALID_EVENT, "event_list[%u] is %s", i,
            event_list[i] ? "not a live handle" : "NULL");
  return events_wait(num_events, event_list);
}

pi_result piEventSetCallback(pi_event event, pi_int32 command_exec_callback_type,
                             void (*pfn_notify)(pi_event event, pi_int32 event_command_status,
                                                void *user_data),
                             void *user_data) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(pfn_notify);
  return callback_add(event, command_exec_callback_type, pfn_notify, user_data);
}

pi_result piEventSetStatus(pi_event event, pi_int32 execution_status) {
  REQUIRE_EVENT(event);
  return event_set(event, execution_status);
}

pi_result piEventRetain(pi_event event) {
  REQUIRE_EVENT(event);
  event_retain(event);
  return PI_SUCCESS;
}

pi_result piEventRelease(pi_event event) {
  REQUIRE_EVENT(event);
  event_release(event);
  return PI_SUCCESS;
}

pi_result piextEventGetNativeHandle(pi_event event, pi_native_handle *native_handle) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(native_handle);
  return event_native(event, native_handle);
}

pi_result piextEventCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                           bool own_native_handle, pi_event *event) {
  REQUIRE(native_handle, PI_ERROR_INVALID_EVENT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(event);
  return event_adopt(context, native_handle, own_native_handle, event);
}
