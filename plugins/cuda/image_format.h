/*
 * Pixel formats in CUDA. CUDA does not rearrange channels: a kernel gets them in their order in
 * memory. CUDA has no channel orders that repeat one channel (intensity, luminance).
 */
#ifndef CUDA_IMAGE_FORMAT_H
#define CUDA_IMAGE_FORMAT_H

#include "../checks/image_format.h"
#include "cuda.h"

/*
 * X(CUarray_format, bytes of a channel, its kind, PI's channel type). A normalised type uses its
 * integer type's row, because in CUDA the texture, not the array, decides about normalisation. So
 * normalised types work with the oldest supported driver, too.
 */
#define IMAGE_ARRAY_FORMATS(X)                                                                     \
  X(SIGNED_INT8, 1, SIGNED, SIGNED_INT8)                                                           \
  X(SIGNED_INT16, 2, SIGNED, SIGNED_INT16)                                                         \
  X(SIGNED_INT32, 4, SIGNED, SIGNED_INT32)                                                         \
  X(UNSIGNED_INT8, 1, UNSIGNED, UNSIGNED_INT8)                                                     \
  X(UNSIGNED_INT16, 2, UNSIGNED, UNSIGNED_INT16)                                                   \
  X(UNSIGNED_INT32, 4, UNSIGNED, UNSIGNED_INT32)                                                   \
  X(HALF, 2, HALF, HALF_FLOAT)                                                                     \
  X(FLOAT, 4, FLOAT, FLOAT)

/* Returns CUDA's format of the channels of a pixel from image_pixel_read. */
CUarray_format image_array_format(const image_pixel *pixel);

/*
 * Reads a format. PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: it is NULL, or PI has no such value.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: CUDA has no such format.
 */
pi_result image_pixel_read(const pi_image_format *format, image_pixel *ret);

/*
 * The same, but also refuses an order that CUDA would have to rearrange for kernels:
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED.
 */
pi_result image_pixel_read_straight(const pi_image_format *format, image_pixel *ret);

/* Finds PI's format of an array, with integers not normalised. Returns false if PI has none. */
bool image_format_of_array(CUarray_format format, unsigned channels, pi_image_format *ret);

#endif
