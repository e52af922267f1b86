/* Sizes of images in CUDA: the device's limits, and arrays. */
#ifndef CUDA_IMAGE_SHAPE_H
#define CUDA_IMAGE_SHAPE_H

#include "../checks/image_shape.h"
#include "device.h"
#include "image_format.h"

/*
 * X(PI_MEM_TYPE_..; the device's limits for width, height and the third size,
 * CU_DEVICE_ATTRIBUTE_MAXIMUM_..; flags of the array). For a size that the type does not have, any
 * limit will do.
 */
#define IMAGE_ARRAYS(X)                                                                            \
  X(IMAGE1D, SURFACE1D_WIDTH, SURFACE1D_WIDTH, SURFACE1D_WIDTH, 0)                                 \
  X(IMAGE2D, SURFACE2D_WIDTH, SURFACE2D_HEIGHT, SURFACE2D_WIDTH, 0)                                \
  X(IMAGE3D, SURFACE3D_WIDTH, SURFACE3D_HEIGHT, SURFACE3D_DEPTH, 0)                                \
  X(IMAGE1D_ARRAY, SURFACE1D_LAYERED_WIDTH, SURFACE1D_LAYERED_WIDTH, SURFACE1D_LAYERED_LAYERS,     \
    CUDA_ARRAY3D_LAYERED)                                                                          \
  X(IMAGE2D_ARRAY, SURFACE2D_LAYERED_WIDTH, SURFACE2D_LAYERED_HEIGHT, SURFACE2D_LAYERED_LAYERS,    \
    CUDA_ARRAY3D_LAYERED)                                                                          \
  X(IMAGE_CUBEMAP, SURFACECUBEMAP_WIDTH, SURFACECUBEMAP_WIDTH, SURFACECUBEMAP_WIDTH,               \
    CUDA_ARRAY3D_CUBEMAP)

/* Checks that a device has images of such sizes. PI_ERROR_INVALID_IMAGE_SIZE. */
pi_result image_shape_check(pi_device device, const image_shape *shape);

/*
 * Reads the sizes of a description, as image_shape_of does, and compares them with the device's
 * limits unless device is NULL: PI_ERROR_INVALID_IMAGE_SIZE.
 */
pi_result image_shape_read(pi_device device, const pi_image_desc *desc, const image_pixel *pixel,
                           image_shape *ret);

/* The driver's description of an array of this shape that surfaces can be made of. */
CUDA_ARRAY3D_DESCRIPTOR image_array_descriptor(const image_form *form);

/* The sizes of an existing array. PI_ERROR_INVALID_MEM_OBJECT: an array of cube maps. */
pi_result image_shape_of_array(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, const image_pixel *pixel,
                               image_shape *ret);

#endif
