/* Sizes of images, the device's limits on them, and CUDA's descriptions of arrays. */
#ifndef CUDA_IMAGE_SHAPE_H
#define CUDA_IMAGE_SHAPE_H

#include "../checks/image_shape.h"
#include "device.h"
#include "image_format.h"

/*
 * X(PI_MEM_TYPE_.., width limit, height limit, depth or layers limit, flags of the array). The
 * limits are names without CU_DEVICE_ATTRIBUTE_MAXIMUM_. Any limit stands for a size that the type
 * lacks.
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

/* Checks sizes against the limits of a device. PI_ERROR_INVALID_IMAGE_SIZE. */
pi_result image_shape_check(pi_device device, const image_shape *shape);

/*
 * Reads the sizes of a description by image_shape_of, and checks them by image_shape_check unless
 * device is NULL.
 */
pi_result image_shape_read(pi_device device, const pi_image_desc *desc, const image_pixel *pixel,
                           image_shape *ret);

/* Returns CUDA's description of an array of this shape that allows surfaces. */
CUDA_ARRAY3D_DESCRIPTOR image_array_descriptor(const image_form *form);

/* Reads the sizes of an existing array. PI_ERROR_INVALID_MEM_OBJECT: it has several cube maps. */
pi_result image_shape_of_array(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, const image_pixel *pixel,
                               image_shape *ret);

#endif
