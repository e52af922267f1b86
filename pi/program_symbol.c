/* PI's entries for a program's variables, functions and host pipes, which have names. */
#include "../plugins/objects/program_symbol.h"
#include "sinks.h"

pi_result piextGetGlobalVariablePointer(pi_device device, pi_program program,
                                        const char *global_variable_name,
                                        size_t *global_variable_size,
                                        void **global_variable_pointer_ret) {
  size_t size = 0;
  void *pointer;
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  REQUIRE_POINTER(global_variable_name);
  TRY(program_find_variable(program, device, global_variable_name, &size, &pointer));
  if (global_variable_size)
    *global_variable_size = size;
  if (global_variable_pointer_ret)
    *global_variable_pointer_ret = pointer;
  return PI_SUCCESS;
}

pi_result piextGetDeviceFunctionPointer(pi_device device, pi_program program,
                                        const char *function_name,
                                        pi_uint64 *function_pointer_ret) {
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  REQUIRE_POINTER(function_name);
  REQUIRE_POINTER(function_pointer_ret);
  return program_find_function(program, device, function_name, function_pointer_ret);
}

/* ---- Host pipes ---- */

static pi_result refuse_pipe(pi_queue queue, pi_program program) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE,
                      "%s has no pipes between kernels and the host: they are for FPGAs",
                      driver_name);
}

#define REFUSE_PIPE(name)                                                                          \
  pi_result name(pi_queue queue, pi_program program, const char *pipe_symbol, pi_bool blocking,    \
                 void *ptr, size_t size, pi_uint32 num_events_in_wait_list,                        \
                 const pi_event *event_wait_list, pi_event *event) {                               \
    (void)pipe_symbol, (void)blocking, (void)ptr, (void)size, (void)num_events_in_wait_list;       \
    (void)event_wait_list, (void)event;                                                            \
    return refuse_pipe(queue, program);                                                            \
  }

REFUSE_PIPE(piextEnqueueReadHostPipe)
REFUSE_PIPE(piextEnqueueWriteHostPipe)
