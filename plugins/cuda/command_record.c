/* What can be recorded in a command buffer, but for launches (command_kernel.c). */
#include "checks.h"
#include "command_buffer.h"
#include "rect.h"
#include "usm.h"
#include "usm_advice.h"

/* The parameters that end each recording entry. */
#define BEGIN(recording)                                                                           \
  recording_begin(command_buffer, num_sync_points_in_wait_list, sync_point_wait_list, (recording))

static pi_result check_mem(pi_ext_command_buffer buffer, pi_mem mem) {
  PI_REQUIRE(mem->context == buffer->context, PI_ERROR_INVALID_CONTEXT,
             "the memory object is of another context than the command buffer");
  return PI_SUCCESS;
}

/* A copy whose places were checked, between memory of up to two objects, which are kept. */
static pi_result record_copy(recording *recording, const transfer *transfer, pi_mem first,
                             pi_mem second) {
  if (first)
    PI_TRY(recording_hold_memory(recording, first));
  if (second)
    PI_TRY(recording_hold_memory(recording, second));
  return recording_copy(recording, transfer);
}

pi_result piextCommandBufferMemcpyUSM(pi_ext_command_buffer command_buffer, void *dst_ptr,
                                      const void *src_ptr, size_t size,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  PI_TRY(cuda_enter(command_buffer->context));
  usm_range range;
  PI_TRY(usm_check("dst_ptr", dst_ptr, size, &range));
  PI_TRY(usm_check("src_ptr", src_ptr, size, &range));
  const transfer copy = transfer_plain(cu_pointer(dst_ptr), cu_pointer(src_ptr), size);
  PI_REQUIRE(size == 0 || !transfer_ranges_meet(copy.from.start, copy.to.start, size),
             PI_ERROR_MEM_COPY_OVERLAP, "the %zu bytes at dst_ptr and at src_ptr overlap", size);
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &copy, NULL, NULL), sync_point);
}

pi_result piextCommandBufferMemBufferCopy(pi_ext_command_buffer command_buffer, pi_mem src_buffer,
                                          pi_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  PI_TRY(check_mem(command_buffer, src_buffer));
  PI_TRY(check_mem(command_buffer, dst_buffer));
  PI_TRY(memory_check_range(src_buffer, src_offset, size));
  PI_TRY(memory_check_range(dst_buffer, dst_offset, size));
  const transfer copy = transfer_plain(cu_pointer(dst_buffer->pointer) + dst_offset,
                                       cu_pointer(src_buffer->pointer) + src_offset, size);
  PI_REQUIRE(size == 0 || !transfer_ranges_meet(copy.from.start, copy.to.start, size),
             PI_ERROR_MEM_COPY_OVERLAP,
             "%zu bytes from offset %zu on and from offset %zu on overlap", size, src_offset,
             dst_offset);
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &copy, src_buffer, dst_buffer),
                       sync_point);
}

pi_result piextCommandBufferMemBufferCopyRect(
    pi_ext_command_buffer command_buffer, pi_mem src_buffer, pi_mem dst_buffer,
    pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin, pi_buff_rect_region region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  PI_TRY(check_mem(command_buffer, src_buffer));
  PI_TRY(check_mem(command_buffer, dst_buffer));
  const rect_side from = {"src_buffer", src_origin, src_row_pitch, src_slice_pitch};
  const rect_side to = {"dst_buffer", dst_origin, dst_row_pitch, dst_slice_pitch};
  transfer copy;
  PI_TRY(rect_between(&from, src_buffer, &to, dst_buffer, region, &copy));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &copy, src_buffer, dst_buffer),
                       sync_point);
}

pi_result piextCommandBufferMemBufferWrite(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                           size_t offset, size_t size, const void *ptr,
                                           pi_uint32 num_sync_points_in_wait_list,
                                           const pi_ext_sync_point *sync_point_wait_list,
                                           pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  PI_TRY(check_mem(command_buffer, buffer));
  PI_TRY(memory_check_range(buffer, offset, size));
  const transfer write =
      transfer_plain(cu_pointer(buffer->pointer) + offset, cu_pointer(ptr), size);
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &write, buffer, NULL), sync_point);
}

pi_result piextCommandBufferMemBufferRead(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          size_t offset, size_t size, void *dst,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(dst);
  PI_TRY(check_mem(command_buffer, buffer));
  PI_TRY(memory_check_range(buffer, offset, size));
  const transfer read = transfer_plain(cu_pointer(dst), cu_pointer(buffer->pointer) + offset, size);
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &read, buffer, NULL), sync_point);
}

pi_result piextCommandBufferMemBufferWriteRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  PI_TRY(check_mem(command_buffer, buffer));
  const rect_side device = {"buffer", buffer_offset, buffer_row_pitch, buffer_slice_pitch};
  const rect_side host = {"ptr", host_offset, host_row_pitch, host_slice_pitch};
  transfer write;
  PI_TRY(rect_from_host(&host, ptr, &device, buffer, region, &write));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &write, buffer, NULL), sync_point);
}

pi_result piextCommandBufferMemBufferReadRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  PI_TRY(check_mem(command_buffer, buffer));
  const rect_side device = {"buffer", buffer_offset, buffer_row_pitch, buffer_slice_pitch};
  const rect_side host = {"ptr", host_offset, host_row_pitch, host_slice_pitch};
  transfer read;
  PI_TRY(rect_to_host(&device, buffer, &host, ptr, region, &read));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, record_copy(&recording, &read, buffer, NULL), sync_point);
}

static pi_result check_pattern(const void *pattern, size_t pattern_size, size_t size) {
  REQUIRE_POINTER(pattern);
  PI_REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  PI_REQUIRE(size % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "size %zu is not a multiple of pattern_size %zu", size, pattern_size);
  return PI_SUCCESS;
}

static pi_result record_fill(recording *recording, pi_mem buffer, CUdeviceptr pointer, size_t size,
                             const void *pattern, size_t pattern_size) {
  const fill_rows rows = {pointer, size, size, 1};
  if (buffer)
    PI_TRY(recording_hold_memory(recording, buffer));
  return recording_fill(recording, &rows, pattern, pattern_size);
}

pi_result piextCommandBufferMemBufferFill(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          const void *pattern, size_t pattern_size, size_t offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_MEM(buffer);
  PI_TRY(check_pattern(pattern, pattern_size, size));
  PI_REQUIRE(offset % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "offset %zu is not a multiple of pattern_size %zu", offset, pattern_size);
  PI_TRY(check_mem(command_buffer, buffer));
  PI_TRY(memory_check_range(buffer, offset, size));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording,
                       record_fill(&recording, buffer, cu_pointer(buffer->pointer) + offset, size,
                                   pattern, pattern_size),
                       sync_point);
}

pi_result piextCommandBufferFillUSM(pi_ext_command_buffer command_buffer, void *ptr,
                                    const void *pattern, size_t pattern_size, size_t size,
                                    pi_uint32 num_sync_points_in_wait_list,
                                    const pi_ext_sync_point *sync_point_wait_list,
                                    pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  PI_TRY(check_pattern(pattern, pattern_size, size));
  PI_TRY(cuda_enter(command_buffer->context));
  usm_range range;
  PI_TRY(usm_check_reached(command_buffer->context, "ptr", ptr, size, &range));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording,
                       record_fill(&recording, NULL, cu_pointer(ptr), size, pattern, pattern_size),
                       sync_point);
}

/* CUDA's graphs have no node for hints: they keep their place in the order, and nothing else. */
static pi_result record_hint(pi_ext_command_buffer command_buffer, const void *ptr, size_t size,
                             pi_uint32 num_sync_points_in_wait_list,
                             const pi_ext_sync_point *sync_point_wait_list,
                             pi_ext_sync_point *sync_point) {
  PI_TRY(cuda_enter(command_buffer->context));
  usm_range range;
  PI_TRY(usm_check("ptr", ptr, size, &range));
  recording recording;
  PI_TRY(BEGIN(&recording));
  return recording_end(&recording, recording_empty(&recording), sync_point);
}

pi_result piextCommandBufferPrefetchUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                        size_t size, pi_usm_migration_flags flags,
                                        pi_uint32 num_sync_points_in_wait_list,
                                        const pi_ext_sync_point *sync_point_wait_list,
                                        pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  PI_REQUIRE(flags == 0, PI_ERROR_INVALID_VALUE, "flags is 0x%llx, PI has none with a meaning yet",
             (unsigned long long)flags);
  return record_hint(command_buffer, ptr, size, num_sync_points_in_wait_list, sync_point_wait_list,
                     sync_point);
}

pi_result piextCommandBufferAdviseUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                      size_t length, pi_mem_advice advice,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_POINTER(ptr);
  usm_advice list[USM_ADVICE_MAX];
  size_t count;
  PI_TRY(usm_advice_read(advice, list, &count));
  return record_hint(command_buffer, ptr, length, num_sync_points_in_wait_list,
                     sync_point_wait_list, sync_point);
}
