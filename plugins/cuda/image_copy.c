/* Commands that read, write, copy and fill parts of images. */
#include "fill.h"
#include "image.h"
#include "image_transfer.h"
#include "queue.h"

pi_result driver_image_form(pi_mem image, pi_device device, const char *name, image_form *ret) {
  const cuda_image *self = image->driver.image;
  (void)device; /* A context has one. */
  (void)name;
  *ret = (image_form){&self->format, &self->pixel, &self->shape};
  return PI_SUCCESS;
}

static image_side side_of(const cuda_image *image, const image_box *part) {
  return (image_side){.array = image->array,
                      .is_flat = !image->shape.has_depth && !image->shape.is_layered,
                      .x = part->x * image->pixel.size,
                      .y = part->y,
                      .z = part->z};
}

static image_extent extent_of(const cuda_image *image, const image_box *part) {
  return (image_extent){part->width * image->pixel.size, part->height, part->depth};
}

pi_result driver_image_transfer(sink *sink, pi_mem image, const image_box *part,
                                const image_pitched *memory, bool is_to_memory) {
  const image_side array = side_of(image->driver.image, part);
  const image_extent extent = extent_of(image->driver.image, part);
  image_side side;
  PI_TRY(image_memory_side(sink->context, "ptr", (void *)memory->start, memory->size,
                           memory->row_pitch, memory->slice_pitch, &side));
  PI_TRY(sink_begin(sink, SINK_COPY));
  sink->command.is_several = true;
  return sink_end(sink, image_transfer_host(sink->context, sink->command.stream, &array, &side,
                                            &extent, is_to_memory, sink->is_blocking));
}

/* Between an array of 1D images and another image rows become layers, one by one. */
static pi_result copy_by_rows(const image_transfer_mode *mode, const cuda_image *dst, image_box to,
                              const cuda_image *src, image_box from) {
  const bool to_layers = image_has_layers_as_rows(&dst->shape);
  const size_t rows = to_layers ? to.depth : from.depth;
  to.height = to.depth = from.height = from.depth = 1;
  for (size_t row = 0; row < rows; row++) {
    const image_side there = side_of(dst, &to), here = side_of(src, &from);
    const image_extent extent = extent_of(src, &from);
    PI_TRY(image_transfer(mode, &there, &here, &extent));
    if (to_layers) {
      to.z++;
      from.y++;
    } else {
      to.y++;
      from.z++;
    }
  }
  return PI_SUCCESS;
}

static pi_result copy_boxes(const image_transfer_mode *mode, const cuda_image *dst,
                            const image_box *to, const cuda_image *src, const image_box *from) {
  if (image_has_layers_as_rows(&dst->shape) != image_has_layers_as_rows(&src->shape))
    return copy_by_rows(mode, dst, *to, src, *from);
  const image_side there = side_of(dst, to), here = side_of(src, from);
  const image_extent extent = extent_of(src, from);
  return image_transfer(mode, &there, &here, &extent);
}

pi_result driver_image_copy(sink *sink, pi_mem to, const image_box *there, pi_mem from,
                            const image_box *here) {
  PI_TRY(sink_begin(sink, SINK_COPY));
  const image_transfer_mode mode = {.stream = sink->command.stream};
  sink->command.is_several = true;
  return sink_end(sink, copy_boxes(&mode, to->driver.image, there, from->driver.image, here));
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Copies the scratch memory to every part of the box. */
static pi_result spread(CUstream stream, const image_side *array, const image_extent *extent,
                        CUdeviceptr scratch, const image_box *part) {
  const image_transfer_mode mode = {.stream = stream};
  const image_side memory = {.is_flat = true,
                             .type = CU_MEMORYTYPE_UNIFIED,
                             .memory = scratch,
                             .row_pitch = part->width,
                             .slice_pitch = part->width * part->height};
  for (size_t z = 0; z < extent->depth; z += part->depth)
    for (size_t y = 0; y < extent->height; y += part->height) {
      image_side there = *array;
      there.y += y;
      there.z += z;
      const image_extent piece = {extent->width, smaller(part->height, extent->height - y),
                                  smaller(part->depth, extent->depth - z)};
      PI_TRY(image_transfer(&mode, &there, &memory, &piece));
    }
  return PI_SUCCESS;
}

/* A pixel, and where in an array it is repeated. */
typedef struct image_fill {
  const unsigned char *pixel;
  unsigned pixel_size;
  image_side array;
  image_extent extent;
} image_fill;

static pi_result fill_with(CUstream stream, const image_fill *fill, CUdeviceptr scratch,
                           const image_box *part) {
  const size_t size = part->width * part->height * part->depth;
  const fill_area rows = {scratch, size, size, 1};
  PI_TRY(fill_enqueue(stream, &rows, fill->pixel, fill->pixel_size));
  return spread(stream, &fill->array, &fill->extent, scratch, part);
}

/* The scratch memory comes and goes in the stream, where the device has pools of memory. */
static pi_result fill_in_stream(sink *sink, const image_fill *fill, const image_box *part) {
  CUdeviceptr scratch = 0;
  pi_result result = cu_result(
      cu.MemAllocAsync(&scratch, part->width * part->height * part->depth, sink->command.stream),
      "cuMemAllocAsync");
  if (result == PI_SUCCESS) {
    result = fill_with(sink->command.stream, fill, scratch, part);
    const pi_result freed =
        cu_result(cu.MemFreeAsync(scratch, sink->command.stream), "cuMemFreeAsync");
    if (result == PI_SUCCESS)
      result = freed;
  }
  return sink_end(sink, result);
}

/* Without pools the command is waited for, because memory in use cannot be given back. */
static pi_result fill_and_wait(sink *sink, const image_fill *fill, const image_box *part) {
  CUdeviceptr scratch = 0;
  pi_result result =
      cu_result(cu.MemAlloc(&scratch, part->width * part->height * part->depth), "cuMemAlloc");
  if (result == PI_SUCCESS)
    result = fill_with(sink->command.stream, fill, scratch, part);
  result = sink_end(sink, result);
  if (scratch)
    cu.MemFree(scratch);
  return result;
}

/* The driver sets no arrays: the colour is repeated in scratch memory, and copied from there. */
pi_result driver_image_fill(sink *sink, pi_mem image, const image_box *box,
                            const unsigned char *pixel) {
  const cuda_image *self = image->driver.image;
  const image_fill fill = {.pixel = pixel,
                           .pixel_size = self->pixel.size,
                           .array = side_of(self, box),
                           .extent = extent_of(self, box)};
  image_box part = image_fill_part(box, self->pixel.size);
  part.width = fill.extent.width;
  const bool has_pools =
      cu.MemAllocAsync && cu.MemFreeAsync &&
      cuda_attribute(sink->device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0);
  sink->is_blocking = !has_pools;
  PI_TRY(sink_begin(sink, SINK_COPY));
  sink->command.is_several = true;
  return has_pools ? fill_in_stream(sink, &fill, &part) : fill_and_wait(sink, &fill, &part);
}
