/* Pixel formats as Level Zero has them. */
#ifndef LEVEL_ZERO_IMAGE_FORMAT_H
#define LEVEL_ZERO_IMAGE_FORMAT_H

#include "../checks/image_shape.h"
#include "level_zero.h"

/*
 * X(order, x, y, z, w): from which component of the memory a kernel gets red, green, blue and alpha
 * when it reads; ZE_IMAGE_FORMAT_SWIZZLE_.. What memory does not have is 0, and alpha 1.
 */
#define IMAGE_SWIZZLES(X)                                                                          \
  X(R, R, 0, 0, 1)                                                                                 \
  X(A, 0, 0, 0, R)                                                                                 \
  X(RG, R, G, 0, 1)                                                                                \
  X(RA, R, 0, 0, G)                                                                                \
  X(RGBA, R, G, B, A)                                                                              \
  X(BGRA, B, G, R, A)                                                                              \
  X(ARGB, G, B, A, R)                                                                              \
  X(ABGR, A, B, G, R)                                                                              \
  X(INTENSITY, R, R, R, R)                                                                         \
  X(LUMINANCE, R, R, R, 1)

/* X(bits of a component: 8, 16 or 32, components, ZE_IMAGE_FORMAT_LAYOUT_..) */
#define IMAGE_LAYOUTS(X)                                                                           \
  X(8, 1, 8)                                                                                       \
  X(16, 1, 16)                                                                                     \
  X(32, 1, 32)                                                                                     \
  X(8, 2, 8_8)                                                                                     \
  X(16, 2, 16_16)                                                                                  \
  X(32, 2, 32_32)                                                                                  \
  X(8, 4, 8_8_8_8)                                                                                 \
  X(16, 4, 16_16_16_16)                                                                            \
  X(32, 4, 32_32_32_32)

/*
 * Reads a format. Level Zero rearranges channels where a kernel reads, and is silent about where it
 * writes, so that images which kernels write (is_writable) have to have them as they stand in
 * memory: R, RG or RGBA.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: NULL, or a value that PI does not have.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: Level Zero has no such images, or none that kernels write.
 */
pi_result image_pixel_read(const pi_image_format *format, bool is_writable, image_pixel *ret);

/* The same as the driver takes it. */
ze_image_format_t image_format_of(const image_form *form);

#endif
