/* Copies between the host and image memory, and between two image memories. */
#include "bindless.h"
#include "checks.h"
#include "image_transfer.h"
#include "queue.h"

#include "../objects/image_request.h"

static pi_result read_request(const pi_image_format *format, const pi_image_desc *desc,
                              pi_image_copy_flags flags, pi_image_region extent,
                              image_request *ret) {
  PI_TRY(image_pixel_read(format, &ret->pixel));
  PI_TRY(image_shape_read(NULL, desc, &ret->pixel, &ret->shape));
  return image_request_read(flags, desc, extent, ret);
}

/* The side in memory that holds a whole image as rows say. */
static pi_result memory_side(pi_context context, const char *name, const void *pointer,
                             const image_rows *rows, image_side *ret) {
  PI_TRY(image_memory_side(context, name, pointer, rows->size, rows->row_pitch, rows->slice_pitch,
                           ret));
  ret->memory += rows->offset;
  return PI_SUCCESS;
}

static pi_result host_side(pi_context context, const char *name, const void *pointer,
                           const image_request *request, pi_image_offset at, pi_image_region extent,
                           image_side *ret) {
  image_rows rows;
  PI_TRY(image_request_host(name, request, at, extent, &rows));
  return memory_side(context, name, pointer, &rows, ret);
}

static pi_result check_same(const char *name, const image_memory *memory,
                            const image_request *request) {
  PI_REQUIRE(memory->array, PI_ERROR_INVALID_VALUE,
             "%s has %u levels; a copy is of one, of piextMemMipmapGetLevel", name, memory->levels);
  PI_REQUIRE(memory->pixel.size == request->pixel.size, PI_ERROR_IMAGE_FORMAT_MISMATCH,
             "%s has pixels of %u bytes, image_format of %u", name, memory->pixel.size,
             request->pixel.size);
  PI_REQUIRE(memory->shape.type == request->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "%s was made with image_type 0x%x, image_desc has 0x%x", name,
             (unsigned)memory->shape.type, (unsigned)request->shape.type);
  return PI_SUCCESS;
}

/* The device's side: image memory, or memory with the pitch that image_desc says. */
static pi_result device_side(pi_context context, const char *name, const void *pointer,
                             const image_request *request, pi_image_offset at, image_side *ret) {
  size_t offset[3];
  image_memory memory;
  if (!image_memory_find((pi_image_mem_handle)(uintptr_t)pointer, context, &memory)) {
    const image_shape *shape = &request->shape;
    const size_t whole[3] = {shape->width, shape->height, shape->depth};
    image_rows rows;
    PI_TRY(image_request_rows(name, request, at, whole, request->desc->image_row_pitch, &rows));
    PI_TRY(memory_side(context, name, pointer, &rows, ret));
    PI_REQUIRE(ret->type == CU_MEMORYTYPE_UNIFIED, PI_ERROR_INVALID_VALUE,
               "%s is neither image memory nor USM of the context", name);
    return PI_SUCCESS;
  }
  PI_TRY(check_same(name, &memory, request));
  const size_t whole[3] = {memory.shape.width, memory.shape.height, memory.shape.depth};
  PI_TRY(image_request_part(name, request, at, whole, offset));
  *ret = (image_side){.array = memory.array,
                      .is_flat = !memory.shape.has_depth && !memory.shape.is_layered,
                      .x = offset[0] * request->pixel.size,
                      .y = offset[1],
                      .z = offset[2]};
  return PI_SUCCESS;
}

pi_result piextMemImageCopy(pi_queue queue, void *dst_ptr, void *src_ptr,
                            const pi_image_format *image_format, const pi_image_desc *image_desc,
                            const pi_image_copy_flags flags, pi_image_offset src_offset,
                            pi_image_offset dst_offset, pi_image_region copy_extent,
                            pi_image_region host_extent, pi_uint32 num_events_in_wait_list,
                            const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_POINTER(src_offset);
  REQUIRE_POINTER(dst_offset);
  REQUIRE_POINTER(copy_extent);
  REQUIRE_POINTER(host_extent);
  REQUIRE_WAIT_LIST();
  image_request request;
  PI_TRY(read_request(image_format, image_desc, flags, copy_extent, &request));
  const pi_context context = queue->context;
  PI_TRY(cuda_enter(context));
  image_side to, from;
  PI_TRY(flags == PI_IMAGE_COPY_DEVICE_TO_HOST
             ? host_side(context, "dst_ptr", dst_ptr, &request, dst_offset, host_extent, &to)
             : device_side(context, "dst_ptr", dst_ptr, &request, dst_offset, &to));
  PI_TRY(flags == PI_IMAGE_COPY_HOST_TO_DEVICE
             ? host_side(context, "src_ptr", src_ptr, &request, src_offset, host_extent, &from)
             : device_side(context, "src_ptr", src_ptr, &request, src_offset, &from));

  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_COPY, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  const image_extent extent = {request.size[0] * request.pixel.size, request.size[1],
                               request.size[2]};
  sink.command.is_several = true;
  const image_transfer_mode mode = {.stream = sink.command.stream};
  const pi_result result =
      flags == PI_IMAGE_COPY_DEVICE_TO_DEVICE ? image_transfer(&mode, &to, &from, &extent)
      : flags == PI_IMAGE_COPY_DEVICE_TO_HOST
          ? image_transfer_host(context, sink.command.stream, &from, &to, &extent, true, false)
          : image_transfer_host(context, sink.command.stream, &to, &from, &extent, false, false);
  return sink_end(&sink, result);
}
