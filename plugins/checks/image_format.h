/* Pixel formats: PI's channel orders and types as they stand in memory, whatever the driver is. */
#ifndef OBJECTS_IMAGE_FORMAT_H
#define OBJECTS_IMAGE_FORMAT_H

#include <pi/pi.h>

/*
 * X(order, number of channels, their letters in memory order). I and L are one channel that is all
 * of R, G and B (and A, for I) at once. No backend has orders of 3 channels, with a channel that is
 * only padding, or of sRGB.
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
 * X(type, bytes of a channel, kind of channel), without types of several channels in one number: no
 * backend has any.
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

/* A format in a plugin's terms. */
typedef struct image_pixel {
  unsigned channels; /* 1, 2 or 4 */
  unsigned size;     /* bytes of a pixel: 1, 2, 4, 8 or 16 */
  image_kind kind;
  const char *letters; /* of the channels in memory */
} image_pixel;

/*
 * Reads a format. PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: NULL, or a value that PI does not have.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: one that is in no list above; the message says that backend
 * ("CUDA") has none.
 */
pi_result image_format_read(const pi_image_format *format, const char *backend, image_pixel *ret);

/* The failure for an order that a backend has no images with. */
pi_result image_order_refuse(pi_image_channel_order order, const char *backend);

/* Returns whether kernels get the channels as they stand in memory: R, RG or RGBA. */
bool image_pixel_is_straight(const image_pixel *pixel);

/* Returns whether a filter has numbers to mix: integers that are not normalised have none. */
static inline bool image_kind_is_filtered(image_kind kind) {
  return kind != IMAGE_KIND_SIGNED && kind != IMAGE_KIND_UNSIGNED;
}

/*
 * Makes a pixel of a colour: 4 float for normalised, half and float channels, 4 int32_t or uint32_t
 * for integers, as R, G, B and A. Numbers beyond a channel's range become its largest or smallest
 * one, and NaN becomes 0 in integers. Other numbers are rounded to the nearest, halves to even.
 */
void image_pixel_encode(const image_pixel *pixel, const void *color,
                        unsigned char ret[IMAGE_PIXEL_MAX]);

#endif
