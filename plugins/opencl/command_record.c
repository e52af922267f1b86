/* The commands that a command buffer can record. Each has its PI entry and its replay function. */
#include "command_buffer.h"

#include "checks.h"

#include "../checks/launch.h"
#include "../checks/rect.h"

#include <string.h>

/* The last three arguments, which have the same names in all entries of this file. */
#define SYNC (&(command_sync){num_sync_points_in_wait_list, sync_point_wait_list, sync_point})

static pi_result replay_launch(const command *command, pi_queue queue, pi_uint32 wait_count,
                               const pi_event *wait_list, pi_event *event) {
  const launch_command *launch = &command->launch;
  return piEnqueueKernelLaunch(queue, pi_from_cl_kernel(command->kernel), launch->dimensions,
                               launch->has_offset ? launch->offset : NULL, launch->global,
                               launch->has_local ? launch->local : NULL, wait_count, wait_list,
                               event);
}

/* Records the kernel with its current arguments. Memory objects that are arguments must outlive the
 * command buffer. */
pi_result piextCommandBufferNDRangeKernel(pi_ext_command_buffer command_buffer, pi_kernel kernel,
                                          pi_uint32 work_dim, const size_t *global_work_offset,
                                          const size_t *global_work_size,
                                          const size_t *local_work_size,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_KERNEL(kernel);
  TRY(check_launch(work_dim, global_work_offset, global_work_size));
  command command = {.replay = replay_launch, .kernel = cl_from_kernel(kernel)};
  launch_command *launch = &command.launch;
  launch->dimensions = work_dim;
  launch->has_offset = global_work_offset != NULL;
  launch->has_local = local_work_size != NULL;
  memcpy(launch->global, global_work_size, work_dim * sizeof(size_t));
  if (global_work_offset)
    memcpy(launch->offset, global_work_offset, work_dim * sizeof(size_t));
  if (local_work_size)
    memcpy(launch->local, local_work_size, work_dim * sizeof(size_t));
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_usm_copy(const command *command, pi_queue queue, pi_uint32 wait_count,
                                 const pi_event *wait_list, pi_event *event) {
  const range_command *range = &command->range;
  return piextUSMEnqueueMemcpy(queue, PI_FALSE, range->destination, range->source, range->size,
                               wait_count, wait_list, event);
}

pi_result piextCommandBufferMemcpyUSM(pi_ext_command_buffer command_buffer, void *dst_ptr,
                                      const void *src_ptr, size_t size,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  const command command = {
      .replay = replay_usm_copy,
      .range = {.destination = dst_ptr, .source = src_ptr, .size = size},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_copy(const command *command, pi_queue queue, pi_uint32 wait_count,
                             const pi_event *wait_list, pi_event *event) {
  const range_command *range = &command->range;
  return piEnqueueMemBufferCopy(queue, pi_from_cl_mem(command->mems[0]),
                                pi_from_cl_mem(command->mems[1]), range->from, range->to,
                                range->size, wait_count, wait_list, event);
}

pi_result piextCommandBufferMemBufferCopy(pi_ext_command_buffer command_buffer, pi_mem src_buffer,
                                          pi_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  const command command = {
      .replay = replay_copy,
      .mems = {cl_from_mem(src_buffer), cl_from_mem(dst_buffer)},
      .range = {.from = src_offset, .to = dst_offset, .size = size},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_copy_rect(const command *command, pi_queue queue, pi_uint32 wait_count,
                                  const pi_event *wait_list, pi_event *event) {
  rect_command rect = command->rect;
  return piEnqueueMemBufferCopyRect(
      queue, pi_from_cl_mem(command->mems[0]), pi_from_cl_mem(command->mems[1]), &rect.first,
      &rect.second, &rect.region, rect.first_row_pitch, rect.first_slice_pitch,
      rect.second_row_pitch, rect.second_slice_pitch, wait_count, wait_list, event);
}

pi_result piextCommandBufferMemBufferCopyRect(
    pi_ext_command_buffer command_buffer, pi_mem src_buffer, pi_mem dst_buffer,
    pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin, pi_buff_rect_region region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_TWO_RECTS();
  const command command = {
      .replay = replay_copy_rect,
      .mems = {cl_from_mem(src_buffer), cl_from_mem(dst_buffer)},
      .rect = {.first = *src_origin,
               .second = *dst_origin,
               .region = *region,
               .first_row_pitch = src_row_pitch,
               .first_slice_pitch = src_slice_pitch,
               .second_row_pitch = dst_row_pitch,
               .second_slice_pitch = dst_slice_pitch},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_write(const command *command, pi_queue queue, pi_uint32 wait_count,
                              const pi_event *wait_list, pi_event *event) {
  const range_command *range = &command->range;
  return piEnqueueMemBufferWrite(queue, pi_from_cl_mem(command->mems[0]), PI_FALSE, range->to,
                                 range->size, range->source, wait_count, wait_list, event);
}

/* Reads the host memory each time that the command runs, like the other backends. */
pi_result piextCommandBufferMemBufferWrite(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                           size_t offset, size_t size, const void *ptr,
                                           pi_uint32 num_sync_points_in_wait_list,
                                           const pi_ext_sync_point *sync_point_wait_list,
                                           pi_ext_sync_point *sync_point) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  const command command = {
      .replay = replay_write,
      .mems = {cl_from_mem(buffer)},
      .range = {.to = offset, .size = size, .source = ptr},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_read(const command *command, pi_queue queue, pi_uint32 wait_count,
                             const pi_event *wait_list, pi_event *event) {
  const range_command *range = &command->range;
  return piEnqueueMemBufferRead(queue, pi_from_cl_mem(command->mems[0]), PI_FALSE, range->from,
                                range->size, range->destination, wait_count, wait_list, event);
}

pi_result piextCommandBufferMemBufferRead(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          size_t offset, size_t size, void *dst,
                                          pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(dst);
  const command command = {
      .replay = replay_read,
      .mems = {cl_from_mem(buffer)},
      .range = {.from = offset, .size = size, .destination = dst},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_write_rect(const command *command, pi_queue queue, pi_uint32 wait_count,
                                   const pi_event *wait_list, pi_event *event) {
  rect_command rect = command->rect;
  return piEnqueueMemBufferWriteRect(
      queue, pi_from_cl_mem(command->mems[0]), PI_FALSE, &rect.first, &rect.second, &rect.region,
      rect.first_row_pitch, rect.first_slice_pitch, rect.second_row_pitch, rect.second_slice_pitch,
      rect.source, wait_count, wait_list, event);
}

static pi_result replay_read_rect(const command *command, pi_queue queue, pi_uint32 wait_count,
                                  const pi_event *wait_list, pi_event *event) {
  rect_command rect = command->rect;
  return piEnqueueMemBufferReadRect(
      queue, pi_from_cl_mem(command->mems[0]), PI_FALSE, &rect.first, &rect.second, &rect.region,
      rect.first_row_pitch, rect.first_slice_pitch, rect.second_row_pitch, rect.second_slice_pitch,
      rect.destination, wait_count, wait_list, event);
}

#define HOST_RECT_COMMAND(function, pointer)                                                       \
  {                                                                                                \
    .replay = function, .mems = {cl_from_mem(buffer)},                                             \
    .rect = {.first = *buffer_offset,                                                              \
             .second = *host_offset,                                                               \
             .region = *region,                                                                    \
             .first_row_pitch = buffer_row_pitch,                                                  \
             .first_slice_pitch = buffer_slice_pitch,                                              \
             .second_row_pitch = host_row_pitch,                                                   \
             .second_slice_pitch = host_slice_pitch,                                               \
             .pointer = ptr},                                                                      \
  }

pi_result piextCommandBufferMemBufferWriteRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_HOST_RECT();
  const command command = HOST_RECT_COMMAND(replay_write_rect, source);
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

pi_result piextCommandBufferMemBufferReadRect(
    pi_ext_command_buffer command_buffer, pi_mem buffer, pi_buff_rect_offset buffer_offset,
    pi_buff_rect_offset host_offset, pi_buff_rect_region region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
    pi_uint32 num_sync_points_in_wait_list, const pi_ext_sync_point *sync_point_wait_list,
    pi_ext_sync_point *sync_point) {
  REQUIRE_HOST_RECT();
  const command command = HOST_RECT_COMMAND(replay_read_rect, destination);
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

static pi_result replay_fill(const command *command, pi_queue queue, pi_uint32 wait_count,
                             const pi_event *wait_list, pi_event *event) {
  const fill_command *fill = &command->fill;
  return piEnqueueMemBufferFill(queue, pi_from_cl_mem(command->mems[0]), command->pattern,
                                fill->pattern_size, fill->offset, fill->size, wait_count, wait_list,
                                event);
}

pi_result piextCommandBufferMemBufferFill(pi_ext_command_buffer command_buffer, pi_mem buffer,
                                          const void *pattern, size_t pattern_size, size_t offset,
                                          size_t size, pi_uint32 num_sync_points_in_wait_list,
                                          const pi_ext_sync_point *sync_point_wait_list,
                                          pi_ext_sync_point *sync_point) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  TRY(fill_check(pattern_size, "size", size));
  const command command = {
      .replay = replay_fill,
      .mems = {cl_from_mem(buffer)},
      .fill = {.offset = offset, .size = size, .pattern_size = pattern_size},
  };
  return command_buffer_append(command_buffer, &command, pattern, SYNC);
}

/* Fills one row with piextUSMEnqueueFill2D, because that takes patterns of any size. */
static pi_result replay_usm_fill(const command *command, pi_queue queue, pi_uint32 wait_count,
                                 const pi_event *wait_list, pi_event *event) {
  const fill_command *fill = &command->fill;
  return piextUSMEnqueueFill2D(queue, fill->pointer, fill->size, fill->pattern_size,
                               command->pattern, fill->size, 1, wait_count, wait_list, event);
}

pi_result piextCommandBufferFillUSM(pi_ext_command_buffer command_buffer, void *ptr,
                                    const void *pattern, size_t pattern_size, size_t size,
                                    pi_uint32 num_sync_points_in_wait_list,
                                    const pi_ext_sync_point *sync_point_wait_list,
                                    pi_ext_sync_point *sync_point) {
  REQUIRE_POINTER(ptr);
  REQUIRE_POINTER(pattern);
  TRY(fill_check(pattern_size, "size", size));
  const command command = {
      .replay = replay_usm_fill,
      .fill = {.pointer = ptr, .size = size, .pattern_size = pattern_size},
  };
  return command_buffer_append(command_buffer, &command, pattern, SYNC);
}

static pi_result replay_prefetch(const command *command, pi_queue queue, pi_uint32 wait_count,
                                 const pi_event *wait_list, pi_event *event) {
  const hint_command *hint = &command->hint;
  return piextUSMEnqueuePrefetch(queue, hint->pointer, hint->size, hint->flags, wait_count,
                                 wait_list, event);
}

pi_result piextCommandBufferPrefetchUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                        size_t size, pi_usm_migration_flags flags,
                                        pi_uint32 num_sync_points_in_wait_list,
                                        const pi_ext_sync_point *sync_point_wait_list,
                                        pi_ext_sync_point *sync_point) {
  REQUIRE_POINTER(ptr);
  const command command = {
      .replay = replay_prefetch,
      .hint = {.pointer = ptr, .size = size, .flags = flags},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}

/* Enqueues a barrier for the wait list first, because piextUSMEnqueueMemAdvise has none. */
static pi_result replay_advise(const command *command, pi_queue queue, pi_uint32 wait_count,
                               const pi_event *wait_list, pi_event *event) {
  const hint_command *hint = &command->hint;
  if (wait_count != 0)
    TRY(piEnqueueEventsWaitWithBarrier(queue, wait_count, wait_list, NULL));
  return piextUSMEnqueueMemAdvise(queue, hint->pointer, hint->size, hint->advice, event);
}

pi_result piextCommandBufferAdviseUSM(pi_ext_command_buffer command_buffer, const void *ptr,
                                      size_t length, pi_mem_advice advice,
                                      pi_uint32 num_sync_points_in_wait_list,
                                      const pi_ext_sync_point *sync_point_wait_list,
                                      pi_ext_sync_point *sync_point) {
  REQUIRE_POINTER(ptr);
  const command command = {
      .replay = replay_advise,
      .hint = {.pointer = ptr, .size = length, .advice = advice},
  };
  return command_buffer_append(command_buffer, &command, NULL, SYNC);
}
