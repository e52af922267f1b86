/* Copies between the host and image memory, and between two image memories. */
#include "bindless.h"
#include "checks.h"
#include "image_transfer.h"
#include "transfer.h"
#include "usm.h"

#include "../objects/image_request.h"

/* One side of a copy: image memory, or plain memory. */
typedef struct copy_side {
  level_zero_image image; /* its image is NULL for plain memory */
  size_t offset[3];
  void *memory;
  size_t row_pitch, slice_pitch;
} copy_side;

static pi_result read_request(pi_device device, const pi_image_format *format,
                              const pi_image_desc *desc, pi_image_copy_flags flags,
                              pi_image_region extent, image_request *ret) {
  level_zero_image image;
  ze_image_desc_t description;
  PI_TRY(image_memory_describe(device, format, desc, &image, &description));
  ret->pixel = image.pixel;
  ret->shape = image.shape;
  return image_request_read(flags, desc, extent, ret);
}

/* The side in memory that holds a whole image as rows say. */
static pi_result memory_side(pi_context context, const char *name, void *pointer,
                             const image_rows *rows, bool has_to_be_usm, copy_side *ret) {
  usm_range range;
  PI_TRY(usm_check(context, name, pointer, rows->size, &range));
  PI_REQUIRE(!has_to_be_usm || range.type != PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_VALUE,
             "%s is neither image memory nor USM of the context", name);
  *ret = (copy_side){.memory = (char *)pointer + rows->offset,
                     .row_pitch = rows->row_pitch,
                     .slice_pitch = rows->slice_pitch};
  return PI_SUCCESS;
}

static pi_result host_side(pi_context context, const char *name, void *pointer,
                           const image_request *request, pi_image_offset at, pi_image_region extent,
                           copy_side *ret) {
  image_rows rows;
  PI_TRY(image_request_host(name, request, at, extent, &rows));
  return memory_side(context, name, pointer, &rows, false, ret);
}

static pi_result check_same(const char *name, const level_zero_image *memory,
                            const image_request *request, pi_device device) {
  PI_REQUIRE(memory->pixel.size == request->pixel.size, PI_ERROR_IMAGE_FORMAT_MISMATCH,
             "%s has pixels of %u bytes, image_format of %u", name, memory->pixel.size,
             request->pixel.size);
  PI_REQUIRE(memory->shape.type == request->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "%s was made with image_type 0x%x, image_desc has 0x%x", name,
             (unsigned)memory->shape.type, (unsigned)request->shape.type);
  PI_REQUIRE(memory->device == device->root, PI_ERROR_INVALID_DEVICE,
             "%s is memory of device %u, and the queue is of device %u", name,
             memory->device->index, device->root->index);
  return PI_SUCCESS;
}

/* The device's side: image memory, or memory with the pitch that image_desc says. */
static pi_result device_side(pi_queue queue, const char *name, void *pointer,
                             const image_request *request, pi_image_offset at, copy_side *ret) {
  const pi_context context = queue->context;
  image_memory memory;
  if (!image_memory_find((pi_image_mem_handle)pointer, context, &memory)) {
    const image_shape *shape = &request->shape;
    const size_t whole[3] = {shape->width, shape->height, shape->depth};
    image_rows rows;
    PI_TRY(image_request_rows(name, request, at, whole, request->desc->image_row_pitch, &rows));
    return memory_side(context, name, pointer, &rows, true, ret);
  }
  PI_TRY(check_same(name, &memory.image, request, queue->device));
  const image_shape *shape = &memory.image.shape;
  const size_t whole[3] = {shape->width, shape->height, shape->depth};
  *ret = (copy_side){.image = memory.image};
  return image_request_part(name, request, at, whole, ret->offset);
}

static image_box box_of(const copy_side *side, const image_request *request) {
  return (image_box){side->offset[0],  side->offset[1],  side->offset[2],
                     request->size[0], request->size[1], request->size[2]};
}

static pi_result append_between_images(sink *sink, const image_request *request,
                                       const copy_side *to, const copy_side *from) {
  const image_box here = box_of(from, request), there = box_of(to, request);
  const ze_image_region_t from_region = image_region_of(&from->image.shape, &here);
  const ze_image_region_t to_region = image_region_of(&to->image.shape, &there);
  ZE_TRY(CommandListAppendImageCopyRegion, sink->command.list, to->image.image, from->image.image,
         &to_region, &from_region, sink->command.signal, sink->command.wait_count,
         sink->command.waits);
  return PI_SUCCESS;
}

static pi_result append_with_memory(sink *sink, const image_request *request,
                                    const copy_side *image, const copy_side *memory,
                                    bool is_to_memory) {
  const image_transfer transfer = {.image = &image->image,
                                   .box = box_of(image, request),
                                   .memory = memory->memory,
                                   .row_pitch = memory->row_pitch,
                                   .slice_pitch = memory->slice_pitch,
                                   .is_to_memory = is_to_memory};
  return image_transfer_append(sink, &transfer);
}

static pi_result append_between_memories(sink *sink, const image_request *request,
                                         const copy_side *to, const copy_side *from) {
  const transfer plain = {
      .from = {(uintptr_t)from->memory, from->row_pitch, from->slice_pitch},
      .to = {(uintptr_t)to->memory, to->row_pitch, to->slice_pitch},
      .width = request->size[0] * request->pixel.size,
      .height = request->size[1],
      .depth = request->size[2],
  };
  return transfer_append(sink, &plain);
}

static pi_result append_copy(sink *sink, const image_request *request, const copy_side *to,
                             const copy_side *from) {
  if (to->image.image && from->image.image)
    return append_between_images(sink, request, to, from);
  if (to->image.image)
    return append_with_memory(sink, request, to, from, false);
  if (from->image.image)
    return append_with_memory(sink, request, from, to, true);
  return append_between_memories(sink, request, to, from);
}

static pi_result check_overlap(const image_request *request, const copy_side *to,
                               const copy_side *from) {
  const image_box here = box_of(from, request), there = box_of(to, request);
  PI_REQUIRE(!to->image.image || to->image.image != from->image.image ||
                 !image_boxes_overlap(&here, &there),
             PI_ERROR_MEM_COPY_OVERLAP, "the two parts of the image memory overlap");
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
  PI_TRY(bindless_require(queue->device));
  image_request request;
  PI_TRY(read_request(queue->device, image_format, image_desc, flags, copy_extent, &request));
  const pi_context context = queue->context;
  copy_side to, from;
  PI_TRY(flags == PI_IMAGE_COPY_DEVICE_TO_HOST
             ? host_side(context, "dst_ptr", dst_ptr, &request, dst_offset, host_extent, &to)
             : device_side(queue, "dst_ptr", dst_ptr, &request, dst_offset, &to));
  PI_TRY(flags == PI_IMAGE_COPY_HOST_TO_DEVICE
             ? host_side(context, "src_ptr", src_ptr, &request, src_offset, host_extent, &from)
             : device_side(queue, "src_ptr", src_ptr, &request, src_offset, &from));
  PI_TRY(check_overlap(&request, &to, &from));

  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_IMAGE_COPY, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COPY));
  return sink_end(&sink, append_copy(&sink, &request, &to, &from));
}
