/* The driver's part of a launch: local memory, an offset, the call. */
#include "checks.h"
#include "command_buffer.h"
#include "image.h"
#include "memory.h"
#include "queue.h"

#include "../code/image_argument.h"

#include <string.h>

/* ---- Local memory, which CUDA calls shared memory ---- */

__attribute__((cold)) static pi_result
refuse_shared(const kernel_launch *launch, const kernel_function *function, size_t dynamic) {
  const pi_kernel kernel = launch->kernel;
  return plugin_error(
      PI_ERROR_OUT_OF_RESOURCES,
      "kernel %s has %zu bytes of local memory of its own and %zu by its arguments; a "
      "work-group of the device has up to %d",
      kernel->name, function->limits.local_memory + kernel->local_start,
      dynamic - kernel->local_start, launch->device->driver.max_shared_optin);
}

/* Returns whether a launch may have so many bytes of dynamic shared memory without allow_shared. */
static inline bool allows_shared(const kernel_function *function, size_t dynamic) {
  return dynamic <= atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed);
}

/* Raises the function's limit of dynamic shared memory to the device's maximum, if needed. */
__attribute__((cold)) static pi_result allow_shared(const kernel_launch *launch,
                                                    kernel_function *function, size_t dynamic) {
  if (allows_shared(function, dynamic))
    return PI_SUCCESS;
  const size_t all = (size_t)launch->device->driver.max_shared_optin;
  if (dynamic > all || function->limits.local_memory > all - dynamic)
    return refuse_shared(launch, function, dynamic);
  TRY(cuda_enter_device(launch->kernel->context, launch->device));
  /* Sets the maximum, not dynamic: other pi_kernels share the function, and may need more. */
  const size_t most = all - function->limits.local_memory;
  const CUresult code = cu.FuncSetAttribute(
      function->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)most);
  if (code == CUDA_ERROR_INVALID_VALUE)
    return refuse_shared(launch, function, dynamic);
  TRY(cu_result(code, "cuFuncSetAttribute"));
  atomic_store_explicit(&function->dynamic_shared, most, memory_order_relaxed);
  return PI_SUCCESS;
}

/* ---- Offsets ---- */

enum { OFFSET_ARGUMENTS_MAX = 1023 };

/* Checks that a launch may have an offset; loads the function that takes one, if needed. */
__attribute__((cold)) static pi_result check_offset(pi_kernel kernel, kernel_instance *instance,
                                                    const launch_range *range) {
  const size_t count = kernel->argument_count;
  const sizes_text text = text_of_sizes(range->offset, range->dimensions);
  if (instance->offset_is_apart &&
      !atomic_load_explicit(&instance->offset_is_loaded, memory_order_acquire))
    TRY(kernel_load_offset(kernel, instance));
  REQUIRE(instance->with_offset.function, PI_ERROR_INVALID_GLOBAL_OFFSET,
          "global_work_offset is %s, and the program has no kernel %s_with_offset, which a "
          "launch with an offset takes",
          text.text, kernel->name);
  REQUIRE(count <= OFFSET_ARGUMENTS_MAX, PI_ERROR_INVALID_GLOBAL_OFFSET,
          "global_work_offset is %s, and kernel %s has %zu arguments, more than %d", text.text,
          kernel->name, count, (int)OFFSET_ARGUMENTS_MAX);
  return launch_check_offset(range);
}

/* Maximum number of images among a launch's arguments, in a context of several devices. */
enum { OWN_IMAGES_MAX = 128 };

/* Returns the memory object that an argument is set to, or NULL. */
static pi_mem argument_memory(pi_kernel kernel, pi_uint32 index) {
  object_head *object = kernel->arguments[index].object;
  return object_is(object, OBJECT_MEM) ? (pi_mem)(void *)object : NULL;
}

/* Replaces the parameters that differ by device: images, and the buffer of constants. */
static void set_own_values(const kernel_launch *launch, void **parameters) {
  static _Thread_local image_argument images[OWN_IMAGES_MAX];
  const pi_kernel kernel = launch->kernel;
  kernel_instance *instance = kernel_instance_of(kernel, launch->device);
  const code_kernel *known = kernel->driver.code;
  pi_uint32 count = 0;
  if (known && known->buffer_argument != PTX_NONE &&
      kernel->arguments[known->buffer_argument].is_ours)
    parameters[known->buffer_argument] = &instance->constants;
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const pi_mem mem = argument_memory(kernel, i);
    if (!mem || mem->kind != MEMORY_IMAGE || count == OWN_IMAGES_MAX)
      continue;
    /* An image's argument is a surface, or an image_argument, whose first member is the surface. */
    memcpy(&images[count], parameters[i],
           kernel->arguments[i].size < sizeof images[0] ? sizeof images[0].surface
                                                        : sizeof images[0]);
    images[count].surface = image_surface_on(mem, launch->device);
    parameters[i] = &images[count++];
  }
}

/* The list is thread-local, because threads may launch one kernel with different offsets. */
void **launch_own_parameters(const kernel_launch *launch) {
  static _Thread_local unsigned offset[3];
  static _Thread_local void *parameters[OFFSET_ARGUMENTS_MAX + 1];
  const size_t count = launch->kernel->argument_count;
  if (count > OFFSET_ARGUMENTS_MAX)
    return launch->kernel->driver.pointers;
  for (int i = 0; i < 3; i++)
    offset[i] = (unsigned)launch->range.offset[i];
  memcpy(parameters, launch->kernel->driver.pointers, count * sizeof(void *));
  parameters[count] = offset;
  if (launch->kernel->driver.count > 1)
    set_own_values(launch, parameters);
  return parameters;
}

/* ---- Limits of a launch ---- */

/* Returns the function of an instance for a launch: plain or with_offset. */
static inline pi_result find_function(pi_kernel kernel, kernel_instance *instance,
                                      const launch_range *range, kernel_function **ret) {
  *ret = &instance->plain;
  if (!range || __builtin_expect(!launch_has_offset(range), 1))
    return PI_SUCCESS;
  TRY(check_offset(kernel, instance, range));
  *ret = &instance->with_offset;
  return PI_SUCCESS;
}

static inline size_t group_items(const launch_range *range) {
  return range->local[0] * range->local[1] * range->local[2];
}

/* Returns whether the device could run the launch if the function did not limit the work-items. */
static bool is_for_device(const kernel_limits *limits, const launch_range *range) {
  kernel_limits device = {.max_items = limits->max_device_items};
  launch_groups groups;
  memcpy(device.required, limits->required, sizeof device.required);
  memcpy(device.max_group, limits->max_group, sizeof device.max_group);
  memcpy(device.max_groups, limits->max_groups, sizeof device.max_groups);
  return launch_make_groups(&device, range, &groups);
}

/*
 * Finds the function for a work-group that is too large for an instance. If no function allows the
 * group, *ret is the one that allows the largest groups; the caller then refuses the launch.
 */
__attribute__((cold)) static pi_result find_larger(pi_kernel kernel, kernel_instance *instance,
                                                   const launch_range *range,
                                                   kernel_function **ret) {
  const size_t items = group_items(range);
  while (items > (*ret)->limits.max_items) {
    kernel_instance *larger = kernel_larger(instance);
    if (!larger && is_for_device(&(*ret)->limits, range))
      TRY(kernel_load_larger(kernel, instance, *ret, items, &larger));
    if (!larger)
      return PI_SUCCESS;
    instance = larger;
    TRY(find_function(kernel, instance, range, ret));
  }
  return PI_SUCCESS;
}

/* Number of launches in groups of one warp after which a kernel is built again for such groups. */
enum { ONE_WARP_LAUNCHES = 8 };

/* Replaces the function for a group of at most one warp by one with more registers, if any. */
static inline void find_one_warp(pi_kernel kernel, kernel_instance *instance,
                                 kernel_function **ret) {
  atomic_uint *count = &instance->one_warp_launches;
  kernel_instance *one_warp = kernel_one_warp(instance);
  if (!one_warp && atomic_load_explicit(count, memory_order_relaxed) <= ONE_WARP_LAUNCHES &&
      atomic_fetch_add_explicit(count, 1, memory_order_relaxed) == ONE_WARP_LAUNCHES)
    one_warp = kernel_load_one_warp(kernel, instance);
  if (one_warp)
    *ret = &one_warp->plain;
}

pi_result driver_kernel_limits(pi_kernel kernel, pi_device device, const launch_range *range,
                               kernel_limits **ret) {
  kernel_instance *instance = kernel_instance_of(kernel, device);
  kernel_function *function;
  REQUIRE_BUILT_FOR_DEVICE(instance->build);
  TRY(find_function(kernel, instance, range, &function));
  if (range && __builtin_expect(group_items(range) > function->limits.max_items, 0))
    TRY(find_larger(kernel, instance, range, &function));
  else if (range && range->has_local && function == &instance->plain &&
           group_items(range) <= function->limits.preferred_multiple)
    find_one_warp(kernel, instance, &function);
  if (range && __builtin_expect(!allows_shared(function, kernel->local_memory), 0))
    TRY(allow_shared(&(const kernel_launch){.kernel = kernel, .device = device}, function,
                     kernel->local_memory));
  *ret = &function->limits;
  return PI_SUCCESS;
}

pi_result driver_launch_suggest(const kernel_launch *launch, pi_uint32 local[3], size_t *items) {
  int blocks = 0;
  int preferred = 0;
  (void)local;
  TRY(cuda_enter_device(launch->kernel->context, launch->device));
  CU_TRY(OccupancyMaxPotentialBlockSize, &blocks, &preferred, launch_function(launch)->function,
         NULL, launch->kernel->local_memory, 0);
  if (preferred > 0)
    *items = (size_t)preferred;
  return PI_SUCCESS;
}

pi_result driver_launch_max_groups(const kernel_launch *launch, size_t local_memory, size_t *ret) {
  const pi_uint32 *block = launch->groups.size;
  kernel_function *function = launch_function(launch);
  if (cuda_attribute(launch->device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0) == 0)
    return CUDA_UNSUPPORTED("the device has no cooperative launch");
  int blocks = 0;
  TRY(cuda_enter_device(launch->kernel->context, launch->device));
  TRY(allow_shared(launch, function, local_memory));
  if (local_memory == launch->kernel->local_memory)
    local_memory = launch_shared(launch);
  CU_TRY(OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, function->function,
         (int)(block[0] * block[1] * block[2]), local_memory);
  *ret = (size_t)blocks * (size_t)launch->device->driver.multiprocessors;
  return PI_SUCCESS;
}

/* ---- The launch ---- */

/* Moves the memory objects among the arguments to the launch's device. */
__attribute__((cold)) static pi_result bring_arguments(const sink *sink, pi_kernel kernel) {
  pi_uint32 images = 0;
  for (pi_uint32 i = 0; i < kernel->argument_count; i++) {
    const pi_mem mem = argument_memory(kernel, i);
    images += mem && mem->kind == MEMORY_IMAGE;
    if (mem)
      TRY(memory_bring(sink, mem));
  }
  REQUIRE(images <= OWN_IMAGES_MAX, PI_ERROR_UNSUPPORTED_FEATURE,
          "kernel %s has %u images, and launches in a context of several devices up to %d",
          kernel->name, images, (int)OWN_IMAGES_MAX);
  return PI_SUCCESS;
}

pi_result driver_launch(sink *sink, const kernel_launch *launch) {
  if (__builtin_expect(sink->context->driver.members != NULL, 0))
    TRY(bring_arguments(sink, launch->kernel));
  if (__builtin_expect(sink->buffer != NULL, 0))
    return record_kernel(sink, launch);
  const CUfunction function = launch_function(launch)->function;
  const pi_uint32 *grid = launch->groups.count, *block = launch->groups.size;
  const unsigned shared = (unsigned)launch_shared(launch);
  void **parameters = launch_parameters(launch);
  if (__builtin_expect(launch->is_cooperative, 0))
    return CU_CALL(LaunchCooperativeKernel, function, grid[0], grid[1], grid[2], block[0], block[1],
                   block[2], shared, sink->command.stream, parameters);
  return CU_CALL(LaunchKernel, function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                 shared, sink->command.stream, parameters, NULL);
}
