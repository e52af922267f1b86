#include "image_command.h"

#include "buffer_command.h"
#include "image_shape.h"
#include "memory.h"

pi_result image_check_kind(pi_mem mem, const char *name) {
  PI_REQUIRE(mem->kind == MEMORY_IMAGE && mem->pointer, PI_ERROR_INVALID_MEM_OBJECT,
             "%s is %s, not an image with memory of its own", name,
             mem->kind == MEMORY_IMAGE ? "a bindless image's description" : "a buffer");
  return PI_SUCCESS;
}

static pi_result check_image(const sink *sink, pi_mem mem, const char *name, image_form *ret) {
  PI_TRY(image_check_kind(mem, name));
  PI_TRY(sink_check_memory(sink, mem));
  return driver_image_form(mem, sink->device, name, ret);
}

static pi_result transfer_image(sink *sink, pi_mem image, pi_image_offset origin,
                                pi_image_region region, image_pitched memory, bool is_to_memory) {
  image_form form;
  image_box part;
  PI_TRY(check_image(sink, image, "image", &form));
  PI_TRY(image_region_read(form.shape, origin, region, &part));
  const image_extent extent = {part.width * form.pixel->size, part.height, part.depth};
  PI_TRY(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &memory.row_pitch, &memory.slice_pitch,
                       &memory.size));
  return driver_image_transfer(sink, image, &part, &memory, is_to_memory);
}

pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer) {
  const image_pitched memory = {(uintptr_t)pointer, 0, row_pitch, slice_pitch};
  return transfer_image(sink, image, origin, region, memory, true);
}

pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer) {
  const image_pitched memory = {(uintptr_t)pointer, 0, row_pitch, slice_pitch};
  return transfer_image(sink, image, origin, region, memory, false);
}

pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region) {
  image_form source, target;
  image_box here, there;
  PI_TRY(check_image(sink, from, "src_image", &source));
  PI_TRY(check_image(sink, to, "dst_image", &target));
  PI_REQUIRE(source.format->image_channel_order == target.format->image_channel_order &&
                 source.format->image_channel_data_type == target.format->image_channel_data_type,
             PI_ERROR_IMAGE_FORMAT_MISMATCH, "src_image and dst_image have different formats");
  PI_TRY(image_region_read(source.shape, from_origin, region, &here));
  PI_TRY(image_region_read(target.shape, to_origin, region, &there));
  PI_REQUIRE(from->pointer != to->pointer || !image_boxes_overlap(&here, &there),
             PI_ERROR_MEM_COPY_OVERLAP, "the two parts of the image overlap");
  return driver_image_copy(sink, to, &there, from, &here);
}

pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region) {
  image_form form;
  image_box box;
  unsigned char pixel[IMAGE_PIXEL_MAX];
  PI_TRY(check_image(sink, image, "image", &form));
  PI_TRY(image_box_read(form.shape, origin, region, &box));
  image_pixel_encode(form.pixel, colour, pixel);
  return driver_image_fill(sink, image, &box, pixel);
}
