/* Copies between the host and image memory, and between two image memories. */
#include "bindless.h"
#include "checks.h"
#include "image_transfer.h"
#include "queue.h"

/* What the arguments of the copy say, in one place. */
typedef struct copy_request {
  const pi_image_desc *desc;
  image_pixel pixel;
  image_shape shape;
  size_t size[3]; /* of what is copied, in pixels; layers are z */
} copy_request;

/*
 * Sizes that the images do not have may be 0. An array is copied with all its layers unless depth
 * says how many.
 */
static pi_result read_request(const pi_image_format *format, const pi_image_desc *desc,
                              pi_image_region extent, copy_request *ret) {
  PI_TRY(image_pixel_read(format, &ret->pixel));
  PI_TRY(image_shape_read(NULL, desc, &ret->pixel, &ret->shape));
  const image_shape *shape = &ret->shape;
  ret->desc = desc;
  ret->size[0] = extent->width;
  ret->size[1] = shape->has_height ? extent->height : 1;
  ret->size[2] = shape->is_layered && extent->depth == 0 ? shape->depth
                 : shape->is_layered || shape->has_depth ? extent->depth
                                                         : 1;
  PI_REQUIRE(ret->size[0] && ret->size[1] && ret->size[2], PI_ERROR_INVALID_VALUE,
             "copy_extent is %zu x %zu x %zu, and the image's type has no size of 0", ret->size[0],
             ret->size[1], ret->size[2]);
  return PI_SUCCESS;
}

static pi_result check_part(const char *name, const size_t offset[3], const size_t size[3],
                            const size_t whole[3]) {
  static const char axes[] = "xyz";
  for (unsigned i = 0; i < 3; i++)
    PI_REQUIRE(offset[i] < whole[i] && size[i] <= whole[i] - offset[i], PI_ERROR_INVALID_VALUE,
               "%s: the part from %zu on with size %zu leaves what has %zu in %c", name, offset[i],
               size[i], whole[i], axes[i]);
  return PI_SUCCESS;
}

/* Offsets in sizes that the image does not have are passed over, as the sizes are. */
static void read_offset(const image_shape *shape, pi_image_offset offset, size_t ret[3]) {
  ret[0] = offset->x;
  ret[1] = shape->has_height ? offset->y : 0;
  ret[2] = shape->has_depth || shape->is_layered ? offset->z : 0;
}

/* Rows in memory that hold a whole image, of which a part is copied. */
static pi_result memory_side(const char *name, const void *pointer, const copy_request *request,
                             const size_t offset[3], const size_t whole[3], size_t row_pitch,
                             image_side *ret) {
  const size_t pixel = request->pixel.size;
  size_t row;
  PI_REQUIRE(!__builtin_mul_overflow(whole[0], pixel, &row), PI_ERROR_INVALID_VALUE,
             "%s: rows of %zu pixels are more than an address reaches", name, whole[0]);
  const image_extent all = {row, whole[1], whole[2]};
  size_t slice_pitch = 0, size;
  PI_TRY(check_part(name, offset, request->size, whole));
  PI_TRY(image_pitches(PI_ERROR_INVALID_VALUE, &all, &row_pitch, &slice_pitch, &size));
  PI_TRY(image_memory_side(name, pointer, size, row_pitch, slice_pitch, ret));
  ret->memory += offset[0] * pixel + offset[1] * row_pitch + offset[2] * slice_pitch;
  return PI_SUCCESS;
}

/* The host's side: host_extent is its whole image; sizes of 0 are those of what is copied. */
static pi_result host_side(const char *name, const void *pointer, const copy_request *request,
                           pi_image_offset at, pi_image_region extent, image_side *ret) {
  size_t offset[3];
  read_offset(&request->shape, at, offset);
  const image_shape *shape = &request->shape;
  const size_t given[3] = {extent->width, shape->has_height ? extent->height : 1,
                           shape->has_depth || shape->is_layered ? extent->depth : 1};
  size_t whole[3];
  for (unsigned i = 0; i < 3; i++)
    whole[i] = given[i] ? given[i] : offset[i] + request->size[i];
  return memory_side(name, pointer, request, offset, whole, 0, ret);
}

static pi_result check_same(const char *name, const image_memory *memory,
                            const copy_request *request) {
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
                             const copy_request *request, pi_image_offset at, image_side *ret) {
  size_t offset[3];
  read_offset(&request->shape, at, offset);
  image_memory memory;
  if (!image_memory_find((pi_image_mem_handle)(uintptr_t)pointer, context, &memory)) {
    const image_shape *shape = &request->shape;
    const size_t whole[3] = {shape->width, shape->height, shape->depth};
    PI_TRY(memory_side(name, pointer, request, offset, whole, request->desc->image_row_pitch, ret));
    PI_REQUIRE(ret->type == CU_MEMORYTYPE_UNIFIED, PI_ERROR_INVALID_VALUE,
               "%s is neither image memory nor USM of the context", name);
    return PI_SUCCESS;
  }
  PI_TRY(check_same(name, &memory, request));
  const size_t whole[3] = {memory.shape.width, memory.shape.height, memory.shape.depth};
  PI_TRY(check_part(name, offset, request->size, whole));
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
  PI_REQUIRE(flags == PI_IMAGE_COPY_HOST_TO_DEVICE || flags == PI_IMAGE_COPY_DEVICE_TO_HOST ||
                 flags == PI_IMAGE_COPY_DEVICE_TO_DEVICE,
             PI_ERROR_INVALID_VALUE, "flags 0x%x is not one pi_image_copy_flags", (unsigned)flags);
  copy_request request;
  PI_TRY(read_request(image_format, image_desc, copy_extent, &request));
  const pi_context context = queue_context(queue);
  PI_TRY(cuda_enter(context));
  image_side to, from;
  PI_TRY(flags == PI_IMAGE_COPY_DEVICE_TO_HOST
             ? host_side("dst_ptr", dst_ptr, &request, dst_offset, host_extent, &to)
             : device_side(context, "dst_ptr", dst_ptr, &request, dst_offset, &to));
  PI_TRY(flags == PI_IMAGE_COPY_HOST_TO_DEVICE
             ? host_side("src_ptr", src_ptr, &request, src_offset, host_extent, &from)
             : device_side(context, "src_ptr", src_ptr, &request, src_offset, &from));

  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_IMAGE_COPY, num_events_in_wait_list, event_wait_list,
                     event != NULL, &command));
  const image_extent extent = {request.size[0] * request.pixel.size, request.size[1],
                               request.size[2]};
  const image_transfer_mode mode = {.stream = command.stream};
  const pi_result result =
      flags == PI_IMAGE_COPY_DEVICE_TO_DEVICE ? image_transfer(&mode, &to, &from, &extent)
      : flags == PI_IMAGE_COPY_DEVICE_TO_HOST
          ? image_transfer_host(context, command.stream, &from, &to, &extent, true, false)
          : image_transfer_host(context, command.stream, &to, &from, &extent, false, false);
  return queue_conclude_started(&command, result, false, event);
}
