/* Pixel formats for all drivers: memory layout of PI's channel orders and types. */
#ifndef OBJECTS_IMAGE_FORMAT_H
#define OBJECTS_IMAGE_FORMAT_H

#include <pi/pi.h>

/*
 * X(order, number of channels, their letters in memory order). The single channel L is read as R, G
 * and B, and I as R, G, B and A. Orders with 3 channels, padding or sRGB are missing because no
 * backend has them.
 */
#define IMAGE_ORDERS(X)                                                                            \
  X(R, 1, "R")                                                                                     \
  X(A, 1, "A")                                                                                     \
  X(RG, 2, "RG")                                                                                   \
  X(RA, 2, "RA")                                                                                   \
  X(RGBA, 4, "RGBA")                                                                               \
  X(BGRA, 4, "BGRA")                                                                               \
  X(ARGB, 4, "ARGB")                                                                               \
  X(ABGR, 4, "ABGR")                                                                               \
  X(INTENSITY, 1, "I")                                                                             \
  X(LUMINANCE, 1, "L")

/*
 * X(type, bytes of a channel, kind of channel). Types that pack several channels into one number
 * are missing because no backend has them.
 */
#define IMAGE_TYPES(X)                                                                             \
  X(SNORM_INT8, 1, SNORM)                                                                          \
  X(SNORM_INT16, 2, SNORM)                                                                         \
  X(UNORM_INT8, 1, UNORM)                                                                          \
  X(UNORM_INT16, 2, UNORM)                                                                         \
  X(SIGNED_INT8, 1, SIGNED)                                                                        \
  X(SIGNED_INT16, 2, SIGNED)                                                                       \
  X(SIGNED_INT32, 4, SIGNED)                                                                       \
  X(UNSIGNED_INT8, 1, UNSIGNED)                                                                    \
  X(UNSIGNED_INT16, 2, UNSIGNED)                                                                   \
  X(UNSIGNED_INT32, 4, UNSIGNED)                                                                   \
  X(HALF_FLOAT, 2, HALF)                                                                           \
  X(FLOAT, 4, FLOAT)

typedef enum image_kind {
  IMAGE_KIND_SNORM,
  IMAGE_KIND_UNORM,
  IMAGE_KIND_SIGNED,
  IMAGE_KIND_UNSIGNED,
  IMAGE_KIND_HALF,
  IMAGE_KIND_FLOAT,
} image_kind;

enum { IMAGE_PIXEL_MAX = 16 };

typedef struct image_pixel {
  unsigned channels; /* 1, 2 or 4 */
  unsigned size;     /* bytes of a pixel: 1, 2, 4, 8 or 16 */
  image_kind kind;
  const char *letters; /* the channels in memory order, such as "BGRA" */
} image_pixel;

/*
 * Reads a format. backend, such as "CUDA", is for messages.
 * PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: format is NULL or has a value unknown in PI.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: format has a value that is not in the lists above.
 */
pi_result image_format_read(const pi_image_format *format, const char *backend, image_pixel *ret);

/* Fails because a backend has no images with this channel order. */
pi_result image_order_refuse(pi_image_channel_order order, const char *backend);

/* Returns whether the order in memory is R, RG or RGBA, so that kernels read it unchanged. */
bool image_pixel_is_straight(const image_pixel *pixel);

/* Returns whether images of this kind can be filtered: all but integers that are not normalised. */
static inline bool image_kind_is_filtered(image_kind kind) {
  return kind != IMAGE_KIND_SIGNED && kind != IMAGE_KIND_UNSIGNED;
}

/*
 * Encodes a colour as a pixel. color is R, G, B and A: 4 int32_t or uint32_t for integer channels,
 * 4 float for others. In integer and normalised channels, numbers outside the range are clamped.
 * NaN becomes 0 in normalised channels. Numbers are rounded to the nearest; ties go to even.
 */
void image_pixel_encode(const image_pixel *pixel, const void *color,
                        unsigned char ret[IMAGE_PIXEL_MAX]);

#endif
