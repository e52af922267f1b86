/* Events. */
#include "checks.h"

#include <stdlib.h>

/* Creates a user event, which has the status PI_EVENT_SUBMITTED until piEventSetStatus. */
pi_result piEventCreate(pi_context context, pi_event *ret_event) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_event);
  cl_int code;
  const cl_event event = cl.CreateUserEvent(cl_from_context(context), &code);
  TRY(cl_result(code, "clCreateUserEvent"));
  *ret_event = pi_from_cl_event(event);
  return PI_SUCCESS;
}

pi_result piEventGetInfo(pi_event event, pi_event_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_EVENT_INFO_COMMAND_QUEUE:
  case PI_EVENT_INFO_CONTEXT: {
    void *handle;
    TRY(CL_GET(Event, cl_from_event(event), param_name, &handle));
    return answer_handle(&answer, handle);
  }
  case PI_EVENT_INFO_COMMAND_TYPE:
  case PI_EVENT_INFO_REFERENCE_COUNT:
  case PI_EVENT_INFO_COMMAND_EXECUTION_STATUS: {
    /* The status of a failed command is its negative error code, also in four bytes. */
    cl_uint value;
    TRY(CL_GET(Event, cl_from_event(event), param_name, &value));
    return answer_uint32(&answer, value);
  }
  }
  return answer_unknown("pi_event_info", param_name);
}

pi_result piEventGetProfilingInfo(pi_event event, pi_profiling_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_EVENT(event);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_PROFILING_INFO_COMMAND_QUEUED:
  case PI_PROFILING_INFO_COMMAND_SUBMIT:
  case PI_PROFILING_INFO_COMMAND_START:
  case PI_PROFILING_INFO_COMMAND_END: {
    cl_ulong nanoseconds;
    TRY(CL_GET(EventProfiling, cl_from_event(event), param_name, &nanoseconds));
    return answer_uint64(&answer, nanoseconds);
  }
  }
  return answer_unknown("pi_profiling_info", param_name);
}

pi_result piEventsWait(pi_uint32 num_events, const pi_event *event_list) {
  REQUIRE(num_events != 0, PI_ERROR_INVALID_VALUE, "num_events is 0");
  REQUIRE_POINTER(event_list);
  for (pi_uint32 i = 0; i < num_events; i++)
    REQUIRE(event_list[i], PI_ERROR_INVALID_EVENT, "event_list[%u] is NULL", i);
  return CL_CALL(WaitForEvents, num_events, cl_from_events(event_list));
}

/* A caller's function and its data, as the user_data of OpenCL's callback. */
typedef struct event_callback {
  void (*function)(pi_event event, pi_int32 event_command_status, void *user_data);
  void *user_data;
} event_callback;

/* Calls the caller's function and frees its record, because OpenCL calls each callback once. */
static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user_data) {
  const event_callback callback = *(event_callback *)user_data;
  free(user_data);
  callback.function(pi_from_cl_event(event), status, callback.user_data);
}

pi_result piEventSetCallback(pi_event event, pi_int32 command_exec_callback_type,
                             void (*pfn_notify)(pi_event event, pi_int32 event_command_status,
                                                void *user_data),
                             void *user_data) {
  REQUIRE_EVENT(event);
  REQUIRE_POINTER(pfn_notify);
  TRY(check_callback_type(command_exec_callback_type));
  event_callback *callback = malloc(sizeof *callback);
  REQUIRE_MEMORY(callback, "a callback of %zu bytes", sizeof *callback);
  *callback = (event_callback){pfn_notify, user_data};
  const pi_result result = CL_CALL(SetEventCallback, cl_from_event(event),
                                   command_exec_callback_type, call_back, callback);
  if (result != PI_SUCCESS)
    free(callback);
  return result;
}

pi_result piEventSetStatus(pi_event event, pi_int32 execution_status) {
  REQUIRE_EVENT(event);
  /* NVIDIA's driver would accept the event of a command. */
  cl_command_type type = 0;
  TRY(CL_GET(Event, cl_from_event(event), CL_EVENT_COMMAND_TYPE, &type));
  TRY(check_event_set(execution_status, type == CL_COMMAND_USER));
  return CL_CALL(SetUserEventStatus, cl_from_event(event), execution_status);
}

/*
 * The new handle has one reference: the caller's if plugin_owns_native_handle, else a new one.
 */
pi_result piextEventCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                           bool own_native_handle, pi_event *event) {
  (void)context;
  REQUIRE(native_handle, PI_ERROR_INVALID_EVENT, "native_handle is 0");
  REQUIRE_POINTER(event);
  if (!own_native_handle)
    TRY(CL_CALL(RetainEvent, (cl_event)native_handle));
  *event = (pi_event)native_handle;
  return PI_SUCCESS;
}
