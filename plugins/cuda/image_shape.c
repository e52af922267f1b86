#include "image_shape.h"

typedef struct array_type {
  pi_mem_type type;
  CUdevice_attribute width_limit, height_limit, depth_limit;
  unsigned flags;
} array_type;

static const array_type array_types[] = {
#define IMAGE_ARRAY(type, width_limit, height_limit, depth_limit, flags)                           \
  {PI_MEM_TYPE_##type, CU_DEVICE_ATTRIBUTE_MAXIMUM_##width_limit,                                  \
   CU_DEVICE_ATTRIBUTE_MAXIMUM_##height_limit, CU_DEVICE_ATTRIBUTE_MAXIMUM_##depth_limit, flags},
    IMAGE_ARRAYS(IMAGE_ARRAY)
#undef IMAGE_ARRAY
};

/* Returns the row of an image type. IMAGE_ARRAYS has a row for each type of image_shape_of. */
static const array_type *find_array(pi_mem_type type) {
  size_t i = 0;
  while (array_types[i].type != type)
    i++;
  return &array_types[i];
}

static size_t limit_of(pi_device device, CUdevice_attribute attribute) {
  const int limit = cuda_attribute(device, attribute, 0);
  return limit > 0 ? (size_t)limit : 0;
}

pi_result image_shape_check(pi_device device, const image_shape *shape) {
  const array_type *type = find_array(shape->type);
  return image_shape_limit(shape, limit_of(device, type->width_limit),
                           limit_of(device, type->height_limit),
                           limit_of(device, type->depth_limit));
}

pi_result image_shape_read(pi_device device, const pi_image_desc *desc, const image_pixel *pixel,
                           image_shape *ret) {
  image_shape shape;
  TRY(image_shape_of(desc, "CUDA", pixel, &shape));
  if (device)
    TRY(image_shape_check(device, &shape));
  *ret = shape;
  return PI_SUCCESS;
}

CUDA_ARRAY3D_DESCRIPTOR image_array_descriptor(const image_form *form) {
  const image_shape *shape = &form->shape;
  return (CUDA_ARRAY3D_DESCRIPTOR){
      .Width = shape->width,
      .Height = shape->has_height ? shape->height : 0,
      .Depth = shape->has_depth || shape->is_layered ? shape->depth : 0,
      .Format = image_array_format(&form->pixel),
      .NumChannels = form->pixel.channels,
      .Flags = find_array(shape->type)->flags | CUDA_ARRAY3D_SURFACE_LDST,
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
  REQUIRE((descriptor->Flags & both) != both, PI_ERROR_INVALID_MEM_OBJECT,
          "the CUarray has several cube maps, which PI has no type for");
  const pi_image_desc desc = {.image_type = type_of_array(descriptor),
                              .image_width = descriptor->Width,
                              .image_height = descriptor->Height,
                              .image_depth = descriptor->Depth,
                              .image_array_size = descriptor->Depth};
  return image_shape_read(NULL, &desc, pixel, ret);
}
