/* PI's entries for commands on images. */
#include "../plugins/objects/image_command.h"
#include "sinks.h"

pi_result piEnqueueMemImageRead(pi_queue queue, pi_mem image, pi_bool blocking_read,
                                pi_image_offset origin, pi_image_region region, size_t row_pitch,
                                size_t slice_pitch, void *ptr, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  sink sink = SINK_OF_QUEUE(IMAGE_READ, blocking_read != PI_FALSE);
  return image_read(&sink, image, origin, region, row_pitch, slice_pitch, ptr);
}

pi_result piEnqueueMemImageWrite(pi_queue queue, pi_mem image, pi_bool blocking_write,
                                 pi_image_offset origin, pi_image_region region,
                                 size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  sink sink = SINK_OF_QUEUE(IMAGE_WRITE, blocking_write != PI_FALSE);
  return image_write(&sink, image, origin, region, input_row_pitch, input_slice_pitch, ptr);
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
  sink sink = SINK_OF_QUEUE(IMAGE_COPY, false);
  return image_copy(&sink, src_image, src_origin, dst_image, dst_origin, region);
}

pi_result piEnqueueMemImageFill(pi_queue queue, pi_mem image, const void *fill_color,
                                const size_t *origin, const size_t *region,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(fill_color);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(FILL_IMAGE, false);
  return image_fill(&sink, image, fill_color, origin, region);
}
