/* Pixel formats: PI's channel orders and types, and what CUDA makes of them. */
#ifndef PI_CUDA_IMAGE_FORMAT_H
#define PI_CUDA_IMAGE_FORMAT_H

#include "cuda.h"

/*
 * X(order, number of channels, their letters as they stand in memory). CUDA does not rearrange
 * channels: a kernel gets them in the order of the letters. Orders of 3 channels, with a channel
 * that is only padding, of sRGB and of repeated channels do not exist there.
 */
#define IMAGE_ORDERS(X)                                                                            \
  X(R, 1, "R")                                                                                     \
  X(A, 1, "A")                                                                                     \
  X(RG, 2, "RG")                                                                                   \
  X(RA, 2, "RA")                                                                                   \
  X(RGBA, 4, "RGBA")                                                                               \
  X(BGRA, 4, "BGRA")                                                                               \
  X(ARGB, 4, "ARGB")                                                                               \
  X(ABGR, 4, "ABGR")

/*
 * X(type, CUarray_format, bytes of a channel, kind of channel). Normalised types are those of the
 * integers that they consist of: whether a texture gives numbers from 0 or -1 to 1 for them is a
 * property of the texture in CUDA. So they need nothing newer than the oldest driver that is taken.
 */
#define IMAGE_TYPES(X)                                                                             \
  X(SNORM_INT8, SIGNED_INT8, 1, SNORM)                                                             \
  X(SNORM_INT16, SIGNED_INT16, 2, SNORM)                                                           \
  X(UNORM_INT8, UNSIGNED_INT8, 1, UNORM)                                                           \
  X(UNORM_INT16, UNSIGNED_INT16, 2, UNORM)                                                         \
  X(SIGNED_INT8, SIGNED_INT8, 1, SIGNED)                                                           \
  X(SIGNED_INT16, SIGNED_INT16, 2, SIGNED)                                                         \
  X(SIGNED_INT32, SIGNED_INT32, 4, SIGNED)                                                         \
  X(UNSIGNED_INT8, UNSIGNED_INT8, 1, UNSIGNED)                                                     \
  X(UNSIGNED_INT16, UNSIGNED_INT16, 2, UNSIGNED)                                                   \
  X(UNSIGNED_INT32, UNSIGNED_INT32, 4, UNSIGNED)                                                   \
  X(HALF_FLOAT, HALF, 2, HALF)                                                                     \
  X(FLOAT, FLOAT, 4, FLOAT)

typedef enum image_kind {
  IMAGE_KIND_SNORM,
  IMAGE_KIND_UNORM,
  IMAGE_KIND_SIGNED,
  IMAGE_KIND_UNSIGNED,
  IMAGE_KIND_HALF,
  IMAGE_KIND_FLOAT,
} image_kind;

enum { IMAGE_PIXEL_MAX = 16 };

/* A format as the plugin needs it. */
typedef struct image_pixel {
  CUarray_format format; /* of one channel */
  unsigned channels;     /* 1, 2 or 4 */
  unsigned size;         /* bytes of a pixel: 1, 2, 4, 8 or 16 */
  image_kind kind;
  const char *letters; /* of the channels in memory */
} image_pixel;

/*
 * Reads a format. PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR: NULL, or a value that PI does not have.
 * PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED: one that CUDA does not have.
 */
pi_result image_pixel_read(const pi_image_format *format, image_pixel *ret);

/*
 * The same where channels have to be what a kernel takes them for: an order that CUDA would have to
 * rearrange is PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, too.
 */
pi_result image_pixel_read_straight(const pi_image_format *format, image_pixel *ret);

/*
 * The format of an array, with integers that are not normalised. false: PI has none for it.
 */
bool image_format_of_array(CUarray_format format, unsigned channels, pi_image_format *ret);

/* Whether a texture's filter has numbers to mix: integers that are not normalised have none. */
static inline bool image_kind_is_filtered(image_kind kind) {
  return kind != IMAGE_KIND_SIGNED && kind != IMAGE_KIND_UNSIGNED;
}

/*
 * Makes a pixel of a colour: 4 float for normalised, half and float channels, 4 int32_t or uint32_t
 * for integers, as R, G, B and A. Numbers beyond a channel become its largest or smallest one, NaN
 * becomes 0 in integers; others are rounded to the nearest, to even between two.
 */
void image_pixel_encode(const image_pixel *pixel, const void *color,
                        unsigned char ret[IMAGE_PIXEL_MAX]);

#endif
