/*
 * Launches a kernel: sets group size, offset and arguments in the driver's object, and appends the
 * launch, all while holding the kernel's lock.
 */
#include "kernel.h"

#include "checks.h"

#include <string.h>

static inline kernel_instance *launch_instance(const kernel_launch *launch) {
  return (kernel_instance *)(void *)launch->limits;
}

/* ---- Limits ---- */

/* Refuses an offset that is too large, or any offset if the driver has none. */
__attribute__((cold)) static pi_result check_offset(pi_device device, const launch_range *range) {
  REQUIRE(device->platform->driver.has_global_offset && ze.KernelSetGlobalOffsetExp,
          PI_ERROR_INVALID_GLOBAL_OFFSET, "global_work_offset is %s, and %s has no offsets (%s)",
          text_of_sizes(range->offset, range->dimensions).text,
          ze.KernelSetGlobalOffsetExp ? "the driver" : "the loader", ZE_GLOBAL_OFFSET_EXP_NAME);
  return launch_check_offset(range);
}

pi_result driver_kernel_limits(pi_kernel kernel, pi_device device, const launch_range *range,
                               kernel_limits **ret) {
  kernel_instance *instance = &kernel->driver.instances[context_root(kernel->context, device)];
  REQUIRE_BUILT_FOR_DEVICE(instance->kernel);
  if (range && __builtin_expect(launch_has_offset(range), 0))
    TRY(check_offset(device, range));
  *ret = &instance->limits;
  return PI_SUCCESS;
}

pi_result driver_launch_suggest(const kernel_launch *launch, pi_uint32 local[3], size_t *items) {
  const size_t *global = launch->range.global;
  (void)items;
  if ((global[0] | global[1] | global[2]) > UINT32_MAX)
    return PI_SUCCESS;
  pthread_mutex_lock(&launch->kernel->driver.lock);
  const ze_result_t code = ze.KernelSuggestGroupSize(
      launch_instance(launch)->kernel, (uint32_t)global[0], (uint32_t)global[1],
      (uint32_t)global[2], &local[0], &local[1], &local[2]);
  pthread_mutex_unlock(&launch->kernel->driver.lock);
  return ze_result(code, "zeKernelSuggestGroupSize");
}

/* ---- The driver's object; the caller holds the kernel's lock ---- */

__attribute__((cold)) static pi_result change_offset(kernel_instance *instance,
                                                     const size_t offset[3]) {
  const uint32_t now[3] = {(uint32_t)offset[0], (uint32_t)offset[1], (uint32_t)offset[2]};
  ZE_TRY(KernelSetGlobalOffsetExp, instance->kernel, now[0], now[1], now[2]);
  memcpy(instance->offset, now, sizeof now);
  return PI_SUCCESS;
}

static inline bool is_offset(const uint32_t now[3], const size_t offset[3]) {
  return now[0] == offset[0] && now[1] == offset[1] && now[2] == offset[2];
}

static inline pi_result set_group(kernel_instance *instance, const uint32_t group[3]) {
  uint32_t *now = instance->group;
  if (now[0] == group[0] && now[1] == group[1] && now[2] == group[2])
    return PI_SUCCESS;
  ZE_TRY(KernelSetGroupSize, instance->kernel, group[0], group[1], group[2]);
  memcpy(now, group, sizeof instance->group);
  return PI_SUCCESS;
}

/* Sets the launch's offset, group size and arguments where the driver's object has other ones. */
static pi_result prepare_instance(const kernel_launch *launch) {
  const pi_kernel kernel = launch->kernel;
  kernel_instance *instance = launch_instance(launch);
  if (__builtin_expect(!is_offset(instance->offset, launch->range.offset), 0))
    TRY(change_offset(instance, launch->range.offset));
  TRY(set_group(instance, launch->groups.size));
  kernel->driver.latest = instance;
  if (__builtin_expect(instance->serial != kernel->driver.serial, 0))
    TRY(kernel_set_arguments(kernel, instance));
  return PI_SUCCESS;
}

static pi_result append_launch(const struct driver_command *command, const kernel_launch *launch) {
  const ze_kernel_handle_t kernel = launch_instance(launch)->kernel;
  const pi_uint32 *count = launch->groups.count;
  const ze_group_count_t groups = {count[0], count[1], count[2]};
  if (__builtin_expect(launch->is_cooperative, 0))
    return ZE_CALL(CommandListAppendLaunchCooperativeKernel, command->list, kernel, &groups,
                   command->signal, command->wait_count, command->waits);
  return ZE_CALL(CommandListAppendLaunchKernel, command->list, kernel, &groups, command->signal,
                 command->wait_count, command->waits);
}

/* ---- Launches ---- */

/* Asks the driver, which counts for the group size and arguments that its object has. */
static pi_result count_groups(const kernel_launch *launch, uint32_t *ret) {
  TRY(prepare_instance(launch));
  ZE_TRY(KernelSuggestMaxCooperativeGroupCount, launch_instance(launch)->kernel, ret);
  return PI_SUCCESS;
}

pi_result driver_launch_max_groups(const kernel_launch *launch, size_t local_memory, size_t *ret) {
  const pi_kernel kernel = launch->kernel;
  if (local_memory != 0 && local_memory != kernel->local_memory)
    return LEVEL_ZERO_UNSUPPORTED("Level Zero counts the local memory of arguments, once they are "
                                  "set, and takes no %zu bytes on top",
                                  local_memory);
  if (!launch->device->driver.has_cooperative)
    return LEVEL_ZERO_UNSUPPORTED("the device's queues have no cooperative launch");
  uint32_t most = 0;
  pthread_mutex_lock(&kernel->driver.lock);
  const pi_result result = count_groups(launch, &most);
  pthread_mutex_unlock(&kernel->driver.lock);
  TRY(result);
  *ret = most;
  return PI_SUCCESS;
}

/* Takes the kernel's lock after the lock of the queue or command buffer. */
pi_result driver_launch(sink *sink, const kernel_launch *launch) {
  pthread_mutex_lock(&launch->kernel->driver.lock);
  pi_result result = prepare_instance(launch);
  if (__builtin_expect(result == PI_SUCCESS, 1))
    result = append_launch(&sink->command, launch);
  pthread_mutex_unlock(&launch->kernel->driver.lock);
  return result;
}
