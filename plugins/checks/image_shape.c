#include "image_shape.h"

#include "../base/error.h"

typedef struct shape_type {
  pi_mem_type type;
  bool has_height, has_depth, has_layers;
} shape_type;

static const shape_type shape_types[] = {
#define IMAGE_SHAPE(type, height, depth, layers) {PI_MEM_TYPE_##type, height, depth, layers},
    IMAGE_SHAPES(IMAGE_SHAPE)
#undef IMAGE_SHAPE
};

static const shape_type *find_type(pi_mem_type type) {
  for (size_t i = 0; i < sizeof shape_types / sizeof shape_types[0]; i++)
    if (shape_types[i].type == type)
      return &shape_types[i];
  return NULL;
}

pi_result image_refuse_type(pi_mem_type type, const char *backend) {
  REQUIRE(type != PI_MEM_TYPE_BUFFER, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "image_type is PI_MEM_TYPE_BUFFER, buffers are made by piMemBufferCreate");
  REQUIRE(type != PI_MEM_TYPE_IMAGE1D_BUFFER, PI_ERROR_UNSUPPORTED_FEATURE,
          "%s's images have memory of their own and cannot be made of a buffer", backend);
  return plugin_error(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "image_type 0x%x is not a pi_mem_type",
                      (unsigned)type);
}

static pi_result check_size(const char *name, size_t size) {
  REQUIRE(size != 0, PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "%s is 0", name);
  return PI_SUCCESS;
}

static const char *third_size(bool is_layered) {
  return is_layered ? "image_array_size" : "image_depth";
}

/* Sets shape->size. */
static pi_result measure_image(image_shape *shape, unsigned pixel_size) {
  size_t size;
  REQUIRE(!__builtin_mul_overflow(shape->width, pixel_size, &size) &&
              !__builtin_mul_overflow(size, shape->height, &size) &&
              !__builtin_mul_overflow(size, shape->depth, &size) && size <= PTRDIFF_MAX,
          PI_ERROR_INVALID_IMAGE_SIZE,
          "an image of %zu x %zu x %zu pixels of %u bytes is larger than memory can be",
          shape->width, shape->height, shape->depth, pixel_size);
  shape->size = size;
  return PI_SUCCESS;
}

pi_result image_shape_of(const pi_image_desc *desc, const char *backend, const image_pixel *pixel,
                         image_shape *ret) {
  REQUIRE(desc, PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
  const shape_type *type = find_type(desc->image_type);
  if (!type)
    return image_refuse_type(desc->image_type, backend);
  REQUIRE(!desc->buffer, PI_ERROR_UNSUPPORTED_FEATURE,
          "image_desc names a buffer, and %s's images have memory of their own", backend);
  REQUIRE(desc->num_samples <= 1, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "num_samples is %u, and %s's images have one sample", desc->num_samples, backend);
  image_shape shape = {.type = desc->image_type,
                       .width = desc->image_width,
                       .height = type->has_height ? desc->image_height : 1,
                       .depth = type->has_depth    ? desc->image_depth
                                : type->has_layers ? desc->image_array_size
                                                   : 1,
                       .has_height = type->has_height,
                       .has_depth = type->has_depth,
                       .is_layered = type->has_layers};
  TRY(check_size("image_width", shape.width));
  TRY(check_size("image_height", shape.height));
  TRY(check_size(third_size(type->has_layers), shape.depth));
  REQUIRE(shape.type != PI_MEM_TYPE_IMAGE_CUBEMAP ||
              (shape.width == shape.height && shape.depth == 6),
          PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "a cube map has 6 squares, the description %zu layers of %zu x %zu", shape.depth,
          shape.width, shape.height);
  TRY(measure_image(&shape, pixel->size));
  *ret = shape;
  return PI_SUCCESS;
}

static pi_result check_limit(const char *name, size_t size, size_t limit) {
  REQUIRE(size <= limit, PI_ERROR_INVALID_IMAGE_SIZE,
          "%s is %zu, and the device's images of this type have at most %zu", name, size, limit);
  return PI_SUCCESS;
}

pi_result image_shape_limit(const image_shape *shape, size_t width, size_t height, size_t depth) {
  TRY(check_limit("image_width", shape->width, width));
  if (shape->has_height)
    TRY(check_limit("image_height", shape->height, height));
  if (shape->has_depth || shape->is_layered)
    TRY(check_limit(third_size(shape->is_layered), shape->depth, depth));
  return PI_SUCCESS;
}

static size_t halved(size_t size, unsigned times) {
  const size_t less = times < 8 * sizeof size ? size >> times : 0;
  return less ? less : 1;
}

image_shape image_shape_of_level(const image_shape *shape, unsigned level) {
  image_shape smaller = *shape;
  const size_t pixel_size = shape->size / shape->width / shape->height / shape->depth;
  smaller.width = halved(shape->width, level);
  smaller.height = halved(shape->height, level);
  if (shape->has_depth)
    smaller.depth = halved(shape->depth, level);
  smaller.size = pixel_size * smaller.width * smaller.height * smaller.depth;
  return smaller;
}

unsigned image_level_limit(const image_shape *shape) {
  size_t largest = shape->width > shape->height ? shape->width : shape->height;
  if (shape->has_depth && shape->depth > largest)
    largest = shape->depth;
  unsigned levels = 0;
  for (; largest != 0; largest /= 2)
    levels++;
  return levels;
}

pi_result image_answer(const info_answer *answer, pi_image_info query, const image_form *form) {
  const image_shape *shape = &form->shape;
  const size_t row = shape->width * form->pixel.size;
  switch (query) {
  case PI_IMAGE_INFO_FORMAT:
    return answer_bytes(answer, &form->format, sizeof form->format);
  case PI_IMAGE_INFO_ELEMENT_SIZE:
    return answer_size(answer, form->pixel.size);
  case PI_IMAGE_INFO_ROW_PITCH:
    return answer_size(answer, row);
  case PI_IMAGE_INFO_SLICE_PITCH:
    return answer_size(answer, shape->has_depth || shape->is_layered ? row * shape->height : 0);
  case PI_IMAGE_INFO_WIDTH:
    return answer_size(answer, shape->width);
  case PI_IMAGE_INFO_HEIGHT:
    return answer_size(answer, shape->has_height ? shape->height : 0);
  case PI_IMAGE_INFO_DEPTH:
    return answer_size(answer, shape->has_depth ? shape->depth : 0);
  }
  return answer_unknown("pi_image_info", (pi_uint32)query);
}

static pi_result check_axis(const char *axis, size_t origin, size_t region, size_t size) {
  REQUIRE(region != 0, PI_ERROR_INVALID_VALUE, "the region has size 0 in %s", axis);
  REQUIRE(origin < size && region <= size - origin, PI_ERROR_INVALID_VALUE,
          "the region from %zu on with size %zu leaves the image, which has %zu in %s", origin,
          region, size, axis);
  return PI_SUCCESS;
}

pi_result image_box_read(const image_shape *shape, const size_t origin[3], const size_t region[3],
                         image_box *ret) {
  const bool swapped = image_has_layers_as_rows(shape);
  TRY(check_axis("x", origin[0], region[0], shape->width));
  TRY(check_axis("y", origin[1], region[1], swapped ? shape->depth : shape->height));
  TRY(check_axis("z", origin[2], region[2], swapped ? 1 : shape->depth));
  *ret = swapped ? (image_box){origin[0], 0, origin[1], region[0], 1, region[1]}
                 : (image_box){origin[0], origin[1], origin[2], region[0], region[1], region[2]};
  return PI_SUCCESS;
}

pi_result image_region_read(const image_shape *shape, pi_image_offset origin,
                            pi_image_region region, image_box *ret) {
  const size_t from[3] = {origin->x, origin->y, origin->z};
  const size_t size[3] = {region->width, region->height, region->depth};
  return image_box_read(shape, from, size, ret);
}

static bool overlap(size_t one, size_t other, size_t size) {
  return one < other + size && other < one + size;
}

bool image_boxes_overlap(const image_box *one, const image_box *other) {
  return overlap(one->x, other->x, one->width) && overlap(one->y, other->y, one->height) &&
         overlap(one->z, other->z, one->depth);
}

pi_result image_pitches(pi_result code, const image_extent *extent, size_t *row_pitch,
                        size_t *slice_pitch, size_t *ret_size) {
  const size_t row = *row_pitch ? *row_pitch : extent->width;
  REQUIRE(row >= extent->width, code, "the row pitch is %zu, less than the %zu bytes of a row", row,
          extent->width);
  size_t rows, slice, size;
  bool fits = !__builtin_mul_overflow(row, extent->height, &rows);
  slice = *slice_pitch ? *slice_pitch : rows;
  REQUIRE(!fits || slice >= rows, code,
          "the slice pitch is %zu, less than the %zu bytes of %zu rows", slice, rows,
          extent->height);
  fits = fits && !__builtin_mul_overflow(slice, extent->depth - 1, &size) &&
         !__builtin_add_overflow(size, row * (extent->height - 1) + extent->width, &size);
  REQUIRE(fits, code, "%zu slices of %zu rows with these pitches are more than an address reaches",
          extent->depth, extent->height);
  *row_pitch = row;
  *slice_pitch = slice;
  *ret_size = size;
  return PI_SUCCESS;
}

/* Limit of scratch memory, unless a single row is longer. */
enum { SCRATCH_BYTES = 1 << 20 };

image_box image_fill_part(const image_box *box, size_t pixel_size) {
  const size_t rows = SCRATCH_BYTES / pixel_size / box->width;
  image_box part = {.width = box->width, .height = 1, .depth = 1};
  if (rows >= box->height) {
    const size_t slices = rows / box->height;
    part.height = box->height;
    part.depth = slices < box->depth ? slices : box->depth;
  } else if (rows > 1) {
    part.height = rows;
  }
  return part;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

bool image_fill_next(const image_box *box, const image_box *part, image_box *piece) {
  const size_t bottom = box->y + box->height, end = box->z + box->depth;
  if (piece->width == 0)
    *piece = *box;
  else
    piece->y += piece->height;
  if (piece->y == bottom) {
    piece->y = box->y;
    piece->z += piece->depth;
  }
  piece->height = smaller(part->height, bottom - piece->y);
  piece->depth = smaller(part->depth, end - piece->z);
  return piece->z < end;
}
