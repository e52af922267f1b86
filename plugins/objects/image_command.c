#include "image_command.h"

#include "buffer_command.h"
#include "image.h"
#include "sink.h"

static pi_result check_image(const sink *sink, pi_mem mem, const char *name) {
  TRY(sink_check_memory(sink, mem));
  return image_check(mem, sink->device, name);
}

static pi_result read_part(pi_mem mem, pi_image_offset origin, pi_image_region region,
                           image_part *ret) {
  *ret = (image_part){.image = mem->pointer, .form = &mem->form, .mem = mem};
  return image_region_read(&mem->form.shape, origin, region, &ret->box);
}

static pi_result transfer_image(sink *sink, pi_mem image, pi_image_offset origin,
                                pi_image_region region, image_pitched memory, bool is_to_memory) {
  image_part part;
  TRY(check_image(sink, image, "image"));
  TRY(read_part(image, origin, region, &part));
  const image_extent extent = image_extent_of(part.form, &part.box);
  TRY(image_check_memory(sink->context, "ptr", PI_ERROR_INVALID_VALUE, &extent, &memory));
  return driver_image_transfer(sink, &part, &memory, is_to_memory);
}

pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer) {
  const image_pitched memory = {(uintptr_t)pointer, 0, row_pitch, slice_pitch, false};
  return transfer_image(sink, image, origin, region, memory, true);
}

pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer) {
  const image_pitched memory = {(uintptr_t)pointer, 0, row_pitch, slice_pitch, false};
  return transfer_image(sink, image, origin, region, memory, false);
}

pi_result image_check_overlap(const image_part *to, const image_part *from) {
  REQUIRE(to->image != from->image || !image_boxes_overlap(&from->box, &to->box),
          PI_ERROR_MEM_COPY_OVERLAP, "the two parts of the image overlap");
  return PI_SUCCESS;
}

pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region) {
  const pi_image_format *source = &from->form.format, *target = &to->form.format;
  image_part here, there;
  TRY(check_image(sink, from, "src_image"));
  TRY(check_image(sink, to, "dst_image"));
  REQUIRE(source->image_channel_order == target->image_channel_order &&
              source->image_channel_data_type == target->image_channel_data_type,
          PI_ERROR_IMAGE_FORMAT_MISMATCH, "src_image and dst_image have different formats");
  TRY(read_part(from, from_origin, region, &here));
  TRY(read_part(to, to_origin, region, &there));
  TRY(image_check_overlap(&there, &here));
  return driver_image_copy(sink, &there, &here);
}

pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region) {
  image_part part = {.image = image->pointer, .form = &image->form, .mem = image};
  unsigned char pixel[IMAGE_PIXEL_MAX];
  TRY(check_image(sink, image, "image"));
  TRY(image_box_read(&part.form->shape, origin, region, &part.box));
  image_pixel_encode(&part.form->pixel, colour, pixel);
  return driver_image_fill(sink, &part, pixel);
}
