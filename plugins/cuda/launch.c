/*
 * Kernel launches. The way of a launch that succeeds has the checks and the driver's call, nothing
 * else; what was wrong with one that is refused is found out when it is.
 */
#include "kernel.h"

#include "checks.h"
#include "queue.h"

#include "../objects/launch.h"

#include <stdio.h>
#include <string.h>

/* A range in three dimensions; those that the caller leaves out are 1, or 0 for an offset. */
typedef struct range {
  pi_uint32 dimensions;
  size_t global[3];
  size_t local[3]; /* as given; meaningless if has_local is not set */
  bool has_local;
} range;

/* ---- Sentences ---- */

/* The failure for arguments that are not set. */
__attribute__((cold)) static pi_result refuse_missing(pi_kernel kernel) {
  char list[256] = "";
  size_t length = 0;
  for (pi_uint32 i = 0; i < kernel->argument_count && length < sizeof list - 16; i++)
    if (!kernel->arguments[i].is_set)
      length +=
          (size_t)snprintf(list + length, sizeof list - length, "%s%u", length ? ", " : "", i);
  return pi_error(PI_ERROR_INVALID_KERNEL_ARGS,
                  "%u of the %u arguments of kernel %s are not set: %s", kernel->missing,
                  kernel->argument_count, kernel->name, list);
}

/* The failure for a group that does not fit; called when it is known that one does not. */
__attribute__((cold)) static pi_result
refuse_group(pi_kernel kernel, const kernel_function *function, const range *it) {
  const struct pi_device_object *device = kernel->program->context->devices[0];
  const pi_sizes_text given = pi_text_of_sizes(it->local, it->dimensions);
  const size_t required[3] = {kernel->required[0], kernel->required[1], kernel->required[2]};
  size_t threads = 1;
  for (pi_uint32 i = 0; i < 3; i++) {
    PI_REQUIRE(it->local[i] != 0, PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "local_work_size is %s: entry %u is 0", given.text, i);
    PI_REQUIRE(required[0] == 0 || it->local[i] == required[i], PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "kernel %s was compiled for work-groups of %s, local_work_size is %s", kernel->name,
               pi_text_of_sizes(required, 3).text, given.text);
    PI_REQUIRE(it->local[i] <= kernel->max_block[i], PI_ERROR_INVALID_WORK_ITEM_SIZE,
               "local_work_size is %s: entry %u exceeds the device's maximum of %u", given.text, i,
               kernel->max_block[i]);
    threads *= it->local[i];
  }
  PI_REQUIRE(threads <= function->max_threads, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %s = %zu work-items, kernel %s can have %zu on this device, whose "
             "maximum is %d",
             given.text, threads, kernel->name, function->max_threads, device->driver.max_threads);
  for (pi_uint32 i = 0; i < 3; i++) {
    PI_REQUIRE(it->global[i] % it->local[i] == 0, PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "local_work_size is %s, which does not divide global_work_size %s in entry %u: CUDA "
               "has no smaller groups at the end",
               given.text, pi_text_of_sizes(it->global, it->dimensions).text, i);
    PI_REQUIRE(it->global[i] / it->local[i] <= kernel->max_grid[i],
               PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
               "global_work_size %s in work-groups of %s has %zu groups in entry %u, the device's "
               "maximum is %u",
               pi_text_of_sizes(it->global, it->dimensions).text, given.text,
               it->global[i] / it->local[i], i, kernel->max_grid[i]);
  }
  return pi_error(PI_ERROR_INVALID_WORK_GROUP_SIZE, "local_work_size is %s", given.text);
}

/* ---- Checks ---- */

__attribute__((cold)) static pi_result
refuse_shared(pi_kernel kernel, const kernel_function *function, size_t dynamic) {
  return pi_error(PI_ERROR_OUT_OF_RESOURCES,
                  "kernel %s has %zu bytes of local memory of its own and %zu by its arguments; a "
                  "work-group of the device has up to %d",
                  kernel->name, function->static_shared, dynamic,
                  kernel->program->context->devices[0]->driver.max_shared_optin);
}

__attribute__((cold)) pi_result kernel_allow_shared(pi_kernel kernel, kernel_function *function,
                                                    size_t dynamic) {
  const struct pi_device_object *device = kernel->program->context->devices[0];
  if (dynamic <= atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed))
    return PI_SUCCESS;
  const size_t all = (size_t)device->driver.max_shared_optin;
  if (dynamic > all || function->static_shared > all - dynamic)
    return refuse_shared(kernel, function, dynamic);
  PI_TRY(cuda_enter(kernel->program->context));
  /* All that there is: other kernels have the same function, and less would be too little there. */
  const size_t most = all - function->static_shared;
  const CUresult code = cu.FuncSetAttribute(
      function->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)most);
  if (code == CUDA_ERROR_INVALID_VALUE)
    return refuse_shared(kernel, function, dynamic);
  PI_TRY(cu_result(code, "cuFuncSetAttribute"));
  atomic_store_explicit(&function->dynamic_shared, most, memory_order_relaxed);
  return PI_SUCCESS;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Chooses for a range that is new to the kernel. */
__attribute__((cold)) static pi_result choose_local(pi_kernel kernel,
                                                    const kernel_function *function,
                                                    const range *it, unsigned local[3]) {
  const pi_context context = kernel->program->context;
  const size_t threads = smaller(kernel->plain.max_threads, function->max_threads);
  int blocks = 0;
  int preferred = 0;
  PI_TRY(kernel_allow_shared(kernel, &kernel->plain, kernel->local_memory));
  PI_TRY(cuda_enter(context));
  CU_TRY(OccupancyMaxPotentialBlockSize, &blocks, &preferred, kernel->plain.function, NULL,
         kernel->local_memory, 0);
  PI_REQUIRE(local_size_choose(context->devices[0], it->global, threads,
                               preferred > 0 ? (size_t)preferred : threads, local),
             PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
             "no local_work_size up to %zu work-items divides global_work_size %s so that the "
             "device has the grid",
             threads, pi_text_of_sizes(it->global, it->dimensions).text);
  local_size_add(&kernel->sizes, it->global, kernel->local_memory, local);
  return PI_SUCCESS;
}

/*
 * The local size where none is given: the code's own, or one that suits the device. One that was
 * chosen for the plain function may be too large for the other.
 */
static pi_result find_local(pi_kernel kernel, const kernel_function *function, range *it) {
  unsigned local[3] = {1, 1, 1};
  if (kernel->required[0] != 0)
    memcpy(local, kernel->required, sizeof local);
  else if (!local_size_find(&kernel->sizes, it->global, kernel->local_memory, local) ||
           (size_t)local[0] * local[1] * local[2] > function->max_threads)
    PI_TRY(choose_local(kernel, function, it, local));
  for (int i = 0; i < 3; i++)
    it->local[i] = local[i];
  return PI_SUCCESS;
}

static bool is_required(const pi_uint32 required[3], const size_t local[3]) {
  return required[0] == 0 ||
         (local[0] == required[0] && local[1] == required[1] && local[2] == required[2]);
}

/*
 * How many times local, which is not 0, is in global; false when it does not divide it. Most ranges
 * need no division of 64 bits, which takes longer than all other checks of a launch.
 */
static inline bool divide(size_t global, size_t local, size_t *groups) {
  if (local == 1)
    *groups = global;
  else if (global <= UINT32_MAX)
    *groups = (uint32_t)global / (uint32_t)local;
  else
    *groups = global / local;
  return *groups * local == global;
}

/* The grid for a local size that is given or chosen; false when it does not fit. */
static inline bool make_grid(pi_kernel kernel, const kernel_function *function, const range *it,
                             kernel_launch *launch) {
  size_t threads = 1;
  for (int i = 0; i < 3; i++) {
    const size_t local = it->local[i];
    size_t groups;
    if (local - 1 >= kernel->max_block[i] || !divide(it->global[i], local, &groups) ||
        groups > kernel->max_grid[i])
      return false;
    threads *= local;
    launch->block[i] = (unsigned)local;
    launch->grid[i] = (unsigned)groups;
  }
  return threads <= function->max_threads && is_required(kernel->required, it->local);
}

/* ---- Offsets ---- */

/*
 * Of each thread, because threads may launch one kernel with different offsets: the arguments of
 * such a launch, with the offset behind them.
 */
enum { OFFSET_ARGUMENTS_MAX = 1023 };
static _Thread_local unsigned offset_values[3];
static _Thread_local void *offset_parameters[OFFSET_ARGUMENTS_MAX + 1];

static bool is_offset(const size_t *offset, pi_uint32 dimensions) {
  size_t all = 0;
  for (pi_uint32 i = 0; offset && i < dimensions; i++)
    all |= offset[i];
  return all != 0;
}

static pi_result prepare_offset(pi_kernel kernel, const size_t *offset, pi_uint32 dimensions,
                                kernel_launch *launch) {
  const size_t count = kernel->argument_count;
  if (kernel->offset_is_apart &&
      !atomic_load_explicit(&kernel->offset_is_loaded, memory_order_acquire))
    PI_TRY(kernel_load_offset(kernel));
  PI_REQUIRE(kernel->with_offset.function, PI_ERROR_INVALID_GLOBAL_OFFSET,
             "global_work_offset is %s, and the program has no kernel %s_with_offset, which a "
             "launch with an offset takes",
             pi_text_of_sizes(offset, dimensions).text, kernel->name);
  PI_REQUIRE(count <= OFFSET_ARGUMENTS_MAX, PI_ERROR_INVALID_GLOBAL_OFFSET,
             "global_work_offset is %s, and kernel %s has %zu arguments, more than %d",
             pi_text_of_sizes(offset, dimensions).text, kernel->name, count,
             (int)OFFSET_ARGUMENTS_MAX);
  for (pi_uint32 i = 0; i < 3; i++) {
    const size_t value = i < dimensions ? offset[i] : 0;
    PI_REQUIRE(value <= UINT32_MAX, PI_ERROR_INVALID_GLOBAL_OFFSET,
               "global_work_offset is %s, and code for CUDA takes offsets of 32 bits",
               pi_text_of_sizes(offset, dimensions).text);
    offset_values[i] = (unsigned)value;
  }
  memcpy(offset_parameters, kernel->pointers, count * sizeof(void *));
  offset_parameters[count] = offset_values;
  launch->parameters = offset_parameters;
  return PI_SUCCESS;
}

/* ---- Launches ---- */

pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch) {
  PI_TRY(pi_check_launch(work_dim, global_work_offset, global_work_size));
  PI_REQUIRE(context->driver.context == kernel->context, PI_ERROR_INVALID_CONTEXT,
             "kernel %s is of another context", kernel->name);
  if (__builtin_expect(kernel->missing != 0, 0))
    return refuse_missing(kernel);

  range it = {work_dim, {1, 1, 1}, {1, 1, 1}, local_work_size != NULL};
  for (pi_uint32 i = 0; i < work_dim; i++) {
    it.global[i] = global_work_size[i];
    if (it.has_local)
      it.local[i] = local_work_size[i];
  }
  launch->is_empty = it.global[0] == 0 || it.global[1] == 0 || it.global[2] == 0;
  launch->shared = (unsigned)kernel->local_memory;
  launch->parameters = kernel->pointers;
  kernel_function *function = &kernel->plain;
  if (__builtin_expect(is_offset(global_work_offset, work_dim), 0)) {
    PI_TRY(prepare_offset(kernel, global_work_offset, work_dim, launch));
    function = &kernel->with_offset;
  }
  launch->function = function->function;
  if (!it.has_local && !launch->is_empty)
    PI_TRY(find_local(kernel, function, &it));
  /* Of an empty range only a local size that is given can be wrong. */
  if (__builtin_expect(!make_grid(kernel, function, &it, launch), 0) &&
      (it.has_local || !launch->is_empty))
    return refuse_group(kernel, function, &it);
  if (__builtin_expect(kernel->local_memory >
                           atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed),
                       0))
    PI_TRY(kernel_allow_shared(kernel, function, kernel->local_memory));
  return PI_SUCCESS;
}

static pi_result call_driver(const kernel_launch *it, CUstream stream, bool cooperative) {
  if (cooperative)
    return cu_result(cu.LaunchCooperativeKernel(it->function, it->grid[0], it->grid[1], it->grid[2],
                                                it->block[0], it->block[1], it->block[2],
                                                it->shared, stream, it->parameters),
                     "cuLaunchCooperativeKernel");
  return cu_result(cu.LaunchKernel(it->function, it->grid[0], it->grid[1], it->grid[2],
                                   it->block[0], it->block[1], it->block[2], it->shared, stream,
                                   it->parameters, NULL),
                   "cuLaunchKernel");
}

static pi_result enqueue(pi_queue queue, pi_kernel kernel, const kernel_launch *it,
                         bool cooperative, pi_uint32 num_events_in_wait_list,
                         const pi_event *event_wait_list, pi_event *event) {
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_NDRANGE_KERNEL, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  kernel_launched(kernel);
  const pi_result result = it->is_empty ? PI_SUCCESS : call_driver(it, command.stream, cooperative);
  return queue_conclude(&command, result, false, event);
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
  CU_TRY(OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, it->function,
         (int)(it->block[0] * it->block[1] * it->block[2]), it->shared);
  const size_t most = (size_t)blocks * (size_t)context->devices[0]->driver.multiprocessors;
  const size_t groups = (size_t)it->grid[0] * it->grid[1] * it->grid[2];
  PI_REQUIRE(groups <= most, PI_ERROR_OUT_OF_RESOURCES,
             "a cooperative launch of %zu work-groups, at most %zu run at the same time", groups,
             most);
  return PI_SUCCESS;
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
  PI_REQUIRE(local_work_size, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "a cooperative launch needs a local_work_size, it is NULL");
  PI_TRY(kernel_prepare(kernel, queue->context, work_dim, global_work_offset, global_work_size,
                        local_work_size, &it));
  if (!it.is_empty)
    PI_TRY(check_cooperative(kernel, &it));
  return enqueue(queue, kernel, &it, true, num_events_in_wait_list, event_wait_list, event);
}
