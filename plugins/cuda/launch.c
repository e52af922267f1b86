/*
 * Kernel launches. The way of a launch that succeeds has the checks and the driver's call, nothing
 * else; what was wrong with one that is refused is found out when it is.
 */
#include "kernel.h"

#include "checks.h"
#include "queue.h"

#include <stdio.h>
#include <string.h>

/* ---- Checks ---- */

__attribute__((cold)) static pi_result
refuse_shared(pi_kernel kernel, const kernel_function *function, size_t dynamic) {
  return pi_error(PI_ERROR_OUT_OF_RESOURCES,
                  "kernel %s has %u bytes of local memory of its own and %zu by its arguments; a "
                  "work-group of the device has up to %d",
                  kernel->name, function->limits.local_memory, dynamic,
                  kernel->program->context->devices[0]->driver.max_shared_optin);
}

__attribute__((cold)) pi_result kernel_allow_shared(pi_kernel kernel, kernel_function *function,
                                                    size_t dynamic) {
  const struct pi_device_object *device = kernel->program->context->devices[0];
  if (dynamic <= atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed))
    return PI_SUCCESS;
  const size_t all = (size_t)device->driver.max_shared_optin;
  if (dynamic > all || function->limits.local_memory > all - dynamic)
    return refuse_shared(kernel, function, dynamic);
  PI_TRY(cuda_enter(kernel->program->context));
  /* All that there is: other kernels have the same function, and less would be too little there. */
  const size_t most = all - function->limits.local_memory;
  const CUresult code = cu.FuncSetAttribute(
      function->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)most);
  if (code == CUDA_ERROR_INVALID_VALUE)
    return refuse_shared(kernel, function, dynamic);
  PI_TRY(cu_result(code, "cuFuncSetAttribute"));
  atomic_store_explicit(&function->dynamic_shared, most, memory_order_relaxed);
  return PI_SUCCESS;
}

/* Chooses for a range that is new to the kernel. */
__attribute__((cold)) static pi_result choose_local(pi_kernel kernel, kernel_function *function,
                                                    const launch_range *it, pi_uint32 local[3]) {
  kernel_limits *limits = &function->limits;
  int blocks = 0;
  int preferred = 0;
  PI_TRY(kernel_allow_shared(kernel, function, kernel->local_memory));
  PI_TRY(cuda_enter(kernel->program->context));
  CU_TRY(OccupancyMaxPotentialBlockSize, &blocks, &preferred, function->function, NULL,
         kernel->local_memory, 0);
  PI_REQUIRE(local_size_choose(limits, it->global,
                               preferred > 0 ? (size_t)preferred : limits->max_items, local),
             PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
             "no local_work_size up to %zu work-items divides global_work_size %s so that the "
             "device has the grid",
             limits->max_items, pi_text_of_sizes(it->global, it->dimensions).text);
  local_size_add(&limits->chosen, it->global, kernel->local_memory, local);
  return PI_SUCCESS;
}

/* The local size where none is given: the code's own, or one that suits the device. */
static pi_result find_local(pi_kernel kernel, kernel_function *function, launch_range *it) {
  const kernel_limits *limits = &function->limits;
  pi_uint32 local[3] = {1, 1, 1};
  if (limits->required[0] != 0) {
    memcpy(it->local, limits->required, sizeof it->local);
    return PI_SUCCESS;
  }
  if (!local_size_find(&limits->chosen, it->global, kernel->local_memory, local))
    PI_TRY(choose_local(kernel, function, it, local));
  for (int i = 0; i < 3; i++)
    it->local[i] = local[i];
  return PI_SUCCESS;
}

/* ---- Offsets ---- */

/*
 * Of each thread, because threads may launch one kernel with different offsets: the arguments of
 * such a launch, with the offset behind them.
 */
enum { OFFSET_ARGUMENTS_MAX = 1023 };
static _Thread_local unsigned offset_values[3];
static _Thread_local void *offset_parameters[OFFSET_ARGUMENTS_MAX + 1];

static pi_result prepare_offset(pi_kernel kernel, const launch_range *it, kernel_launch *launch) {
  const size_t count = kernel->argument_count;
  const pi_sizes_text text = pi_text_of_sizes(it->offset, it->dimensions);
  if (kernel->driver.offset_is_apart &&
      !atomic_load_explicit(&kernel->driver.offset_is_loaded, memory_order_acquire))
    PI_TRY(kernel_load_offset(kernel));
  PI_REQUIRE(kernel->driver.with_offset.function, PI_ERROR_INVALID_GLOBAL_OFFSET,
             "global_work_offset is %s, and the program has no kernel %s_with_offset, which a "
             "launch with an offset takes",
             text.text, kernel->name);
  PI_REQUIRE(count <= OFFSET_ARGUMENTS_MAX, PI_ERROR_INVALID_GLOBAL_OFFSET,
             "global_work_offset is %s, and kernel %s has %zu arguments, more than %d", text.text,
             kernel->name, count, (int)OFFSET_ARGUMENTS_MAX);
  PI_TRY(launch_check_offset(it));
  for (pi_uint32 i = 0; i < 3; i++)
    offset_values[i] = (unsigned)it->offset[i];
  memcpy(offset_parameters, kernel->driver.pointers, count * sizeof(void *));
  offset_parameters[count] = offset_values;
  launch->parameters = offset_parameters;
  return PI_SUCCESS;
}

/* ---- Launches ---- */

pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch) {
  PI_TRY(pi_check_launch(work_dim, global_work_offset, global_work_size));
  PI_REQUIRE(context->driver.context == kernel->driver.context, PI_ERROR_INVALID_CONTEXT,
             "kernel %s is of another context", kernel->name);
  if (__builtin_expect(kernel->missing != 0, 0))
    return kernel_refuse_missing(kernel);

  launch_range it =
      launch_range_of(work_dim, global_work_offset, global_work_size, local_work_size);
  launch->is_empty = it.is_empty;
  launch->shared = (unsigned)kernel->local_memory;
  launch->parameters = kernel->driver.pointers;
  kernel_function *function = &kernel->driver.plain;
  if (__builtin_expect(launch_has_offset(&it), 0)) {
    PI_TRY(prepare_offset(kernel, &it, launch));
    function = &kernel->driver.with_offset;
  }
  launch->function = function->function;
  if (!it.has_local && !it.is_empty)
    PI_TRY(find_local(kernel, function, &it));
  /* Of an empty range only a local size that is given can be wrong. */
  if (__builtin_expect(!launch_make_groups(&function->limits, &it, &launch->groups), 0) &&
      (it.has_local || !it.is_empty))
    return launch_check_groups(kernel->name, &function->limits, &it);
  if (__builtin_expect(kernel->local_memory >
                           atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed),
                       0))
    PI_TRY(kernel_allow_shared(kernel, function, kernel->local_memory));
  return PI_SUCCESS;
}

static pi_result call_driver(const kernel_launch *it, CUstream stream, bool cooperative) {
  const pi_uint32 *grid = it->groups.count, *block = it->groups.size;
  if (cooperative)
    return cu_result(cu.LaunchCooperativeKernel(it->function, grid[0], grid[1], grid[2], block[0],
                                                block[1], block[2], it->shared, stream,
                                                it->parameters),
                     "cuLaunchCooperativeKernel");
  return cu_result(cu.LaunchKernel(it->function, grid[0], grid[1], grid[2], block[0], block[1],
                                   block[2], it->shared, stream, it->parameters, NULL),
                   "cuLaunchKernel");
}

static pi_result enqueue(pi_queue queue, pi_kernel kernel, const kernel_launch *it,
                         bool cooperative, pi_uint32 num_events_in_wait_list,
                         const pi_event *event_wait_list, pi_event *event) {
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_NDRANGE_KERNEL, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  kernel_launched(kernel);
  const pi_result result =
      it->is_empty ? PI_SUCCESS : call_driver(it, sink.command.stream, cooperative);
  return sink_end(&sink, result);
}

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  kernel_launch it = {.is_empty = false};
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  PI_TRY(kernel_prepare(kernel, queue->context, work_dim, global_work_offset, global_work_size,
                        local_work_size, &it));
  return enqueue(queue, kernel, &it, false, num_events_in_wait_list, event_wait_list, event);
}

/* Whether all groups of a launch can be on the device at once, which lets them wait for each other.
 */
static pi_result check_cooperative(pi_kernel kernel, const kernel_launch *it) {
  const pi_context context = kernel->program->context;
  if (cuda_attribute(context->devices[0], CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0) == 0)
    return CUDA_UNSUPPORTED("the device has no cooperative launch");
  int blocks = 0;
  PI_TRY(cuda_enter(context));
  const pi_uint32 *grid = it->groups.count, *block = it->groups.size;
  CU_TRY(OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, it->function,
         (int)(block[0] * block[1] * block[2]), it->shared);
  return launch_check_cooperative((size_t)grid[0] * grid[1] * grid[2],
                                  (size_t)blocks *
                                      (size_t)context->devices[0]->driver.multiprocessors);
}

pi_result piextEnqueueCooperativeKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                              const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list, pi_event *event) {
  kernel_launch it = {.is_empty = false};
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  PI_TRY(launch_check_cooperative_local(local_work_size));
  PI_TRY(kernel_prepare(kernel, queue->context, work_dim, global_work_offset, global_work_size,
                        local_work_size, &it));
  if (!it.is_empty)
    PI_TRY(check_cooperative(kernel, &it));
  return enqueue(queue, kernel, &it, true, num_events_in_wait_list, event_wait_list, event);
}
