/* Launches in a command buffer. */
#include "checks.h"
#include "command_buffer.h"
#include "kernel.h"
#include "sampler.h"

static void release_kernel(void *object) {
  kernel_release(object);
}

static void release_sampler(void *object) {
  sampler_release(object);
}

static pi_result hold_argument(recording *recording, pi_handle *object) {
  if (pi_handle_is(object, PI_HANDLE_MEM))
    return recording_hold_memory(recording, (pi_mem)(void *)object);
  if (!pi_handle_is(object, PI_HANDLE_SAMPLER))
    return PI_SUCCESS;
  PI_TRY(recording_hold(recording, object, release_sampler));
  pi_handle_retain(object);
  return PI_SUCCESS;
}

/*
 * The list has copies of the arguments' values. The code, and the objects among the arguments, live
 * as long as the buffer.
 */
static pi_result record_kernel(recording *recording, pi_kernel kernel,
                               const kernel_launch *launch) {
  queue_command *command = &recording->command;
  PI_TRY(recording_hold(recording, kernel, release_kernel));
  kernel_retain(kernel);
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    PI_TRY(hold_argument(recording, kernel->arguments[i].object));
  kernel_launched(kernel);
  recording->is_appending = true;
  command->is_single = true;
  if (launch->is_empty)
    return queue_marker(command, false);
  ZE_TRY(CommandListAppendLaunchKernel, command->list, launch->kernel, &launch->groups,
         command->signal, command->wait_count, command->waits);
  return PI_SUCCESS;
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
  recording recording;
  PI_TRY(recording_begin(command_buffer, num_sync_points_in_wait_list, sync_point_wait_list,
                         &recording));
  kernel_launch launch;
  pi_result result =
      kernel_prepare(kernel, command_buffer->context, command_buffer->device, work_dim,
                     global_work_offset, global_work_size, local_work_size, &launch);
  if (result == PI_SUCCESS) {
    result = record_kernel(&recording, kernel, &launch);
    kernel_finish(kernel);
  }
  return recording_end(&recording, result, sync_point);
}
