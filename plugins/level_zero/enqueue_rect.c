/* Commands on rectangles of buffers. */
#include "checks.h"
#include "memory.h"
#include "queue.h"
#include "rect.h"

pi_result piEnqueueMemBufferReadRect(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                     pi_buff_rect_offset buffer_offset,
                                     pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                     size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                     size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  const rect_side device = {"buffer", buffer_offset, buffer_row_pitch, buffer_slice_pitch};
  const rect_side host = {"ptr", host_offset, host_row_pitch, host_slice_pitch};
  transfer read;
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(rect_to_host(&device, buffer, &host, ptr, region, &read));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT, QUEUE_COPY,
                     num_events_in_wait_list, event_wait_list, event != NULL, &command));
  return queue_conclude_started(&command, transfer_append(&command, &read),
                                blocking_read != PI_FALSE, event);
}

pi_result piEnqueueMemBufferWriteRect(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                      pi_buff_rect_offset buffer_offset,
                                      pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                      size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                      size_t host_row_pitch, size_t host_slice_pitch,
                                      const void *ptr, pi_uint32 num_events_in_wait_list,
                                      const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  const rect_side device = {"buffer", buffer_offset, buffer_row_pitch, buffer_slice_pitch};
  const rect_side host = {"ptr", host_offset, host_row_pitch, host_slice_pitch};
  transfer write;
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(rect_from_host(&host, ptr, &device, buffer, region, &write));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT, QUEUE_COPY,
                     num_events_in_wait_list, event_wait_list, event != NULL, &command));
  return queue_conclude_started(&command, transfer_append(&command, &write),
                                blocking_write != PI_FALSE, event);
}

pi_result piEnqueueMemBufferCopyRect(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                     pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin,
                                     pi_buff_rect_region region, size_t src_row_pitch,
                                     size_t src_slice_pitch, size_t dst_row_pitch,
                                     size_t dst_slice_pitch, pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  const rect_side from = {"src_buffer", src_origin, src_row_pitch, src_slice_pitch};
  const rect_side to = {"dst_buffer", dst_origin, dst_row_pitch, dst_slice_pitch};
  transfer copy;
  PI_TRY(memory_check_queue(src_buffer, queue));
  PI_TRY(memory_check_queue(dst_buffer, queue));
  PI_TRY(rect_between(&from, src_buffer, &to, dst_buffer, region, &copy));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT, QUEUE_COPY,
                     num_events_in_wait_list, event_wait_list, event != NULL, &command));
  return queue_conclude_started(&command, transfer_append(&command, &copy), false, event);
}
