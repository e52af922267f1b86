/* Launches in a command buffer. */
#include "checks.h"
#include "command_buffer.h"

static void release_kernel(void *object) {
  kernel_release(object);
}

/*
 * The node has copies of the arguments' values. The code, and the memory objects among the
 * arguments, live as long as the buffer.
 */
static pi_result record_launch(sink *sink, pi_kernel kernel, const kernel_launch *launch) {
  PI_TRY(sink_hold(sink, kernel, release_kernel));
  kernel_retain(kernel);
  for (pi_uint32 i = 0; i < kernel->argument_count; i++)
    if (pi_handle_is(kernel->arguments[i].object, PI_HANDLE_MEM))
      PI_TRY(sink_hold_memory(sink, (pi_mem)(void *)kernel->arguments[i].object));
  kernel_launched(kernel);
  return launch->is_empty ? driver_marker(sink, false) : record_kernel(sink, launch);
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
  sink sink = sink_of_command_buffer(command_buffer, num_sync_points_in_wait_list,
                                     sync_point_wait_list, sync_point);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  kernel_launch launch;
  pi_result result = kernel_prepare(kernel, command_buffer->context, work_dim, global_work_offset,
                                    global_work_size, local_work_size, &launch);
  if (result == PI_SUCCESS)
    result = record_launch(&sink, kernel, &launch);
  return sink_end(&sink, result);
}
