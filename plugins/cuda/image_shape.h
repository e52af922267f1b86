/* Sizes of images: what a description says, and whether the device has such images. */
#ifndef PI_CUDA_IMAGE_SHAPE_H
#define PI_CUDA_IMAGE_SHAPE_H

#include "device.h"
#include "image_format.h"

/*
 * X(PI_MEM_TYPE_.., whether it has a height, a depth, layers; the device's limits for width, height
 * and the third size, CU_DEVICE_ATTRIBUTE_MAXIMUM_..; flags of the array). For a size that the type
 * does not have, which is 1, any limit will do.
 */
#define IMAGE_SHAPES(X)                                                                            \
  X(IMAGE1D, false, false, false, SURFACE1D_WIDTH, SURFACE1D_WIDTH, SURFACE1D_WIDTH, 0)            \
  X(IMAGE2D, true, false, false, SURFACE2D_WIDTH, SURFACE2D_HEIGHT, SURFACE2D_WIDTH, 0)            \
  X(IMAGE3D, true, true, false, SURFACE3D_WIDTH, SURFACE3D_HEIGHT, SURFACE3D_DEPTH, 0)             \
  X(IMAGE1D_ARRAY, false, false, true, SURFACE1D_LAYERED_WIDTH, SURFACE1D_LAYERED_WIDTH,           \
    SURFACE1D_LAYERED_LAYERS, CUDA_ARRAY3D_LAYERED)                                                \
  X(IMAGE2D_ARRAY, true, false, true, SURFACE2D_LAYERED_WIDTH, SURFACE2D_LAYERED_HEIGHT,           \
    SURFACE2D_LAYERED_LAYERS, CUDA_ARRAY3D_LAYERED)                                                \
  X(IMAGE_CUBEMAP, true, false, true, SURFACECUBEMAP_WIDTH, SURFACECUBEMAP_WIDTH,                  \
    SURFACECUBEMAP_WIDTH, CUDA_ARRAY3D_CUBEMAP)

/* An image's sizes in pixels; those that it does not have are 1. */
typedef struct image_shape {
  pi_mem_type type;
  size_t width, height;
  size_t depth; /* or layers; 6 of a cube map */
  bool has_height, has_depth, is_layered;
  size_t size; /* bytes of all pixels, one behind the other */
} image_shape;

/*
 * Reads the sizes of a description; those that its type does not have are not looked at. device may
 * be NULL: then nothing is compared with its limits.
 *
 * PI_ERROR_INVALID_IMAGE_DESCRIPTOR: NULL, an unknown type, a size of 0, a cube map that is none,
 * num_samples above 1. PI_ERROR_INVALID_IMAGE_SIZE: larger than the device's images, or than memory
 * can be. PI_ERROR_UNSUPPORTED_FEATURE: an image made of a buffer.
 */
pi_result image_shape_read(pi_device device, const pi_image_desc *desc, const image_pixel *pixel,
                           image_shape *ret);

/* What the driver takes to make an array of this shape that surfaces can be made of. */
CUDA_ARRAY3D_DESCRIPTOR image_array_descriptor(const image_shape *shape, const image_pixel *pixel);

/*
 * The sizes of an array that is there already. PI_ERROR_INVALID_MEM_OBJECT: an array of cube maps.
 */
pi_result image_shape_of_array(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, const image_pixel *pixel,
                               image_shape *ret);

/* The shape of a level of a mip-map whose largest level has this shape. */
image_shape image_shape_of_level(const image_shape *shape, unsigned level);

/* How many levels a mip-map of this shape can have. */
unsigned image_level_limit(const image_shape *shape);

/* The answer to a pi_image_info, as OpenCL has it: sizes that the image does not have are 0. */
pi_result image_answer(const pi_answer *answer, pi_image_info query, const pi_image_format *format,
                       const image_pixel *pixel, const image_shape *shape);

#endif
