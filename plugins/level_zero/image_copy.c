/* Commands that read, write and copy parts of images. Fills are in image_fill.c. */
#include "checks.h"
#include "image_transfer.h"
#include "usm.h"

/* Checks what reads and writes have in common, and makes a transfer of it. */
static pi_result prepare(pi_queue queue, pi_mem image, pi_image_offset origin,
                         pi_image_region region, size_t row_pitch, size_t slice_pitch,
                         const void *ptr, image_transfer *ret) {
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  PI_TRY(image_check(queue, image, "image"));
  const level_zero_image *self = image->driver.image;
  image_box box;
  PI_TRY(image_region_read(&self->shape, origin, region, &box));
  const image_extent extent = {box.width * self->pixel.size, box.height, box.depth};
  size_t size;
  PI_TRY(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row_pitch, &slice_pitch, &size));
  usm_range range;
  PI_TRY(usm_check(queue->context, "ptr", ptr, size, &range));
  /* The driver's structure serves both directions; a write only reads. */
  union {
    const void *from;
    void *to;
  } memory = {ptr};
  *ret = (image_transfer){.image = self,
                          .box = box,
                          .memory = memory.to,
                          .row_pitch = row_pitch,
                          .slice_pitch = slice_pitch};
  return PI_SUCCESS;
}

static pi_result enqueue(pi_queue queue, pi_command_type type, const image_transfer *transfer,
                         bool blocking, pi_uint32 num_events_in_wait_list,
                         const pi_event *event_wait_list, pi_event *event) {
  sink sink = sink_of_queue(queue, type, num_events_in_wait_list, event_wait_list, blocking, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  return sink_end(&sink, image_transfer_append(&sink, transfer));
}

pi_result piEnqueueMemImageRead(pi_queue queue, pi_mem image, pi_bool blocking_read,
                                pi_image_offset origin, pi_image_region region, size_t row_pitch,
                                size_t slice_pitch, void *ptr, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  image_transfer read;
  PI_TRY(prepare(queue, image, origin, region, row_pitch, slice_pitch, ptr, &read));
  read.is_to_memory = true;
  return enqueue(queue, PI_COMMAND_TYPE_IMAGE_READ, &read, blocking_read != PI_FALSE,
                 num_events_in_wait_list, event_wait_list, event);
}

pi_result piEnqueueMemImageWrite(pi_queue queue, pi_mem image, pi_bool blocking_write,
                                 pi_image_offset origin, pi_image_region region,
                                 size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  image_transfer write;
  PI_TRY(prepare(queue, image, origin, region, input_row_pitch, input_slice_pitch, ptr, &write));
  return enqueue(queue, PI_COMMAND_TYPE_IMAGE_WRITE, &write, blocking_write != PI_FALSE,
                 num_events_in_wait_list, event_wait_list, event);
}

static pi_result check_same_format(const level_zero_image *src, const level_zero_image *dst) {
  PI_REQUIRE(src->format.image_channel_order == dst->format.image_channel_order &&
                 src->format.image_channel_data_type == dst->format.image_channel_data_type,
             PI_ERROR_IMAGE_FORMAT_MISMATCH, "src_image and dst_image have different formats");
  return PI_SUCCESS;
}

pi_result piEnqueueMemImageCopy(pi_queue queue, pi_mem src_image, pi_mem dst_image,
                                pi_image_offset src_origin, pi_image_offset dst_origin,
                                pi_image_region region, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_image);
  REQUIRE_MEM(dst_image);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  PI_TRY(image_check(queue, src_image, "src_image"));
  PI_TRY(image_check(queue, dst_image, "dst_image"));
  const level_zero_image *src = src_image->driver.image, *dst = dst_image->driver.image;
  PI_TRY(check_same_format(src, dst));
  image_box from, to;
  PI_TRY(image_region_read(&src->shape, src_origin, region, &from));
  PI_TRY(image_region_read(&dst->shape, dst_origin, region, &to));
  PI_REQUIRE(src->image != dst->image || !image_boxes_overlap(&from, &to),
             PI_ERROR_MEM_COPY_OVERLAP, "the two parts of the image overlap");
  const ze_image_region_t here = image_region_of(&src->shape, &from);
  const ze_image_region_t there = image_region_of(&dst->shape, &to);
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_COPY, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  const pi_result result =
      ze_result(ze.CommandListAppendImageCopyRegion(sink.command.list, dst->image, src->image,
                                                    &there, &here, sink.command.signal,
                                                    sink.command.wait_count, sink.command.waits),
                "zeCommandListAppendImageCopyRegion");
  return sink_end(&sink, result);
}
