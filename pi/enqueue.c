/* PI's entries for markers, barriers, variables, and commands on buffers. */
#include "../plugins/objects/buffer_command.h"
#include "../plugins/objects/memory_map.h"
#include "../plugins/objects/queue_command.h"
#include "sinks.h"

pi_result piEnqueueEventsWait(pi_queue queue, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MARKER, false);
  return marker_enqueue(&sink, num_events_in_wait_list == 0);
}

pi_result piEnqueueEventsWaitWithBarrier(pi_queue queue, pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(BARRIER, false);
  return barrier_enqueue(&sink, num_events_in_wait_list == 0);
}

pi_result piEnqueueMemBufferRead(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                 size_t offset, size_t size, void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_READ, blocking_read != PI_FALSE);
  return buffer_read(&sink, buffer, offset, size, ptr);
}

pi_result piEnqueueMemBufferWrite(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                  size_t offset, size_t size, const void *ptr,
                                  pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_WRITE, blocking_write != PI_FALSE);
  return buffer_write(&sink, buffer, offset, size, ptr);
}

pi_result piEnqueueMemBufferCopy(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                 size_t src_offset, size_t dst_offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_COPY, false);
  return buffer_copy(&sink, src_buffer, dst_buffer, src_offset, dst_offset, size);
}

pi_result piEnqueueMemBufferFill(pi_queue queue, pi_mem buffer, const void *pattern,
                                 size_t pattern_size, size_t offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_FILL, false);
  return buffer_fill(&sink, buffer, pattern, pattern_size, offset, size);
}

pi_result piEnqueueMemBufferMap(pi_queue queue, pi_mem buffer, pi_bool blocking_map,
                                pi_map_flags map_flags, size_t offset, size_t size,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event, void **ret_map) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ret_map);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_MAP, blocking_map != PI_FALSE);
  return memory_map_buffer(&sink, buffer, map_flags, offset, size, ret_map);
}

pi_result piEnqueueMemUnmap(pi_queue queue, pi_mem memobj, void *mapped_ptr,
                            pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                            pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(memobj);
  REQUIRE_POINTER(mapped_ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_UNMAP, false);
  return memory_unmap(&sink, memobj, mapped_ptr);
}

/* ---- Rectangles ---- */

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

/* ---- Variables ---- */

pi_result piextEnqueueDeviceGlobalVariableWrite(pi_queue queue, pi_program program,
                                                const char *name, pi_bool blocking_write,
                                                size_t count, size_t offset, const void *src,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(name);
  REQUIRE_POINTER(src);
  REQUIRE_WAIT_LIST();
  const variable_copy copy = {program, name, count, offset, .from = src};
  sink sink = SINK_OF_QUEUE(DEVICE_GLOBAL_VARIABLE_WRITE, blocking_write != PI_FALSE);
  return program_copy_variable(&sink, &copy);
}

pi_result piextEnqueueDeviceGlobalVariableRead(pi_queue queue, pi_program program, const char *name,
                                               pi_bool blocking_read, size_t count, size_t offset,
                                               void *dst, pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(name);
  REQUIRE_POINTER(dst);
  REQUIRE_WAIT_LIST();
  const variable_copy copy = {program, name, count, offset, .to = dst};
  sink sink = SINK_OF_QUEUE(DEVICE_GLOBAL_VARIABLE_READ, blocking_read != PI_FALSE);
  return program_copy_variable(&sink, &copy);
}
