/* Copies of bindless images: each side is image memory or plain memory. */
#include "bindless.h"

#include "../base/error.h"
#include "../checks/rect.h"
#include "driver.h"
#include "image.h"
#include "image_command.h"

/* A requested copy. */
typedef struct copy_request {
  sink *sink;
  image_form form;
  size_t row_pitch; /* of plain memory on the device's side, in bytes */
  size_t size[3];   /* of the copy, in pixels; z counts layers in an array */
} copy_request;

/* One side of a copy: a part of an image, or plain memory. */
typedef struct copy_side {
  image_memory found;
  image_part part; /* part.image is NULL for plain memory */
  image_pitched memory;
} copy_side;

/* Reads the sizes of PI's structure, with 1 for dimensions that the shape does not have. */
static void read_sizes(const image_shape *shape, pi_image_region region, size_t ret[3]) {
  ret[0] = region->width;
  ret[1] = shape->has_height ? region->height : 1;
  ret[2] = shape->has_depth || shape->is_layered ? region->depth : 1;
}

/* Reads offsets in the same way, with 0 for those dimensions. */
static void read_offset(const image_shape *shape, pi_image_offset offset, size_t ret[3]) {
  ret[0] = offset->x;
  ret[1] = shape->has_height ? offset->y : 0;
  ret[2] = shape->has_depth || shape->is_layered ? offset->z : 0;
}

/* Reads a request. For an array, a depth of 0 in the extent means all layers. */
static pi_result read_request(pi_image_copy_flags flags, const pi_image_format *format,
                              const pi_image_desc *desc, pi_image_region extent,
                              copy_request *request) {
  const image_shape *shape = &request->form.shape;
  size_t *size = request->size;
  TRY(driver_image_memory_form(request->sink->device, format, desc, false, &request->form));
  REQUIRE(flags == PI_IMAGE_COPY_HOST_TO_DEVICE || flags == PI_IMAGE_COPY_DEVICE_TO_HOST ||
              flags == PI_IMAGE_COPY_DEVICE_TO_DEVICE,
          PI_ERROR_INVALID_VALUE, "flags 0x%x is not one pi_image_copy_flags", (unsigned)flags);
  read_sizes(shape, extent, size);
  if (shape->is_layered && size[2] == 0)
    size[2] = shape->depth;
  REQUIRE(size[0] && size[1] && size[2], PI_ERROR_INVALID_VALUE,
          "copy_extent is %zu x %zu x %zu, and the image's type has no size of 0", size[0], size[1],
          size[2]);
  request->row_pitch = desc->image_row_pitch;
  return PI_SUCCESS;
}

/* Finds the box of the copy in an image of the size whole, and checks that it lies inside. */
static pi_result read_box(const char *name, const copy_request *request, pi_image_offset at,
                          const size_t whole[3], image_box *ret) {
  static const char axes[] = "xyz";
  const size_t *size = request->size;
  size_t offset[3];
  read_offset(&request->form.shape, at, offset);
  for (unsigned i = 0; i < 3; i++)
    REQUIRE(offset[i] < whole[i] && size[i] <= whole[i] - offset[i], PI_ERROR_INVALID_VALUE,
            "%s: the part from %zu on with size %zu leaves the %zu in %c", name, offset[i], size[i],
            whole[i], axes[i]);
  *ret = (image_box){offset[0], offset[1], offset[2], size[0], size[1], size[2]};
  return PI_SUCCESS;
}

/* Finds one side in memory that holds an image of the size whole; row_pitch 0: tightly packed. */
static pi_result find_memory(const char *name, const copy_request *request, const void *pointer,
                             pi_image_offset at, const size_t whole[3], size_t row_pitch,
                             copy_side *ret) {
  const size_t pixel = request->form.pixel.size;
  const image_box *box = &ret->part.box;
  size_t row;
  REQUIRE(!__builtin_mul_overflow(whole[0], pixel, &row), PI_ERROR_INVALID_VALUE,
          "%s: rows of %zu pixels are more than an address reaches", name, whole[0]);
  const image_extent all = {row, whole[1], whole[2]};
  TRY(read_box(name, request, at, whole, &ret->part.box));
  ret->memory = (image_pitched){.start = (uintptr_t)pointer, .row_pitch = row_pitch};
  TRY(image_check_memory(request->sink->context, name, PI_ERROR_INVALID_VALUE, &all, &ret->memory));
  ret->memory.start +=
      box->x * pixel + box->y * ret->memory.row_pitch + box->z * ret->memory.slice_pitch;
  ret->part.image = NULL;
  return PI_SUCCESS;
}

/*
 * Finds the host's side. extent is the size of the whole image there; where it is 0, the image ends
 * with the copy.
 */
static pi_result find_host(const char *name, const copy_request *request, const void *pointer,
                           pi_image_offset at, pi_image_region extent, copy_side *ret) {
  size_t whole[3], offset[3];
  read_offset(&request->form.shape, at, offset);
  read_sizes(&request->form.shape, extent, whole);
  for (unsigned i = 0; i < 3; i++)
    if (whole[i] == 0)
      whole[i] = offset[i] + request->size[i];
  return find_memory(name, request, pointer, at, whole, 0, ret);
}

static pi_result check_same(const char *name, const copy_request *request,
                            const image_memory *memory) {
  const image_form *form = &request->form, *found = &memory->form;
  const pi_device device = request->sink->device->root;
  REQUIRE(memory->image, PI_ERROR_INVALID_VALUE,
          "%s has %u levels; a copy is of one, of piextMemMipmapGetLevel", name, memory->levels);
  REQUIRE(found->pixel.size == form->pixel.size, PI_ERROR_IMAGE_FORMAT_MISMATCH,
          "%s has pixels of %u bytes, image_format of %u", name, found->pixel.size,
          form->pixel.size);
  REQUIRE(found->shape.type == form->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "%s was made with image_type 0x%x, image_desc has 0x%x", name,
          (unsigned)found->shape.type, (unsigned)form->shape.type);
  REQUIRE(memory->device == device, PI_ERROR_INVALID_DEVICE,
          "%s is memory of device %u, and the queue is of device %u", name, memory->device->index,
          device->index);
  return PI_SUCCESS;
}

/* Finds the device's side: image memory, or USM with image_desc's pitch. */
static pi_result find_device(const char *name, const copy_request *request, const void *pointer,
                             pi_image_offset at, copy_side *ret) {
  const bool is_image = image_memory_find((pi_image_mem_handle)(uintptr_t)pointer,
                                          request->sink->context, &ret->found);
  const image_shape *shape = is_image ? &ret->found.form.shape : &request->form.shape;
  const size_t whole[3] = {shape->width, shape->height, shape->depth};
  if (is_image) {
    TRY(check_same(name, request, &ret->found));
    ret->part = (image_part){.image = ret->found.image, .form = &ret->found.form};
    return read_box(name, request, at, whole, &ret->part.box);
  }
  TRY(find_memory(name, request, pointer, at, whole, request->row_pitch, ret));
  REQUIRE(ret->memory.is_usm, PI_ERROR_INVALID_VALUE,
          "%s is neither image memory nor USM of the context", name);
  return PI_SUCCESS;
}

static pi_result copy_sides(const copy_request *request, const copy_side *to,
                            const copy_side *from) {
  sink *const sink = request->sink;
  const image_pitched *target = &to->memory, *source = &from->memory;
  if (to->part.image && from->part.image) {
    TRY(image_check_overlap(&to->part, &from->part));
    return driver_image_copy(sink, &to->part, &from->part);
  }
  if (to->part.image || from->part.image)
    return to->part.image ? driver_image_transfer(sink, &to->part, source, false)
                          : driver_image_transfer(sink, &from->part, target, true);
  const transfer plain = {{source->start, source->row_pitch, source->slice_pitch},
                          {target->start, target->row_pitch, target->slice_pitch},
                          request->size[0] * request->form.pixel.size,
                          request->size[1],
                          request->size[2]};
  return driver_copy(sink, &plain,
                     !target->is_usm   ? COPY_TO_HOST
                     : !source->is_usm ? COPY_FROM_HOST
                                       : COPY_NO_HOST);
}

pi_result image_memory_copy(sink *sink, const void *to, const void *from,
                            const pi_image_format *format, const pi_image_desc *desc,
                            pi_image_copy_flags flags, pi_image_offset from_offset,
                            pi_image_offset to_offset, pi_image_region extent,
                            pi_image_region host_extent) {
  copy_request request = {.sink = sink};
  copy_side target, source;
  TRY(read_request(flags, format, desc, extent, &request));
  TRY(flags == PI_IMAGE_COPY_DEVICE_TO_HOST
          ? find_host("dst_ptr", &request, to, to_offset, host_extent, &target)
          : find_device("dst_ptr", &request, to, to_offset, &target));
  TRY(flags == PI_IMAGE_COPY_HOST_TO_DEVICE
          ? find_host("src_ptr", &request, from, from_offset, host_extent, &source)
          : find_device("src_ptr", &request, from, from_offset, &source));
  return copy_sides(&request, &target, &source);
}
