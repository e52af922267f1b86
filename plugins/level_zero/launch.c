/*
 * Kernel launches. The way of a launch that succeeds has the checks, what the driver's object does
 * not have yet, and the driver's call; what was wrong with one that is refused is found out when it
 * is.
 */
#include "kernel.h"

#include "checks.h"

#include "../objects/launch.h"

#include <stdio.h>
#include <string.h>

/* A range in three dimensions; those that the caller leaves out are 1, or 0 for an offset. */
typedef struct range {
  pi_uint32 dimensions;
  size_t global[3];
  size_t local[3]; /* as given; meaningless if has_local is not set */
  size_t offset[3];
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

/* The failure for groups that do not fit; called when it is known that they do not. */
__attribute__((cold)) static pi_result
refuse_group(pi_kernel kernel, pi_device device, const kernel_instance *instance, const range *it) {
  const pi_sizes_text given = pi_text_of_sizes(it->local, it->dimensions);
  const size_t required[3] = {kernel->required[0], kernel->required[1], kernel->required[2]};
  size_t items = 1;
  for (pi_uint32 i = 0; i < 3; i++) {
    const uint32_t limit = instance->max_group[i];
    PI_REQUIRE(it->local[i] != 0, PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "local_work_size is %s: entry %u is 0", given.text, i);
    PI_REQUIRE(required[0] == 0 || it->local[i] == required[i], PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "kernel %s was compiled for work-groups of %s, local_work_size is %s", kernel->name,
               pi_text_of_sizes(required, 3).text, given.text);
    PI_REQUIRE(it->local[i] <= limit, PI_ERROR_INVALID_WORK_ITEM_SIZE,
               "local_work_size is %s: entry %u exceeds the device's maximum of %u", given.text, i,
               limit);
    items *= it->local[i];
  }
  PI_REQUIRE(items <= instance->max_items, PI_ERROR_INVALID_WORK_GROUP_SIZE,
             "local_work_size is %s = %zu work-items, kernel %s can have %u on this device, whose "
             "maximum is %u",
             given.text, items, kernel->name, instance->max_items,
             device->driver.compute.maxTotalGroupSize);
  for (pi_uint32 i = 0; i < 3; i++) {
    const uint32_t limit = instance->max_groups[i];
    PI_REQUIRE(it->global[i] % it->local[i] == 0, PI_ERROR_INVALID_WORK_GROUP_SIZE,
               "local_work_size is %s, which does not divide global_work_size %s in entry %u: "
               "Level Zero has no smaller groups at the end",
               given.text, pi_text_of_sizes(it->global, it->dimensions).text, i);
    PI_REQUIRE(it->global[i] / it->local[i] <= limit, PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
               "global_work_size %s in work-groups of %s has %zu groups in entry %u, the device's "
               "maximum is %u",
               pi_text_of_sizes(it->global, it->dimensions).text, given.text,
               it->global[i] / it->local[i], i, limit);
  }
  return pi_error(PI_ERROR_INVALID_WORK_GROUP_SIZE, "local_work_size is %s", given.text);
}

/* ---- Group sizes ---- */

/* Chooses for a range that is new to the kernel. */
__attribute__((cold)) static pi_result choose_local(kernel_instance *instance, const range *it,
                                                    uint32_t local[3]) {
  const size_t *global = it->global;
  bool fits = false;
  if (global[0] <= UINT32_MAX && global[1] <= UINT32_MAX && global[2] <= UINT32_MAX) {
    ZE_TRY(KernelSuggestGroupSize, instance->kernel, (uint32_t)global[0], (uint32_t)global[1],
           (uint32_t)global[2], &local[0], &local[1], &local[2]);
    fits = local_size_fits(global, local, instance->max_items, instance->max_group);
  }
  if (!fits)
    local_size_choose(global, instance->max_items, instance->max_group,
                      instance->preferred_multiple, local);
  local_size_add(&instance->sizes, global, local);
  return PI_SUCCESS;
}

/* The local size where none is given: the code's own, or what the driver suggests. */
static pi_result find_local(pi_kernel kernel, kernel_instance *instance, range *it) {
  uint32_t local[3];
  if (kernel->required[0] != 0)
    memcpy(local, kernel->required, sizeof local);
  else if (!local_size_find(&instance->sizes, it->global, local))
    PI_TRY(choose_local(instance, it, local));
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

/* The groups for a local size that is given or chosen; false when it does not fit. */
static inline bool make_groups(pi_kernel kernel, const kernel_instance *instance, const range *it,
                               uint32_t group[3], ze_group_count_t *ret) {
  uint32_t counts[3];
  size_t items = 1;
  for (int i = 0; i < 3; i++) {
    const size_t local = it->local[i];
    size_t groups;
    if (local - 1 >= instance->max_group[i] || !divide(it->global[i], local, &groups) ||
        groups > instance->max_groups[i])
      return false;
    items *= local;
    group[i] = (uint32_t)local;
    counts[i] = (uint32_t)groups;
  }
  *ret = (ze_group_count_t){counts[0], counts[1], counts[2]};
  return items <= instance->max_items && is_required(kernel->required, it->local);
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
                                                     const range *it) {
  const char *text = pi_text_of_sizes(it->offset, it->dimensions).text;
  PI_REQUIRE(device->platform->driver.has_global_offset && ze.KernelSetGlobalOffsetExp,
             PI_ERROR_INVALID_GLOBAL_OFFSET, "global_work_offset is %s, and %s has no offsets (%s)",
             text, ze.KernelSetGlobalOffsetExp ? "the driver" : "the loader",
             ZE_GLOBAL_OFFSET_EXP_NAME);
  for (int i = 0; i < 3; i++)
    PI_REQUIRE(it->offset[i] <= UINT32_MAX, PI_ERROR_INVALID_GLOBAL_OFFSET,
               "global_work_offset is %s, and Level Zero takes offsets of 32 bits", text);
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

static void read_range(pi_uint32 work_dim, const size_t *offset, const size_t *global,
                       const size_t *local, range *ret) {
  *ret = (range){work_dim, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, local != NULL};
  for (pi_uint32 i = 0; i < work_dim; i++) {
    ret->global[i] = global[i];
    if (local)
      ret->local[i] = local[i];
    if (offset)
      ret->offset[i] = offset[i];
  }
}

/* All that needs the kernel's lock. */
static pi_result prepare(pi_kernel kernel, pi_device device, range *it, kernel_launch *launch) {
  kernel_instance *instance;
  uint32_t group[3];
  PI_TRY(kernel_instance_of(kernel, device, &instance));
  if (__builtin_expect(kernel->missing != 0, 0))
    return refuse_missing(kernel);
  if (!it->has_local && !launch->is_empty)
    PI_TRY(find_local(kernel, instance, it));
  /* Of an empty range only a local size that is given can be wrong. */
  if (__builtin_expect(!make_groups(kernel, instance, it, group, &launch->groups), 0) &&
      (it->has_local || !launch->is_empty))
    return refuse_group(kernel, device, instance, it);
  launch->kernel = instance->kernel;
  if (__builtin_expect(!is_offset(instance->offset, it->offset), 0))
    PI_TRY(change_offset(device, instance, it));
  if (launch->is_empty)
    return PI_SUCCESS;
  PI_TRY(kernel_set_group(instance, group));
  kernel->latest = instance;
  if (__builtin_expect(instance->serial != kernel->serial, 0))
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
  range it;
  read_range(work_dim, global_work_offset, global_work_size, local_work_size, &it);
  launch->is_empty = it.global[0] == 0 || it.global[1] == 0 || it.global[2] == 0;
  pthread_mutex_lock(&kernel->lock);
  const pi_result result = prepare(kernel, device, &it, launch);
  if (__builtin_expect(result != PI_SUCCESS, 0))
    pthread_mutex_unlock(&kernel->lock);
  return result;
}

void kernel_finish(pi_kernel kernel) {
  pthread_mutex_unlock(&kernel->lock);
}

static ze_result_t append(const kernel_launch *it, const queue_command *command,
                          bool is_cooperative) {
  return is_cooperative
             ? ze.CommandListAppendLaunchCooperativeKernel(command->list, it->kernel, &it->groups,
                                                           command->signal, command->wait_count,
                                                           command->waits)
             : ze.CommandListAppendLaunchKernel(command->list, it->kernel, &it->groups,
                                                command->signal, command->wait_count,
                                                command->waits);
}

/* A launch of no work-items is an event that comes after what it waits for. */
static pi_result append_nothing(queue_command *command, pi_event *event) {
  return queue_conclude_started(command, queue_marker(command, false), false, event);
}

static pi_result enqueue(pi_queue queue, pi_kernel kernel, const kernel_launch *it,
                         bool is_cooperative, pi_uint32 num_events_in_wait_list,
                         const pi_event *event_wait_list, pi_event *event) {
  queue_command command;
  kernel_launched(kernel);
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_NDRANGE_KERNEL, QUEUE_COMPUTE, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  if (__builtin_expect(it->is_empty, 0))
    return append_nothing(&command, event);
  const char *call = is_cooperative ? "zeCommandListAppendLaunchCooperativeKernel"
                                    : "zeCommandListAppendLaunchKernel";
  return queue_conclude(&command, ze_result(append(it, &command, is_cooperative), call), false,
                        event);
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
  const uint64_t groups = (uint64_t)it->groups.groupCountX * it->groups.groupCountY;
  PI_REQUIRE(groups <= most && groups * it->groups.groupCountZ <= most, PI_ERROR_OUT_OF_RESOURCES,
             "a cooperative launch of %ux%ux%u work-groups, at most %u run at the same time",
             it->groups.groupCountX, it->groups.groupCountY, it->groups.groupCountZ, most);
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
  PI_TRY(kernel_prepare(kernel, queue->context, queue->device, work_dim, global_work_offset,
                        global_work_size, local_work_size, &it));
  pi_result result = it.is_empty ? PI_SUCCESS : check_cooperative(queue->device, &it);
  if (result == PI_SUCCESS)
    result = enqueue(queue, kernel, &it, true, num_events_in_wait_list, event_wait_list, event);
  kernel_finish(kernel);
  return result;
}
