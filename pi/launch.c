/* PI's entries for launches, in a queue and in a command buffer. */
#include "sinks.h"

#include "../plugins/objects/launch_kernel.h"

pi_result piEnqueueKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                const size_t *global_work_offset, const size_t *global_work_size,
                                const size_t *local_work_size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(NDRANGE_KERNEL, false);
  return launch_kernel(&sink, kernel, work_dim, global_work_offset, global_work_size,
                       local_work_size, false);
}

pi_result piextEnqueueCooperativeKernelLaunch(pi_queue queue, pi_kernel kernel, pi_uint32 work_dim,
                                              const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size,
                                              pi_uint32 num_events_in_wait_list,
                                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_KERNEL(kernel);
  REQUIRE_WAIT_LIST();
  TRY(launch_check_cooperative_local(local_work_size));
  sink sink = SINK_OF_QUEUE(NDRANGE_KERNEL, false);
  return launch_kernel(&sink, kernel, work_dim, global_work_offset, global_work_size,
                       local_work_size, true);
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
                       local_work_size, false);
}
