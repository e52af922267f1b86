/* PI's entries for commands on rectangles of buffers. */
#include "../plugins/objects/buffer_command.h"
#include "sinks.h"

pi_result piEnqueueMemBufferReadRect(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                     pi_buff_rect_offset buffer_offset,
                                     pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                     size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                     size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_HOST_RECT();
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_READ_RECT, blocking_read != PI_FALSE);
  return buffer_read_rect(&sink, &DEVICE_SIDE, buffer, &HOST_SIDE, ptr, region);
}

pi_result piEnqueueMemBufferWriteRect(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                      pi_buff_rect_offset buffer_offset,
                                      pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                      size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                      size_t host_row_pitch, size_t host_slice_pitch,
                                      const void *ptr, pi_uint32 num_events_in_wait_list,
                                      const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_HOST_RECT();
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_WRITE_RECT, blocking_write != PI_FALSE);
  return buffer_write_rect(&sink, &HOST_SIDE, ptr, &DEVICE_SIDE, buffer, region);
}

pi_result piEnqueueMemBufferCopyRect(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                     pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin,
                                     pi_buff_rect_region region, size_t src_row_pitch,
                                     size_t src_slice_pitch, size_t dst_row_pitch,
                                     size_t dst_slice_pitch, pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_TWO_RECTS();
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_COPY_RECT, false);
  return buffer_copy_rect(&sink, &FROM_SIDE, src_buffer, &TO_SIDE, dst_buffer, region);
}

/* ---- Recording in command buffers ---- */

pi_result piextCommandBufferMemBufferReadRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_HOST_RECT();
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_read_rect(&sink, &DEVICE_SIDE, buffer, &HOST_SIDE, ptr, region);
}

pi_result piextCommandBufferMemBufferWriteRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_HOST_RECT();
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_write_rect(&sink, &HOST_SIDE, ptr, &DEVICE_SIDE, buffer, region);
}

pi_result piextCommandBufferMemBufferCopyRect(
    pi_ext_command_buffer command_buffer, pi_mem src_buffer, pi_mem dst_buffer,
    pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin, pi_buff_rect_region region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_TWO_RECTS();
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_copy_rect(&sink, &FROM_SIDE, src_buffer, &TO_SIDE, dst_buffer, region);
}
