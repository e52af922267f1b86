/* Commands on rectangles of buffers. */
#include "checks.h"
#include "memory.h"
#include "queue.h"
#include "transfer.h"

/* *sum += count * size; false when that is more than a size_t holds. */
static bool add_product(size_t *sum, size_t count, size_t size) {
  size_t product;
  return !__builtin_mul_overflow(count, size, &product) &&
         !__builtin_add_overflow(*sum, product, sum);
}

static pi_result check_region(pi_buff_rect_region region) {
  PI_REQUIRE(region->width_bytes != 0 && region->height_scalar != 0 && region->depth_scalar != 0,
             PI_ERROR_INVALID_VALUE, "the region is %zu bytes x %zu rows x %zu slices",
             region->width_bytes, region->height_scalar, region->depth_scalar);
  return PI_SUCCESS;
}

/* One side of a rectangle, before its place in memory is known. */
typedef struct rect_side {
  const char *name;
  pi_buff_rect_offset offset;
  size_t row_pitch, slice_pitch; /* 0: tightly packed */
} rect_side;

/* The distances and the first byte of a side, relative to its memory; *end is behind the last. */
static pi_result place(const rect_side *side, pi_buff_rect_region region, transfer_side *placed,
                       size_t *end) {
  size_t rows = 0, start = 0;
  const size_t row = side->row_pitch ? side->row_pitch : region->width_bytes;
  const bool has_rows = add_product(&rows, region->height_scalar, row);
  const size_t slice = side->slice_pitch ? side->slice_pitch : rows;
  PI_REQUIRE(row >= region->width_bytes, PI_ERROR_INVALID_VALUE,
             "the row pitch of %s is %zu, its rows have %zu bytes", side->name, row,
             region->width_bytes);
  PI_REQUIRE(has_rows && slice >= rows, PI_ERROR_INVALID_VALUE,
             "the slice pitch of %s is %zu, its slices have %zu rows with a pitch of %zu",
             side->name, slice, region->height_scalar, row);
  bool fits = add_product(&start, side->offset->z_scalar, slice) &&
              add_product(&start, side->offset->y_scalar, row) &&
              add_product(&start, side->offset->x_bytes, 1);
  *end = start;
  fits = fits && add_product(end, region->depth_scalar - 1, slice) &&
         add_product(end, region->height_scalar - 1, row) &&
         add_product(end, region->width_bytes, 1);
  PI_REQUIRE(fits, PI_ERROR_INVALID_VALUE,
             "the region of %s does not end inside of the memory that there can be", side->name);
  *placed = (transfer_side){start, row, slice};
  return PI_SUCCESS;
}

static pi_result place_in_buffer(const rect_side *side, pi_mem buffer, pi_buff_rect_region region,
                                 transfer_side *placed) {
  size_t end;
  PI_REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "%s is an image",
             side->name);
  PI_TRY(place(side, region, placed, &end));
  PI_REQUIRE(end <= buffer->size, PI_ERROR_INVALID_VALUE,
             "the region of %zux%zux%zu at %zu, %zu, %zu with pitches %zu and %zu leaves %s, which "
             "has %zu bytes",
             region->width_bytes, region->height_scalar, region->depth_scalar,
             side->offset->x_bytes, side->offset->y_scalar, side->offset->z_scalar, placed->row,
             placed->slice, side->name, buffer->size);
  placed->start += buffer->pointer;
  return PI_SUCCESS;
}

static pi_result place_in_host(const rect_side *side, const void *pointer,
                               pi_buff_rect_region region, transfer_side *placed) {
  size_t end;
  PI_TRY(place(side, region, placed, &end));
  PI_REQUIRE(end <= UINTPTR_MAX - (uintptr_t)pointer, PI_ERROR_INVALID_VALUE,
             "the region at ptr does not end inside of the memory that there can be");
  placed->start += cu_pointer(pointer);
  return PI_SUCCESS;
}

static void set_region(transfer *transfer, pi_buff_rect_region region) {
  transfer->width = region->width_bytes;
  transfer->height = region->height_scalar;
  transfer->depth = region->depth_scalar;
}

/* What a command of possibly several copies, between the device and the host, ends with. */
static pi_result finish(queue_command *command, pi_result result, bool blocking, pi_event *event) {
  if (result != PI_SUCCESS)
    return queue_cancel_started(command, result);
  return queue_end(command, blocking, event);
}

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
  PI_TRY(check_region(region));
  PI_TRY(place_in_buffer(&device, buffer, region, &read.from));
  PI_TRY(place_in_host(&host, ptr, region, &read.to));
  set_region(&read, region);
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_READ_RECT, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const pi_result result =
      transfer_to_host(queue->context, command.stream, &read, blocking_read != PI_FALSE);
  return finish(&command, result, blocking_read != PI_FALSE, event);
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
  PI_TRY(check_region(region));
  PI_TRY(place_in_buffer(&device, buffer, region, &write.to));
  PI_TRY(place_in_host(&host, ptr, region, &write.from));
  set_region(&write, region);
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_WRITE_RECT, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const pi_result result =
      transfer_from_host(queue->context, command.stream, &write, blocking_write != PI_FALSE);
  return finish(&command, result, blocking_write != PI_FALSE, event);
}

static pi_mem whole(pi_mem buffer) {
  return buffer->parent ? buffer->parent : buffer;
}

/* Of rectangles in one buffer the pitches must be equal: then it is known whether they overlap. */
static pi_result check_overlap(pi_mem source, pi_mem target, const transfer *copy) {
  if (whole(source) != whole(target))
    return PI_SUCCESS;
  PI_REQUIRE(copy->from.row == copy->to.row && copy->from.slice == copy->to.slice,
             PI_ERROR_INVALID_VALUE,
             "the rectangles are in one buffer and have different pitches, %zu and %zu, %zu and "
             "%zu",
             copy->from.row, copy->from.slice, copy->to.row, copy->to.slice);
  PI_REQUIRE(!transfer_overlaps(copy), PI_ERROR_MEM_COPY_OVERLAP,
             "the rectangles of src_buffer and dst_buffer overlap");
  return PI_SUCCESS;
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
  PI_TRY(check_region(region));
  PI_TRY(place_in_buffer(&from, src_buffer, region, &copy.from));
  PI_TRY(place_in_buffer(&to, dst_buffer, region, &copy.to));
  set_region(&copy, region);
  PI_TRY(check_overlap(src_buffer, dst_buffer, &copy));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_COPY_RECT, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  return finish(&command, transfer_enqueue(queue->context, command.stream, &copy), false, event);
}
