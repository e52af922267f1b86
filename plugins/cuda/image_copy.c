/* Commands that read, write, copy and fill parts of images. */
#include "checks.h"
#include "fill.h"
#include "image.h"
#include "image_transfer.h"
#include "queue.h"

/* The scratch memory of a fill is a part as large as this at most, but for a longer row. */
enum { SCRATCH_BYTES = 1 << 20 };

static pi_result check_image(pi_queue queue, pi_mem image, const char *name) {
  PI_REQUIRE(image->driver.image && image->pointer, PI_ERROR_INVALID_MEM_OBJECT,
             "%s is %s, not an image with memory of its own", name,
             image->driver.image ? "a bindless image's description" : "a buffer");
  return memory_check_queue(image, queue);
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

/* A copy between an image and memory, after the checks that PI's functions have in common. */
typedef struct host_copy {
  image_side array, memory;
  image_extent extent;
} host_copy;

static pi_result prepare_host_copy(pi_queue queue, pi_mem image, pi_image_offset origin,
                                   pi_image_region region, size_t row_pitch, size_t slice_pitch,
                                   const void *ptr, host_copy *ret) {
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  PI_TRY(check_image(queue, image, "image"));
  image_box part;
  PI_TRY(image_region_read(&image->driver.image->shape, origin, region, &part));
  ret->array = side_of(image->driver.image, &part);
  ret->extent = extent_of(image->driver.image, &part);
  size_t size;
  PI_TRY(image_pitches(PI_ERROR_INVALID_VALUE, &ret->extent, &row_pitch, &slice_pitch, &size));
  PI_TRY(cuda_enter(queue->context));
  return image_memory_side(queue->context, "ptr", ptr, size, row_pitch, slice_pitch, &ret->memory);
}

pi_result piEnqueueMemImageRead(pi_queue queue, pi_mem image, pi_bool blocking_read,
                                pi_image_offset origin, pi_image_region region, size_t row_pitch,
                                size_t slice_pitch, void *ptr, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  host_copy copy;
  PI_TRY(prepare_host_copy(queue, image, origin, region, row_pitch, slice_pitch, ptr, &copy));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_READ, num_events_in_wait_list,
                            event_wait_list, blocking_read != PI_FALSE, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  const pi_result result =
      image_transfer_host(queue->context, sink.command.stream, &copy.array, &copy.memory,
                          &copy.extent, true, blocking_read != PI_FALSE);
  return sink_end(&sink, result);
}

pi_result piEnqueueMemImageWrite(pi_queue queue, pi_mem image, pi_bool blocking_write,
                                 pi_image_offset origin, pi_image_region region,
                                 size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_WAIT_LIST();
  host_copy copy;
  PI_TRY(prepare_host_copy(queue, image, origin, region, input_row_pitch, input_slice_pitch, ptr,
                           &copy));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_WRITE, num_events_in_wait_list,
                            event_wait_list, blocking_write != PI_FALSE, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  const pi_result result =
      image_transfer_host(queue->context, sink.command.stream, &copy.array, &copy.memory,
                          &copy.extent, false, blocking_write != PI_FALSE);
  return sink_end(&sink, result);
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
  PI_TRY(check_image(queue, src_image, "src_image"));
  PI_TRY(check_image(queue, dst_image, "dst_image"));
  const cuda_image *src = src_image->driver.image, *dst = dst_image->driver.image;
  PI_REQUIRE(src->format.image_channel_order == dst->format.image_channel_order &&
                 src->format.image_channel_data_type == dst->format.image_channel_data_type,
             PI_ERROR_IMAGE_FORMAT_MISMATCH, "src_image and dst_image have different formats");
  image_box from, to;
  PI_TRY(image_region_read(&src->shape, src_origin, region, &from));
  PI_TRY(image_region_read(&dst->shape, dst_origin, region, &to));
  PI_REQUIRE(src->array != dst->array || !image_boxes_overlap(&from, &to),
             PI_ERROR_MEM_COPY_OVERLAP, "the two parts of the image overlap");
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_COPY, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  const image_transfer_mode mode = {.stream = sink.command.stream};
  const pi_result result = copy_boxes(&mode, dst, &to, src, &from);
  return sink_end(&sink, result);
}

/* How much of a box one scratch memory fills: whole slices, or rows of one. */
static image_box scratch_box(const image_extent *extent) {
  const size_t rows = SCRATCH_BYTES / extent->width;
  image_box part = {.width = extent->width, .height = 1, .depth = 1};
  if (rows >= extent->height) {
    part.height = extent->height;
    const size_t slices = rows / extent->height;
    part.depth = slices < extent->depth ? slices : extent->depth;
  } else if (rows > 1) {
    part.height = rows;
  }
  return part;
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
  unsigned char pixel[IMAGE_PIXEL_MAX];
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
  PI_TRY(check_image(queue, image, "image"));
  const cuda_image *self = image->driver.image;
  image_box whole;
  PI_TRY(image_box_read(&self->shape, origin, region, &whole));
  image_fill fill = {.pixel_size = self->pixel.size,
                     .array = side_of(self, &whole),
                     .extent = extent_of(self, &whole)};
  image_pixel_encode(&self->pixel, fill_color, fill.pixel);
  const image_box part = scratch_box(&fill.extent);

  const bool has_pools =
      cu.MemAllocAsync && cu.MemFreeAsync &&
      cuda_attribute(queue->context->devices[0], CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0);
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_FILL_IMAGE, num_events_in_wait_list,
                            event_wait_list, !has_pools, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  return has_pools ? fill_in_stream(&sink, &fill, &part) : fill_and_wait(&sink, &fill, &part);
}
