/* Commands that read, write, copy and fill parts of images. */
#include "fill.h"
#include "image.h"
#include "image_transfer.h"
#include "queue.h"

pi_result driver_image_transfer(sink *sink, const image_part *image, const image_pitched *memory,
                                bool is_to_memory) {
  image_part part = *image;
  TRY(sink_begin(sink, SINK_COPY));
  sink->command.is_several = true;
  pi_result result = image_bring_part(sink, &part);
  if (result == PI_SUCCESS)
    result = image_transfer_part(sink, &part, memory, is_to_memory);
  return sink_end(sink, result);
}

static pi_result copy_part(const image_transfer_mode *mode, const image_part *to,
                           const image_part *from) {
  const image_side there = image_side_of(to), here = image_side_of(from);
  const image_extent extent = image_extent_of(from->form, &from->box);
  return image_transfer(mode, &there, &here, &extent);
}

/* Copies between an array of 1D images and another kind of image, one row (or layer) at a time. */
static pi_result copy_by_rows(const image_transfer_mode *mode, image_part to, image_part from) {
  const bool to_layers = image_has_layers_as_rows(&to.form->shape);
  const size_t rows = to_layers ? to.box.depth : from.box.depth;
  to.box.height = to.box.depth = from.box.height = from.box.depth = 1;
  for (size_t row = 0; row < rows; row++) {
    TRY(copy_part(mode, &to, &from));
    *(to_layers ? &to.box.z : &to.box.y) += 1;
    *(to_layers ? &from.box.y : &from.box.z) += 1;
  }
  return PI_SUCCESS;
}

static pi_result bring_and_copy(sink *sink, const image_transfer_mode *mode, image_part to,
                                image_part from) {
  TRY(image_bring_part(sink, &to));
  TRY(image_bring_part(sink, &from));
  return image_has_layers_as_rows(&to.form->shape) == image_has_layers_as_rows(&from.form->shape)
             ? copy_part(mode, &to, &from)
             : copy_by_rows(mode, to, from);
}

pi_result driver_image_copy(sink *sink, const image_part *to, const image_part *from) {
  TRY(sink_begin(sink, SINK_COPY));
  const image_transfer_mode mode = {.stream = sink->command.stream};
  sink->command.is_several = true;
  return sink_end(sink, bring_and_copy(sink, &mode, *to, *from));
}

/* A fill of a part of an image, by way of scratch memory that holds one piece of the part. */
typedef struct image_fill {
  const unsigned char *pixel;
  const image_part *image;
  image_box part;
  size_t row, size; /* bytes of a row of the scratch memory, and of all of it */
} image_fill;

static pi_result fill_with(CUstream stream, const image_fill *fill, CUdeviceptr scratch) {
  const image_transfer_mode mode = {.stream = stream};
  const image_side memory = {.is_flat = true,
                             .type = CU_MEMORYTYPE_UNIFIED,
                             .memory = scratch,
                             .row_pitch = fill->row,
                             .slice_pitch = fill->row * fill->part.height};
  const fill_area rows = {scratch, fill->size, fill->size, 1};
  TRY(fill_enqueue(stream, &rows, fill->pixel, fill->image->form->pixel.size));
  image_part piece = {.image = fill->image->image, .form = fill->image->form};
  while (image_fill_next(&fill->image->box, &fill->part, &piece.box)) {
    const image_side there = image_side_of(&piece);
    const image_extent extent = image_extent_of(piece.form, &piece.box);
    TRY(image_transfer(&mode, &there, &memory, &extent));
  }
  return PI_SUCCESS;
}

/* Allocates and frees the scratch memory in stream order, on a device with memory pools. */
static pi_result fill_in_stream(sink *sink, const image_fill *fill) {
  CUdeviceptr scratch = 0;
  pi_result result = CU_CALL(MemAllocAsync, &scratch, fill->size, sink->command.stream);
  if (result == PI_SUCCESS) {
    result = fill_with(sink->command.stream, fill, scratch);
    const pi_result freed = CU_CALL(MemFreeAsync, scratch, sink->command.stream);
    if (result == PI_SUCCESS)
      result = freed;
  }
  return sink_end(sink, result);
}

/* Does the same without memory pools: waits for the command before it frees the memory. */
static pi_result fill_and_wait(sink *sink, const image_fill *fill) {
  CUdeviceptr scratch = 0;
  pi_result result = CU_CALL(MemAlloc, &scratch, fill->size);
  if (result == PI_SUCCESS)
    result = fill_with(sink->command.stream, fill, scratch);
  result = sink_end(sink, result);
  if (scratch)
    cu.MemFree(scratch);
  return result;
}

/* CUDA has no fill for arrays, so this fills scratch memory with the pixel and copies from it. */
pi_result driver_image_fill(sink *sink, const image_part *image, const unsigned char *pixel) {
  const size_t pixel_size = image->form->pixel.size;
  image_part part = *image;
  image_fill fill = {pixel, &part, image_fill_part(&image->box, pixel_size), 0, 0};
  fill.row = image->box.width * pixel_size;
  fill.size = fill.row * fill.part.height * fill.part.depth;
  const bool has_pools =
      cu.MemAllocAsync && cu.MemFreeAsync &&
      cuda_attribute(sink->device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0);
  sink->is_blocking = !has_pools;
  TRY(sink_begin(sink, SINK_COPY));
  sink->command.is_several = true;
  const pi_result result = image_bring_part(sink, &part);
  if (result != PI_SUCCESS)
    return sink_end(sink, result);
  return has_pools ? fill_in_stream(sink, &fill) : fill_and_wait(sink, &fill);
}
