/* Global variables and functions of a program by name; and host pipes, which GPUs have not. */
#include "program.h"

#include "checks.h"
#include "queue.h"

#include "../objects/rect.h"

/* A variable in the modules of a device, which the caller holds. */
static pi_result find_variable(const program_build *build, const ze_module_handle_t *modules,
                               const char *name, size_t *size, void **pointer) {
  for (pi_uint32 i = 0; i < build->driver.parts; i++) {
    const ze_result_t code = ze.ModuleGetGlobalPointer(modules[i], name, size, pointer);
    if (code != ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)
      return ze_result(code, "zeModuleGetGlobalPointer");
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "the program has no variable \"%s\"", name);
}

pi_result piextGetGlobalVariablePointer(pi_device device, pi_program program,
                                        const char *global_variable_name,
                                        size_t *global_variable_size,
                                        void **global_variable_pointer_ret) {
  REQUIRE_DEVICE(device);
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  REQUIRE_POINTER(global_variable_name);
  program_build *build;
  ze_module_handle_t *modules;
  size_t size = 0;
  void *pointer = NULL;
  PI_TRY(program_hold_modules(program, device, &build, &modules));
  const pi_result result = find_variable(build, modules, global_variable_name, &size, &pointer);
  build_release(build);
  PI_TRY(result);
  if (global_variable_size)
    *global_variable_size = size;
  if (global_variable_pointer_ret)
    *global_variable_pointer_ret = pointer;
  return PI_SUCCESS;
}

/* Whether one of the modules has a kernel of that name. */
static bool has_kernel(const program_build *build, const ze_module_handle_t *modules,
                       const char *name) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = name};
  for (pi_uint32 i = 0; i < build->driver.parts; i++) {
    ze_kernel_handle_t kernel;
    if (ze.KernelCreate(modules[i], &description, &kernel) == ZE_RESULT_SUCCESS) {
      ze.KernelDestroy(kernel);
      return true;
    }
  }
  return false;
}

static pi_result find_function(const program_build *build, const ze_module_handle_t *modules,
                               const char *name, void **pointer) {
  for (pi_uint32 i = 0; i < build->driver.parts; i++) {
    const ze_result_t code = ze.ModuleGetFunctionPointer(modules[i], name, pointer);
    if (code != ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)
      return ze_result(code, "zeModuleGetFunctionPointer");
  }
  PI_REQUIRE(!has_kernel(build, modules, name), PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
             "the driver gives out no address of kernel \"%s\"", name);
  return pi_error(PI_ERROR_INVALID_KERNEL_NAME, "the program has no function \"%s\"", name);
}

pi_result piextGetDeviceFunctionPointer(pi_device device, pi_program program,
                                        const char *function_name,
                                        pi_uint64 *function_pointer_ret) {
  REQUIRE_DEVICE(device);
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  REQUIRE_POINTER(function_name);
  REQUIRE_POINTER(function_pointer_ret);
  program_build *build;
  ze_module_handle_t *modules;
  void *pointer = NULL;
  PI_TRY(program_hold_modules(program, device, &build, &modules));
  const pi_result result = find_function(build, modules, function_name, &pointer);
  build_release(build);
  PI_TRY(result);
  *function_pointer_ret = (pi_uint64)(uintptr_t)pointer;
  return PI_SUCCESS;
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

static pi_result find_range(const variable_copy *it, const program_build *build,
                            const ze_module_handle_t *modules, char **ret) {
  void *pointer = NULL;
  size_t size = 0;
  PI_TRY(find_variable(build, modules, it->name, &size, &pointer));
  PI_REQUIRE(it->offset <= size && it->count <= size - it->offset, PI_ERROR_INVALID_VALUE,
             "%zu bytes from offset %zu on are not all inside of variable \"%s\", which has %zu",
             it->count, it->offset, it->name, size);
  *ret = (char *)pointer + it->offset;
  return PI_SUCCESS;
}

/* Of a build that the caller holds, and that stays until the copy is done. */
static pi_result enqueue_copy(const variable_copy *it, program_build *build,
                              const ze_module_handle_t *modules, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  char *variable;
  PI_TRY(find_range(it, build, modules, &variable));
  build_is_used(build);
  sink sink = sink_of_queue(it->queue,
                            it->from ? PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_WRITE
                                     : PI_COMMAND_TYPE_DEVICE_GLOBAL_VARIABLE_READ,
                            num_events_in_wait_list, event_wait_list, it->blocking, event);
  const uintptr_t host = (uintptr_t)(it->from ? it->from : it->to);
  const transfer copy = it->from ? transfer_plain((uintptr_t)variable, host, it->count)
                                 : transfer_plain(host, (uintptr_t)variable, it->count);
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
  PI_REQUIRE(queue->context->driver.context == program->context->driver.context &&
                 context_has(program->context, queue->device),
             PI_ERROR_INVALID_CONTEXT, "the program is of another context than the queue");
  REQUIRE_WAIT_LIST();
  program_build *build;
  ze_module_handle_t *modules;
  PI_TRY(program_hold_modules(program, queue->device, &build, &modules));
  const pi_result result =
      enqueue_copy(it, build, modules, num_events_in_wait_list, event_wait_list, event);
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
  return LEVEL_ZERO_UNSUPPORTED(
      "Level Zero has no pipes between kernels and the host: they are for FPGAs");
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
