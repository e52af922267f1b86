/* PI's entries that record commands in a command buffer. Launches are in launch.c. */
#include "../plugins/checks/usm_arguments.h"
#include "../plugins/objects/buffer_command.h"
#include "../plugins/objects/usm_command.h"
#include "sinks.h"

pi_result piextCommandBufferMemcpyUSM(pi_ext_command_buffer command_buffer, void *dst_ptr,
                                      const void *src_ptr, size_t size,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return usm_copy(&sink, dst_ptr, src_ptr, size);
}

pi_result piextCommandBufferFillUSM(pi_ext_command_buffer command_buffer, void *ptr,
                                    const void *pattern, size_t pattern_size, size_t size,
                                    pi_uint32 num_sync_points_in_wait_list,
                                    const pi_ext_sync_point *sync_point_wait_list,
                                    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_POINTER(pattern);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return usm_fill(&sink, ptr, pattern, pattern_size, size);
}

pi_result piextCommandBufferPrefetchUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                        size_t size, pi_usm_migration_flags flags,
                                        pi_uint32 num_sync_points_in_wait_list,
                                        const pi_ext_sync_point *sync_point_wait_list,
                                        pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  sink sink = SINK_OF_COMMAND_BUFFER();
  TRY(check_usm_migration(flags));
  return usm_prefetch(&sink, ptr, size, false);
}

pi_result piextCommandBufferAdviseUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                      size_t length, pi_mem_advice advice,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return usm_advise(&sink, ptr, length, advice);
}

pi_result piextCommandBufferMemBufferCopy(pi_ext_command_buffer command_buffer, pi_mem src_buffer,
                                          pi_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_copy(&sink, src_buffer, dst_buffer, src_offset, dst_offset, size);
}

pi_result piextCommandBufferMemBufferWrite(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                           size_t offset, size_t size, const void *ptr,
                                           pi_uint32 num_sync_points_in_wait_list,
                                           const pi_ext_sync_point *sync_point_wait_list,
                                           pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_write(&sink, buffer, offset, size, ptr);
}

pi_result piextCommandBufferMemBufferRead(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          size_t offset, size_t size, void *dst,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(dst);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_read(&sink, buffer, offset, size, dst);
}

pi_result piextCommandBufferMemBufferFill(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          const void *pattern, size_t pattern_size, size_t offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  sink sink = SINK_OF_COMMAND_BUFFER();
  return buffer_fill(&sink, buffer, pattern, pattern_size, offset, size);
}

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
