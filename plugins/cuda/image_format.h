/*
 * Pixel formats in CUDA, which does not rearrange channels: a kernel gets them in the order in
 * which they stand in memory. Orders with one channel for several do not exist there.
 */
#ifndef CUDA_IMAGE_FORMAT_H
#define CUDA_IMAGE_FORMAT_H

#include "../checks/image_format.h"
#include "cuda.h"

/*
 * X(CUarray_format, bytes of a channel, its kind, PI's type of such channels). Normalised types
 * have the rows of their integers, because in CUDA the texture decides whether it returns numbers
 * from 0 or -1 to 1. So they need nothing newer than the oldest supported driver.
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

/* The format of one channel of a pixel from image_pixel_read. */
CUarray_format image_array_format(const image_pixel *pixel);

/*
 * Reads a format. PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: NULL, or a value that PI does not have.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: one that CUDA does not have.
 */
pi_result image_pixel_read(const pi_image_format *format, image_pixel *ret);

/*
 * The same where kernels need the channels in memory order: an order that CUDA would have to
 * rearrange is PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, too.
 */
pi_result image_pixel_read_straight(const pi_image_format *format, image_pixel *ret);

/* The format of an array, with its integers not normalised. false: PI has none for it. */
bool image_format_of_array(CUarray_format format, unsigned channels, pi_image_format *ret);

#endif
