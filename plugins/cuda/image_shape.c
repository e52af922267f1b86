#include "image_shape.h"

typedef struct shape_type {
  pi_mem_type type;
  bool has_height, has_depth, has_layers;
  CUdevice_attribute width_limit, height_limit, depth_limit;
  unsigned flags;
} shape_type;

static const shape_type shape_types[] = {
#define IMAGE_SHAPE(type, height, depth, layers, width_limit, height_limit, depth_limit, flags)    \
  {PI_MEM_TYPE_##type,                                                                             \
   height,                                                                                         \
   depth,                                                                                          \
   layers,                                                                                         \
   CU_DEVICE_ATTRIBUTE_MAXIMUM_##width_limit,                                                      \
   CU_DEVICE_ATTRIBUTE_MAXIMUM_##height_limit,                                                     \
   CU_DEVICE_ATTRIBUTE_MAXIMUM_##depth_limit,                                                      \
   flags},
    IMAGE_SHAPES(IMAGE_SHAPE)
#undef IMAGE_SHAPE
};

static const shape_type *find_type(pi_mem_type type) {
  for (size_t i = 0; i < sizeof shape_types / sizeof shape_types[0]; i++)
    if (shape_types[i].type == type)
      return &shape_types[i];
  return NULL;
}

static pi_result refuse_type(pi_mem_type type) {
  PI_REQUIRE(type != PI_MEM_TYPE_BUFFER, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "image_type is PI_MEM_TYPE_BUFFER, buffers are made by piMemBufferCreate");
  if (type == PI_MEM_TYPE_IMAGE1D_BUFFER)
    return CUDA_UNSUPPORTED(
        "CUDA's images have memory of their own and cannot be made of a buffer");
  return pi_error(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "image_type 0x%x is not a pi_mem_type",
                  (unsigned)type);
}

static pi_result check_size(const char *name, size_t size) {
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "%s is 0", name);
  return PI_SUCCESS;
}

static pi_result check_limit(pi_device device, const char *name, size_t size,
                             CUdevice_attribute attribute) {
  const int limit = cuda_attribute(device, attribute, 0);
  PI_REQUIRE(limit > 0 && size <= (size_t)limit, PI_ERROR_INVALID_IMAGE_SIZE,
             "%s is %zu, and the device's images of this type have at most %d", name, size, limit);
  return PI_SUCCESS;
}

/* The bytes of all pixels. */
static pi_result measure(image_shape *shape, unsigned pixel_size) {
  size_t size;
  PI_REQUIRE(!__builtin_mul_overflow(shape->width, pixel_size, &size) &&
                 !__builtin_mul_overflow(size, shape->height, &size) &&
                 !__builtin_mul_overflow(size, shape->depth, &size) && size <= PTRDIFF_MAX,
             PI_ERROR_INVALID_IMAGE_SIZE,
             "an image of %zu x %zu x %zu pixels of %u bytes is larger than memory can be",
             shape->width, shape->height, shape->depth, pixel_size);
  shape->size = size;
  return PI_SUCCESS;
}

pi_result image_shape_read(pi_device device, const pi_image_desc *desc, const image_pixel *pixel,
                           image_shape *ret) {
  PI_REQUIRE(desc, PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
  const shape_type *type = find_type(desc->image_type);
  if (!type)
    return refuse_type(desc->image_type);
  if (desc->buffer)
    return CUDA_UNSUPPORTED(
        "image_desc names a buffer, and CUDA's images have memory of their own");
  PI_REQUIRE(desc->num_samples <= 1, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "num_samples is %u, and CUDA's images have one sample", desc->num_samples);
  image_shape shape = {.type = desc->image_type,
                       .width = desc->image_width,
                       .height = type->has_height ? desc->image_height : 1,
                       .depth = type->has_depth    ? desc->image_depth
                                : type->has_layers ? desc->image_array_size
                                                   : 1,
                       .has_height = type->has_height,
                       .has_depth = type->has_depth,
                       .is_layered = type->has_layers};
  const char *third = type->has_layers ? "image_array_size" : "image_depth";
  PI_TRY(check_size("image_width", shape.width));
  PI_TRY(check_size("image_height", shape.height));
  PI_TRY(check_size(third, shape.depth));
  PI_REQUIRE(shape.type != PI_MEM_TYPE_IMAGE_CUBEMAP ||
                 (shape.width == shape.height && shape.depth == 6),
             PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
             "a cube map has 6 squares, the description %zu layers of %zu x %zu", shape.depth,
             shape.width, shape.height);
  PI_TRY(measure(&shape, pixel->size));
  if (device) {
    PI_TRY(check_limit(device, "image_width", shape.width, type->width_limit));
    PI_TRY(check_limit(device, "image_height", shape.height, type->height_limit));
    PI_TRY(check_limit(device, third, shape.depth, type->depth_limit));
  }
  *ret = shape;
  return PI_SUCCESS;
}

CUDA_ARRAY3D_DESCRIPTOR image_array_descriptor(const image_shape *shape, const image_pixel *pixel) {
  return (CUDA_ARRAY3D_DESCRIPTOR){
      .Width = shape->width,
      .Height = shape->has_height ? shape->height : 0,
      .Depth = shape->has_depth || shape->is_layered ? shape->depth : 0,
      .Format = pixel->format,
      .NumChannels = pixel->channels,
      .Flags = find_type(shape->type)->flags | CUDA_ARRAY3D_SURFACE_LDST,
  };
}

static pi_mem_type type_of_array(const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
  if (descriptor->Flags & CUDA_ARRAY3D_CUBEMAP)
    return PI_MEM_TYPE_IMAGE_CUBEMAP;
  if (descriptor->Flags & CUDA_ARRAY3D_LAYERED)
    return descriptor->Height ? PI_MEM_TYPE_IMAGE2D_ARRAY : PI_MEM_TYPE_IMAGE1D_ARRAY;
  return descriptor->Depth    ? PI_MEM_TYPE_IMAGE3D
         : descriptor->Height ? PI_MEM_TYPE_IMAGE2D
                              : PI_MEM_TYPE_IMAGE1D;
}

pi_result image_shape_of_array(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, const image_pixel *pixel,
                               image_shape *ret) {
  const unsigned both = CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED;
  PI_REQUIRE((descriptor->Flags & both) != both, PI_ERROR_INVALID_MEM_OBJECT,
             "the CUarray has several cube maps, which PI has no type for");
  const pi_image_desc desc = {.image_type = type_of_array(descriptor),
                              .image_width = descriptor->Width,
                              .image_height = descriptor->Height,
                              .image_depth = descriptor->Depth,
                              .image_array_size = descriptor->Depth};
  return image_shape_read(NULL, &desc, pixel, ret);
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

pi_result image_answer(const pi_answer *answer, pi_image_info query, const pi_image_format *format,
                       const image_pixel *pixel, const image_shape *shape) {
  const size_t row = shape->width * pixel->size;
  switch (query) {
  case PI_IMAGE_INFO_FORMAT:
    return pi_answer_bytes(answer, format, sizeof *format);
  case PI_IMAGE_INFO_ELEMENT_SIZE:
    return pi_answer_size(answer, pixel->size);
  case PI_IMAGE_INFO_ROW_PITCH:
    return pi_answer_size(answer, row);
  case PI_IMAGE_INFO_SLICE_PITCH:
    return pi_answer_size(answer, shape->has_depth || shape->is_layered ? row * shape->height : 0);
  case PI_IMAGE_INFO_WIDTH:
    return pi_answer_size(answer, shape->width);
  case PI_IMAGE_INFO_HEIGHT:
    return pi_answer_size(answer, shape->has_height ? shape->height : 0);
  case PI_IMAGE_INFO_DEPTH:
    return pi_answer_size(answer, shape->has_depth ? shape->depth : 0);
  }
  return pi_answer_unknown("pi_image_info", (pi_uint32)query);
}
