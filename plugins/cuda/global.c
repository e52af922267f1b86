/* Global variables and functions of a program by name; and host pipes, which CUDA has not. */
#include "program.h"

#include "checks.h"
#include "queue.h"
#include "transfer.h"

/* A variable of a build; id is its name or what a runtime knows it by. The context is current. */
static pi_result find_variable(pi_program program, const program_build *build, const char *id,
                               CUdeviceptr *pointer, size_t *size) {
  const char *name = program_global_name(program, id);
  const CUresult code = cu.ModuleGetGlobal(pointer, size, build->driver.module, name);
  PI_REQUIRE(code != CUDA_ERROR_NOT_FOUND, PI_ERROR_INVALID_VALUE,
             "the program has no variable \"%s\"", name);
  return cu_result(code, "cuModuleGetGlobal");
}

static pi_result check_device(pi_device device, pi_program program) {
  REQUIRE_DEVICE(device);
  REQUIRE_PROGRAM(program);
  PI_REQUIRE(device == program->context->devices[0], PI_ERROR_INVALID_DEVICE,
             "the device is not the one of the program's context");
  return PI_SUCCESS;
}

pi_result piextGetGlobalVariablePointer(pi_device device, pi_program program,
                                        const char *global_variable_name,
                                        size_t *global_variable_size,
                                        void **global_variable_pointer_ret) {
  CUdeviceptr pointer = 0;
  size_t size = 0;
  PI_TRY(check_device(device, program));
  REQUIRE_POINTER(global_variable_name);
  program_build *build;
  PI_TRY(cuda_enter(program->context));
  PI_TRY(program_hold_build(program, &build));
  const pi_result result = find_variable(program, build, global_variable_name, &pointer, &size);
  build_release(build);
  PI_TRY(result);
  if (global_variable_size)
    *global_variable_size = size;
  if (global_variable_pointer_ret)
    *global_variable_pointer_ret = (void *)(uintptr_t)pointer;
  return PI_SUCCESS;
}

/*
 * The driver gives out functions of modules as handles (piextKernelGetNativeHandle), and not where
 * they are in the device's memory, which a call through a pointer would need.
 */
pi_result piextGetDeviceFunctionPointer(pi_device device, pi_program program,
                                        const char *function_name,
                                        pi_uint64 *function_pointer_ret) {
  PI_TRY(check_device(device, program));
  REQUIRE_POINTER(function_name);
  REQUIRE_POINTER(function_pointer_ret);
  program_build *build;
  CUfunction function;
  PI_TRY(cuda_enter(program->context));
  PI_TRY(program_hold_build(program, &build));
  const CUresult code = cu.ModuleGetFunction(&function, build->driver.module, function_name);
  build_release(build);
  PI_REQUIRE(code != CUDA_ERROR_NOT_FOUND, PI_ERROR_INVALID_KERNEL_NAME,
             "the program has no kernel \"%s\"", function_name);
  PI_TRY(cu_result(code, "cuModuleGetFunction"));
  return pi_error(PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
                  "CUDA gives out no address of kernel \"%s\" in the device's memory",
                  function_name);
}

/* ---- Reading and writing ---- */

/* A copy between count bytes of a variable and memory of the host. */
typedef struct variable_copy {
  pi_queue queue;
  pi_program program;
  const char *name;
  size_t count, offset;
  const void *from; /* of a write */
  void *to;         /* of a read */
  bool blocking;
} variable_copy;

static pi_result find_range(const variable_copy *it, const program_build *build, CUdeviceptr *ret) {
  CUdeviceptr pointer = 0;
  size_t size = 0;
  PI_TRY(find_variable(it->program, build, it->name, &pointer, &size));
  PI_REQUIRE(it->offset <= size && it->count <= size - it->offset, PI_ERROR_INVALID_VALUE,
             "%zu bytes from offset %zu on are not all inside of variable \"%s\", which has %zu",
             it->count, it->offset, it->name, size);
  *ret = pointer + it->offset;
  return PI_SUCCESS;
}

/* With a build that the caller holds, and that waits for the copy before it goes. */
static pi_result enqueue_copy(const variable_copy *it, program_build *build,
                              pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                              pi_event *event) {
  CUdeviceptr pointer;
  PI_TRY(cuda_enter(it->queue->context));
  PI_TRY(find_range(it, build, &pointer));
  build_is_used(build);
  sink sink = sink_of_queue(it->queue,
                            it->from ? PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_WRITE
                                     : PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_READ,
                            num_events_in_wait_list, event_wait_list, it->blocking, event);
  const CUdeviceptr host = cu_pointer(it->from ? it->from : it->to);
  const transfer copy = it->from ? transfer_plain(pointer, host, it->count)
                                 : transfer_plain(host, pointer, it->count);
  return driver_copy(&sink, &copy, it->from ? COPY_FROM_HOST : COPY_TO_HOST);
}

static pi_result copy_variable(const variable_copy *it, pi_uint32 num_events_in_wait_list,
                               const pi_event *event_wait_list, pi_event *event) {
  const pi_queue queue = it->queue;
  const pi_program program = it->program;
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  PI_REQUIRE(it->name, PI_ERROR_INVALID_VALUE, "name is NULL");
  PI_REQUIRE(it->from || it->to, PI_ERROR_INVALID_VALUE, "the memory of the host is NULL");
  PI_REQUIRE(queue->context->driver.context == program->context->driver.context,
             PI_ERROR_INVALID_CONTEXT, "the program is of another context than the queue");
  REQUIRE_WAIT_LIST();
  program_build *build;
  PI_TRY(program_hold_build(program, &build));
  const pi_result result = enqueue_copy(it, build, num_events_in_wait_list, event_wait_list, event);
  build_release(build);
  return result;
}

pi_result piextEnqueueDeviceGlobalVariableWrite(pi_queue queue, pi_program program,
                                                const char *name, pi_bool blocking_write,
                                                size_t count, size_t offset, const void *src,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list, pi_event *event) {
  const variable_copy it = {.queue = queue,
                            .program = program,
                            .name = name,
                            .count = count,
                            .offset = offset,
                            .from = src,
                            .blocking = blocking_write != PI_FALSE};
  return copy_variable(&it, num_events_in_wait_list, event_wait_list, event);
}

pi_result piextEnqueueDeviceGlobalVariableRead(pi_queue queue, pi_program program, const char *name,
                                               pi_bool blocking_read, size_t count, size_t offset,
                                               void *dst, pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list, pi_event *event) {
  const variable_copy it = {.queue = queue,
                            .program = program,
                            .name = name,
                            .count = count,
                            .offset = offset,
                            .to = dst,
                            .blocking = blocking_read != PI_FALSE};
  return copy_variable(&it, num_events_in_wait_list, event_wait_list, event);
}

/* ---- Host pipes ---- */

static pi_result refuse_pipe(pi_queue queue, pi_program program) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  return CUDA_UNSUPPORTED("CUDA has no pipes between kernels and the host: they are for FPGAs");
}

pi_result piextEnqueueReadHostPipe(pi_queue queue, pi_program program, const char *pipe_symbol,
                                   pi_bool blocking, void *ptr, size_t size,
                                   pi_uint32 num_events_in_wait_list,
                                   const pi_event *event_wait_list, pi_event *event) {
  (void)pipe_symbol, (void)blocking, (void)ptr, (void)size, (void)num_events_in_wait_list;
  (void)event_wait_list, (void)event;
  return refuse_pipe(queue, program);
}

pi_result piextEnqueueWriteHostPipe(pi_queue queue, pi_program program, const char *pipe_symbol,
                                    pi_bool blocking, void *ptr, size_t size,
                                    pi_uint32 num_events_in_wait_list,
                                    const pi_event *event_wait_list, pi_event *event) {
  (void)pipe_symbol, (void)blocking, (void)ptr, (void)size, (void)num_events_in_wait_list;
  (void)event_wait_list, (void)event;
  return refuse_pipe(queue, program);
}
