/* Kernels: their arguments are checked, and not kept, for a launch does nothing. */
#include "../objects/kernel.h"

#include "../../pi/sinks.h"

#include "../objects/driver.h"
#include "command.h"

pi_result driver_kernel_create(pi_kernel kernel) {
  const struct driver_build *build = &kernel->build->driver;
  const spirv_kernel *found = NULL;
  for (pi_uint32 i = 0; i < build->count && !found; i++)
    PI_TRY(spirv_code_find_kernel(build->codes[i], kernel->name, &found));
  PI_REQUIRE(found, PI_ERROR_INVALID_KERNEL_NAME, "the program has no kernel \"%s\"", kernel->name);
  PI_TRY(kernel_make_arguments(kernel, found->argument_count));
  for (pi_uint32 i = 0; i < found->argument_count; i++) {
    const spirv_argument *argument = &found->arguments[i];
    const bool is_sized = argument->size && (argument->kind == SPIRV_ARGUMENT_VALUE ||
                                             argument->kind == SPIRV_ARGUMENT_POINTER);
    kernel->arguments[i].kind = argument->kind;
    kernel->arguments[i].size = is_sized ? argument->size : KERNEL_ANY_SIZE;
  }
  kernel->driver.limits = (kernel_limits){
      .max_group = {NULL_MAX_GROUP, NULL_MAX_GROUP, NULL_MAX_GROUP},
      .max_groups = {NULL_MAX_GROUPS, NULL_MAX_GROUPS, NULL_MAX_GROUPS},
      .max_items = NULL_MAX_GROUP,
      .max_device_items = NULL_MAX_GROUP,
      .preferred_multiple = 1,
      .max_sub_group = 1,
      .max_sub_groups = NULL_MAX_GROUP,
  };
  return PI_SUCCESS;
}

pi_result driver_kernel_limits(pi_kernel kernel, pi_device device, struct kernel_limits **ret) {
  *ret = &kernel->driver.limits;
  return PI_SUCCESS;
}

pi_result driver_kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size) {
  return size <= NULL_LOCAL_MEMORY
             ? PI_SUCCESS
             : pi_refuse_local_memory(kernel->name, index, size, NULL_LOCAL_MEMORY);
}

pi_mem driver_kernel_memory_of(const void *bytes) {
  return NULL;
}

pi_result driver_kernel_count_cooperative(pi_kernel kernel, size_t items, size_t local_memory,
                                          pi_uint32 *ret) {
  PI_TRY(kernel_check_items(kernel, &kernel->driver.limits, items));
  *ret = 1;
  return PI_SUCCESS;
}

pi_result driver_kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                              bool is_owned, pi_kernel *ret) {
  const pi_kernel ours = (pi_kernel)(void *)registry_find(PI_HANDLE_KERNEL, native, is_owned);
  PI_REQUIRE(ours, PI_ERROR_INVALID_KERNEL, "0x%zx is no kernel of the null driver",
             (size_t)native);
  *ret = ours;
  return PI_SUCCESS;
}

/* ---- Launches ---- */

static pi_result launch_kernel(sink *sink, pi_kernel kernel, pi_uint32 work_dim,
                               const size_t *offset, const size_t *global, const size_t *local) {
  PI_TRY(pi_check_launch(work_dim, offset, global));
  PI_REQUIRE(sink->context == kernel->build->context, PI_ERROR_INVALID_CONTEXT,
             "kernel %s is of another context", kernel->name);
  if (kernel->missing)
    return kernel_refuse_missing(kernel);
  const launch_range range = launch_range_of(work_dim, offset, global, local);
  launch_groups groups;
  if (range.has_local && !launch_make_groups(&kernel->driver.limits, &range, &groups))
    return launch_check_groups(kernel->name, &kernel->driver.limits, &range);
  PI_TRY(sink_begin(sink, SINK_COMPUTE));
  kernel_launched(kernel);
  return sink_end(sink, PI_SUCCESS);
}

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(NDRANGE_KERNEL, false);
  return launch_kernel(&sink, kernel, work_dim, global_work_offset, global_work_size,
                       local_work_size);
}

pi_result piextCommandBufferNDRangeKernel(pi_ext_command_buffer command_buffer, pi_kernel kernel,
                                          pi_uint32 work_dim, const size_t *global_work_offset,
                                          const size_t *global_work_size,
                                          const size_t *local_work_size,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_KERNEL(kernel);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return launch_kernel(&sink, kernel, work_dim, global_work_offset, global_work_size,
                       local_work_size);
}
