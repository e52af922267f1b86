/*
 * Kernel launches. The way of a launch that succeeds has the checks, what the driver's object does
 * not have yet, and the driver's call; what was wrong with one that is refused is found out when it
 * is.
 */
#include "kernel.h"

#include "checks.h"

#include <stdio.h>
#include <string.h>

/* ---- Group sizes ---- */

/* Chooses for a range that is new to the kernel. */
__attribute__((cold)) static pi_result choose_local(kernel_instance *instance,
                                                    const launch_range *it, pi_uint32 local[3]) {
  kernel_limits *limits = &instance->limits;
  const size_t *global = it->global;
  bool fits = false;
  if (global[0] <= UINT32_MAX && global[1] <= UINT32_MAX && global[2] <= UINT32_MAX) {
    ZE_TRY(KernelSuggestGroupSize, instance->kernel, (uint32_t)global[0], (uint32_t)global[1],
           (uint32_t)global[2], &local[0], &local[1], &local[2]);
    fits = local_size_fits(limits, global, local);
  }
  PI_REQUIRE(fits || local_size_choose(limits, global, limits->max_items, local),
             PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
             "no local_work_size up to %zu work-items divides global_work_size %s so that the "
             "device has the grid",
             limits->max_items, pi_text_of_sizes(it->global, it->dimensions).text);
  local_size_add(&limits->chosen, global, 0, local);
  return PI_SUCCESS;
}

/* The local size where none is given: the code's own, or what the driver suggests. */
static pi_result find_local(kernel_instance *instance, launch_range *it) {
  const kernel_limits *limits = &instance->limits;
  pi_uint32 local[3];
  if (limits->required[0] != 0) {
    memcpy(it->local, limits->required, sizeof it->local);
    return PI_SUCCESS;
  }
  if (!local_size_find(&limits->chosen, it->global, 0, local))
    PI_TRY(choose_local(instance, it, local));
  for (int i = 0; i < 3; i++)
    it->local[i] = local[i];
  return PI_SUCCESS;
}

pi_result kernel_set_group(kernel_instance *instance, const uint32_t group[3]) {
  uint32_t *now = instance->group;
  if (now[0] == group[0] && now[1] == group[1] && now[2] == group[2])
    return PI_SUCCESS;
  ZE_TRY(KernelSetGroupSize, instance->kernel, group[0], group[1], group[2]);
  memcpy(now, group, sizeof instance->group);
  return PI_SUCCESS;
}

/* ---- Offsets ---- */

/* Sets the offset that the launch has, or takes back that of an earlier one. */
__attribute__((cold)) static pi_result change_offset(pi_device device, kernel_instance *instance,
                                                     const launch_range *it) {
  const char *text = pi_text_of_sizes(it->offset, it->dimensions).text;
  PI_REQUIRE(device->platform->driver.has_global_offset && ze.KernelSetGlobalOffsetExp,
             PI_ERROR_INVALID_GLOBAL_OFFSET, "global_work_offset is %s, and %s has no offsets (%s)",
             text, ze.KernelSetGlobalOffsetExp ? "the driver" : "the loader",
             ZE_GLOBAL_OFFSET_EXP_NAME);
  PI_TRY(launch_check_offset(it));
  const uint32_t offset[3] = {(uint32_t)it->offset[0], (uint32_t)it->offset[1],
                              (uint32_t)it->offset[2]};
  ZE_TRY(KernelSetGlobalOffsetExp, instance->kernel, offset[0], offset[1], offset[2]);
  memcpy(instance->offset, offset, sizeof offset);
  return PI_SUCCESS;
}

static inline bool is_offset(const uint32_t now[3], const size_t offset[3]) {
  return now[0] == offset[0] && now[1] == offset[1] && now[2] == offset[2];
}

/* ---- Launches ---- */

/* All that needs the kernel's lock. */
static pi_result prepare(pi_kernel kernel, pi_device device, launch_range *it,
                         kernel_launch *launch) {
  kernel_instance *instance;
  launch_groups groups;
  PI_TRY(kernel_instance_of(kernel, device, &instance));
  if (__builtin_expect(kernel->missing != 0, 0))
    return kernel_refuse_missing(kernel);
  if (!it->has_local && !launch->is_empty)
    PI_TRY(find_local(instance, it));
  /* Of an empty range only a local size that is given can be wrong. */
  if (__builtin_expect(!launch_make_groups(&instance->limits, it, &groups), 0) &&
      (it->has_local || !launch->is_empty))
    return launch_check_groups(kernel->name, &instance->limits, it);
  launch->kernel = instance->kernel;
  if (__builtin_expect(!is_offset(instance->offset, it->offset), 0))
    PI_TRY(change_offset(device, instance, it));
  if (launch->is_empty)
    return PI_SUCCESS;
  launch->groups = (ze_group_count_t){groups.count[0], groups.count[1], groups.count[2]};
  PI_TRY(kernel_set_group(instance, groups.size));
  kernel->driver.latest = instance;
  if (__builtin_expect(instance->serial != kernel->driver.serial, 0))
    PI_TRY(kernel_set_arguments(kernel, instance));
  return PI_SUCCESS;
}

pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_device device, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch) {
  PI_TRY(pi_check_launch(work_dim, global_work_offset, global_work_size));
  const pi_context its = kernel->build->context;
  PI_REQUIRE(context == its ||
                 (context->driver.context == its->driver.context && context_has(its, device)),
             PI_ERROR_INVALID_CONTEXT, "kernel %s is of another context", kernel->name);
  launch_range it =
      launch_range_of(work_dim, global_work_offset, global_work_size, local_work_size);
  launch->is_empty = it.is_empty;
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = prepare(kernel, device, &it, launch);
  if (__builtin_expect(result != PI_SUCCESS, 0))
    pthread_mutex_unlock(&kernel->driver.lock);
  return result;
}

void kernel_finish(pi_kernel kernel) {
  pthread_mutex_unlock(&kernel->driver.lock);
}

static ze_result_t append(const kernel_launch *it, const sink *sink, bool is_cooperative) {
  return is_cooperative
             ? ze.CommandListAppendLaunchCooperativeKernel(
                   sink->command.list, it->kernel, &it->groups, sink->command.signal,
                   sink->command.wait_count, sink->command.waits)
             : ze.CommandListAppendLaunchKernel(sink->command.list, it->kernel, &it->groups,
                                                sink->command.signal, sink->command.wait_count,
                                                sink->command.waits);
}

static pi_result enqueue(pi_queue queue, pi_kernel kernel, const kernel_launch *it,
                         bool is_cooperative, pi_uint32 num_events_in_wait_list,
                         const pi_event *event_wait_list, pi_event *event) {
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_NDRANGE_KERNEL, num_events_in_wait_list,
                            event_wait_list, false, event);
  kernel_launched(kernel);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  if (__builtin_expect(it->is_empty, 0)) /* an event that comes after what it waits for */
    return sink_end(&sink, driver_marker(&sink, false));
  const char *call = is_cooperative ? "zeCommandListAppendLaunchCooperativeKernel"
                                    : "zeCommandListAppendLaunchKernel";
  return sink_end(&sink, ze_result(append(it, &sink, is_cooperative), call));
}

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  kernel_launch it = {.is_empty = false};
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  PI_TRY(kernel_prepare(kernel, queue->context, queue->device, work_dim, global_work_offset,
                        global_work_size, local_work_size, &it));
  const pi_result result =
      enqueue(queue, kernel, &it, false, num_events_in_wait_list, event_wait_list, event);
  kernel_finish(kernel);
  return result;
}

/* Whether all groups of a launch can be on the device at once, which lets them wait for each other.
 */
static pi_result check_cooperative(pi_device device, const kernel_launch *it) {
  if (!device->driver.has_cooperative)
    return LEVEL_ZERO_UNSUPPORTED("the device's queues have no cooperative launch");
  uint32_t most = 0;
  ZE_TRY(KernelSuggestMaxCooperativeGroupCount, it->kernel, &most);
  return launch_check_cooperative(
      (size_t)it->groups.groupCountX * it->groups.groupCountY * it->groups.groupCountZ, most);
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
  PI_TRY(kernel_prepare(kernel, queue->context, queue->device, work_dim, global_work_offset,
                        global_work_size, local_work_size, &it));
  pi_result result = it.is_empty ? PI_SUCCESS : check_cooperative(queue->device, &it);
  if (result == PI_SUCCESS)
    result = enqueue(queue, kernel, &it, true, num_events_in_wait_list, event_wait_list, event);
  kernel_finish(kernel);
  return result;
}
