#include "launch_kernel.h"

#include "../checks/arguments.h"
#include "driver.h"

#include <string.h>

/* ---- Checks ---- */

/* Chooses a local size for a range, and remembers it in the kernel's limits. */
__attribute__((cold)) static pi_result choose_local(const kernel_launch *launch,
                                                    pi_uint32 local[3]) {
  kernel_limits *limits = launch->limits;
  const launch_range *range = &launch->range;
  size_t items = limits->max_items;
  memset(local, 0, 3 * sizeof local[0]);
  TRY(driver_launch_suggest(launch, local, &items));
  REQUIRE(local_size_fits(limits, range->global, local) ||
              local_size_choose(limits, range->global, items, local),
          PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
          "no local_work_size up to %zu work-items divides global_work_size %s so that the "
          "device has the grid",
          limits->max_items, text_of_sizes(range->global, range->dimensions).text);
  local_size_add(&limits->chosen, range->global, launch->kernel->local_memory, local);
  return PI_SUCCESS;
}

/* Finds the local size for a launch without one: the code's own, or one that suits the device. */
static pi_result find_local(kernel_launch *launch) {
  const kernel_limits *limits = launch->limits;
  launch_range *range = &launch->range;
  pi_uint32 local[3];
  if (limits->required[0] != 0) {
    memcpy(range->local, limits->required, sizeof range->local);
    return PI_SUCCESS;
  }
  if (!local_size_find(&limits->chosen, range->global, launch->kernel->local_memory, local))
    TRY(choose_local(launch, local));
  for (int i = 0; i < 3; i++)
    range->local[i] = local[i];
  return PI_SUCCESS;
}

/* Returns whether a sink can use a kernel. Two contexts of PI may share the driver's context. */
static inline bool is_for(pi_kernel kernel, const sink *sink) {
  return __builtin_expect(sink->context == kernel->context, 1) ||
         (sink->context->native == kernel->context->native &&
          context_has(kernel->context, sink->device));
}

/* Prepares everything but the arguments. */
static inline pi_result prepare_range(const sink *sink, pi_kernel kernel, pi_uint32 dimensions,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, kernel_launch *launch) {
  launch_range *range = &launch->range;
  launch_range_set(range, dimensions, offset, global, local);
  launch->kernel = kernel;
  launch->device = sink->device;
  kernel_limits *limits;
  TRY(driver_kernel_limits(kernel, sink->device, range, &limits));
  launch->limits = limits;
  if (!range->has_local && !range->is_empty)
    TRY(find_local(launch));
  /* An empty range can only be wrong by the local size that the application passes. */
  if (__builtin_expect(!launch_make_groups(launch->limits, range, &launch->groups), 0) &&
      (range->has_local || !range->is_empty)) {
    TRY(launch_check_groups(kernel->name, launch->limits, range));
    return PI_ERROR_INVALID_WORK_GROUP_SIZE; /* not reached: launch_check_groups finds the fault */
  }
  return PI_SUCCESS;
}

static inline pi_result check_context(const sink *sink, pi_kernel kernel) {
  REQUIRE(is_for(kernel, sink), PI_ERROR_INVALID_CONTEXT, "kernel %s is of another context",
          kernel->name);
  return PI_SUCCESS;
}

pi_result launch_prepare(const sink *sink, pi_kernel kernel, pi_uint32 dimensions,
                         const size_t *offset, const size_t *global, const size_t *local,
                         kernel_launch *launch) {
  TRY(check_launch(dimensions, offset, global));
  TRY(check_context(sink, kernel));
  if (__builtin_expect(kernel->missing != 0, 0)) {
    kernel_refuse_missing(kernel);
    return PI_ERROR_INVALID_KERNEL_ARGS;
  }
  return prepare_range(sink, kernel, dimensions, offset, global, local, launch);
}

pi_result launch_suggest_local(pi_context context, pi_device device, pi_kernel kernel,
                               pi_uint32 dimensions, const size_t *offset, const size_t *global,
                               size_t *ret) {
  const sink sink = {.context = context, .device = device};
  kernel_launch launch = {.is_cooperative = false};
  TRY(check_launch(dimensions, offset, global));
  TRY(check_context(&sink, kernel));
  TRY(prepare_range(&sink, kernel, dimensions, offset, global, NULL, &launch));
  memcpy(ret, launch.range.local, dimensions * sizeof *ret);
  return PI_SUCCESS;
}

/* ---- Cooperative launches ---- */

/* Checks that all work-groups fit on the device at once, so that they may wait for each other. */
static pi_result check_cooperative(const kernel_launch *launch) {
  const pi_uint32 *count = launch->groups.count;
  size_t most = 0;
  TRY(driver_launch_max_groups(launch, launch->kernel->local_memory, &most));
  return launch_check_cooperative((size_t)count[0] * count[1] * count[2], most);
}

/* Finds the limits for a device; NULL: for the first one that the kernel is built for. */
static pi_result find_limits(pi_kernel kernel, pi_device device, kernel_launch *launch) {
  const pi_context context = kernel->context;
  launch->device = device;
  if (device)
    return driver_kernel_limits(kernel, device, NULL, &launch->limits);
  pi_result result = PI_ERROR_INVALID_PROGRAM_EXECUTABLE;
  for (pi_uint32 i = 0; i < context->device_count && result != PI_SUCCESS; i++) {
    launch->device = context->devices[i];
    result = driver_kernel_limits(kernel, launch->device, NULL, &launch->limits);
  }
  return result;
}

pi_result launch_count_cooperative(pi_kernel kernel, pi_device device, pi_uint32 dimensions,
                                   const size_t *local, size_t local_memory, pi_uint32 *ret) {
  kernel_launch launch = {.kernel = kernel, .groups.size = {1, 1, 1}};
  size_t items = 1;
  TRY(check_dimensions(dimensions));
  for (pi_uint32 i = 0; i < dimensions; i++)
    if (__builtin_mul_overflow(items, local[i], &items))
      items = SIZE_MAX;
  TRY(find_limits(kernel, device, &launch));
  TRY(kernel_check_items(kernel, launch.limits, items));
  const size_t *required = launch.limits->required;
  for (pi_uint32 i = 0; i < dimensions; i++)
    launch.groups.size[i] = (pi_uint32)local[i];
  for (int i = 0; i < 3 && required[0] != 0; i++)
    launch.groups.size[i] = (pi_uint32)required[i];
  size_t most = 0;
  TRY(driver_launch_max_groups(&launch, kernel->local_start + local_memory, &most));
  *ret = (pi_uint32)most;
  return PI_SUCCESS;
}

/* ---- Launches ---- */

static void release_kernel(void *object) {
  kernel_release(object);
}

static void release_sampler(void *object) {
  sampler_release(object);
}

static pi_result hold_argument(sink *sink, object_head *object) {
  if (object_is(object, OBJECT_MEM))
    return sink_hold_memory(sink, (pi_mem)(void *)object);
  if (!object_is(object, OBJECT_SAMPLER))
    return PI_SUCCESS;
  TRY(sink_hold(sink, object, release_sampler));
  object_retain(object);
  return PI_SUCCESS;
}

/*
 * Keeps the kernel, and the objects among its arguments, until the command buffer ends. The
 * recorded launch copies the arguments' values.
 */
__attribute__((cold)) static pi_result hold_launch(sink *sink, pi_kernel kernel) {
  if (sink->launch)
    TRY(sink_hold_launch(sink, sink->launch));
  TRY(sink_hold(sink, kernel, release_kernel));
  kernel_retain(kernel);
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    TRY(hold_argument(sink, kernel->arguments[i].object));
  return PI_SUCCESS;
}

pi_result launch_kernel(sink *sink, pi_kernel kernel, pi_uint32 dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, bool is_cooperative) {
  kernel_launch launch;
  launch.is_cooperative = is_cooperative;
  TRY(launch_prepare(sink, kernel, dimensions, offset, global, local, &launch));
  if (__builtin_expect(is_cooperative, 0) && !launch.range.is_empty)
    TRY(check_cooperative(&launch));
  TRY(sink_begin(sink, SINK_COMPUTE));
  pi_result result = PI_SUCCESS;
  if (__builtin_expect(sink->buffer != NULL, 0))
    result = hold_launch(sink, kernel);
  else
    atomic_store_explicit(&sink->queue->latest_kernel, kernel->name, memory_order_relaxed);
  kernel_launched(kernel);
  if (__builtin_expect(result == PI_SUCCESS, 1))
    result = __builtin_expect(launch.range.is_empty, 0) ? driver_marker(sink, false)
                                                        : driver_launch(sink, &launch);
  return sink_end(sink, result);
}
