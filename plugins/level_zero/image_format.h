/* Pixel formats of Level Zero. */
#ifndef LEVEL_ZERO_IMAGE_FORMAT_H
#define LEVEL_ZERO_IMAGE_FORMAT_H

#include "../checks/image_shape.h"
#include "level_zero.h"

/*
 * X(order, x, y, z, w): ZE_IMAGE_FORMAT_SWIZZLE_.. of the components in memory from which a kernel
 * reads red, green, blue and alpha. A colour that memory does not have is 0, and alpha is 1.
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
 * Reads a format. Level Zero rearranges channels when a kernel reads, and does not specify what
 * happens when a kernel writes. A writable image (is_writable) must therefore have its channels in
 * the order of memory: R, RG or RGBA.
 *
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: NULL, or a value that PI does not have.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: Level Zero has no such format, or not for writable images.
 */
pi_result image_pixel_read(const pi_image_format *format, bool is_writable, image_pixel *ret);

/* Translates the format of a form for the driver. */
ze_image_format_t image_format_of(const image_form *form);

#endif
