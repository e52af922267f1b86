#include "image_request.h"

#include "../base/error.h"

pi_result image_request_read(pi_image_copy_flags flags, const pi_image_desc *desc,
                             pi_image_region extent, image_request *request) {
  const image_shape *shape = &request->shape;
  PI_REQUIRE(flags == PI_IMAGE_COPY_HOST_TO_DEVICE || flags == PI_IMAGE_COPY_DEVICE_TO_HOST ||
                 flags == PI_IMAGE_COPY_DEVICE_TO_DEVICE,
             PI_ERROR_INVALID_VALUE, "flags 0x%x is not one pi_image_copy_flags", (unsigned)flags);
  const size_t size[3] = {extent->width, shape->has_height ? extent->height : 1,
                          shape->is_layered && extent->depth == 0 ? shape->depth
                          : shape->is_layered || shape->has_depth ? extent->depth
                                                                  : 1};
  PI_REQUIRE(size[0] && size[1] && size[2], PI_ERROR_INVALID_VALUE,
             "copy_extent is %zu x %zu x %zu, and the image's type has no size of 0", size[0],
             size[1], size[2]);
  request->desc = desc;
  for (unsigned i = 0; i < 3; i++)
    request->size[i] = size[i];
  return PI_SUCCESS;
}

static void read_offset(const image_shape *shape, pi_image_offset offset, size_t ret[3]) {
  ret[0] = offset->x;
  ret[1] = shape->has_height ? offset->y : 0;
  ret[2] = shape->has_depth || shape->is_layered ? offset->z : 0;
}

pi_result image_request_part(const char *name, const image_request *request, pi_image_offset at,
                             const size_t whole[3], size_t ret[3]) {
  static const char axes[] = "xyz";
  size_t offset[3];
  read_offset(&request->shape, at, offset);
  for (unsigned i = 0; i < 3; i++)
    PI_REQUIRE(offset[i] < whole[i] && request->size[i] <= whole[i] - offset[i],
               PI_ERROR_INVALID_VALUE,
               "%s: the part from %zu on with size %zu leaves what has %zu in %c", name, offset[i],
               request->size[i], whole[i], axes[i]);
  for (unsigned i = 0; i < 3; i++)
    ret[i] = offset[i];
  return PI_SUCCESS;
}

pi_result image_request_rows(const char *name, const image_request *request, pi_image_offset at,
                             const size_t whole[3], size_t row_pitch, image_rows *ret) {
  const size_t pixel = request->pixel.size;
  size_t row, offset[3];
  PI_REQUIRE(!__builtin_mul_overflow(whole[0], pixel, &row), PI_ERROR_INVALID_VALUE,
             "%s: rows of %zu pixels are more than an address reaches", name, whole[0]);
  const image_extent all = {row, whole[1], whole[2]};
  image_rows rows = {.row_pitch = row_pitch};
  PI_TRY(image_request_part(name, request, at, whole, offset));
  PI_TRY(
      image_pitches(PI_ERROR_INVALID_VALUE, &all, &rows.row_pitch, &rows.slice_pitch, &rows.size));
  rows.offset = offset[0] * pixel + offset[1] * rows.row_pitch + offset[2] * rows.slice_pitch;
  *ret = rows;
  return PI_SUCCESS;
}

pi_result image_request_host(const char *name, const image_request *request, pi_image_offset at,
                             pi_image_region extent, image_rows *ret) {
  const image_shape *shape = &request->shape;
  const size_t given[3] = {extent->width, shape->has_height ? extent->height : 1,
                           shape->has_depth || shape->is_layered ? extent->depth : 1};
  size_t whole[3], offset[3];
  read_offset(shape, at, offset);
  for (unsigned i = 0; i < 3; i++)
    whole[i] = given[i] ? given[i] : offset[i] + request->size[i];
  return image_request_rows(name, request, at, whole, 0, ret);
}
