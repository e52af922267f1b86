#include "image_format.h"

#include "../base/error.h"
#include "../base/names.h"

#include <math.h>
#include <string.h>

static const struct {
  pi_image_channel_order order;
  unsigned channels;
  const char *letters;
} orders[] = {
#define IMAGE_ORDER(order, channels, letters) {PI_IMAGE_CHANNEL_ORDER_##order, channels, letters},
    IMAGE_ORDERS(IMAGE_ORDER)
#undef IMAGE_ORDER
};

static const struct {
  pi_image_channel_type type;
  unsigned size;
  image_kind kind;
} types[] = {
#define IMAGE_TYPE(type, size, kind) {PI_IMAGE_CHANNEL_TYPE_##type, size, IMAGE_KIND_##kind},
    IMAGE_TYPES(IMAGE_TYPE)
#undef IMAGE_TYPE
};

enum {
  ORDER_COUNT = sizeof orders / sizeof orders[0],
  TYPE_COUNT = sizeof types / sizeof types[0]
};

/* Fails because an enumerator is unknown in PI, or because no backend supports it. */
static pi_result refuse_format(const char *type, const char *member, unsigned value,
                               const char *backend) {
  const char *name = enumerator_name(type, value);
  REQUIRE(name[0] != '?', PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, "%s 0x%x is not a %s", member,
          value, type);
  return plugin_error(PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, "%s has no images with %s", backend,
                      name);
}

pi_result image_order_refuse(pi_image_channel_order order, const char *backend) {
  return refuse_format("pi_image_channel_order", "image_channel_order", (unsigned)order, backend);
}

pi_result image_format_read(const pi_image_format *format, const char *backend, image_pixel *ret) {
  REQUIRE(format, PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
  size_t order = 0, type = 0;
  while (order < ORDER_COUNT && orders[order].order != format->image_channel_order)
    order++;
  if (order == ORDER_COUNT)
    return image_order_refuse(format->image_channel_order, backend);
  while (type < TYPE_COUNT && types[type].type != format->image_channel_data_type)
    type++;
  if (type == TYPE_COUNT)
    return refuse_format("pi_image_channel_type", "image_channel_data_type",
                         (unsigned)format->image_channel_data_type, backend);
  *ret = (image_pixel){.channels = orders[order].channels,
                       .size = orders[order].channels * types[type].size,
                       .kind = types[type].kind,
                       .letters = orders[order].letters};
  return PI_SUCCESS;
}

bool image_pixel_is_straight(const image_pixel *pixel) {
  return strncmp("RGBA", pixel->letters, pixel->channels) == 0;
}

/* Returns the bits of the half nearest to a float; ties go to even. */
static unsigned half_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00;
  if (magnitude >= 0x477ff000) /* 65520, the smallest float that becomes infinite */
    return sign | 0x7c00;
  if (magnitude < 0x38800000) /* 2^-14; smaller halves are multiples of 2^-24 */
    return sign | (unsigned)rintf(fabsf(value) * 0x1p24f);
  const uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | ((rounded - 0x38000000) >> 13);
}

static uint32_t clamp_float(float value, float smallest, float largest) {
  if (isnan(value))
    return 0;
  const float clamped = value < smallest ? smallest : value > largest ? largest : value;
  return (uint32_t)(int32_t)rintf(clamped);
}

/* Encodes one channel in the low bits of the result. */
static uint32_t encode(image_kind kind, unsigned size, const void *color) {
  float number;
  uint32_t bits;
  memcpy(&number, color, sizeof number);
  memcpy(&bits, color, sizeof bits);
  const unsigned width = 8 * size;
  switch (kind) {
  case IMAGE_KIND_UNORM: {
    const float largest = (float)((1u << width) - 1);
    return clamp_float(number * largest, 0, largest);
  }
  case IMAGE_KIND_SNORM: {
    const float largest = (float)((1u << (width - 1)) - 1);
    return clamp_float(number * largest, -largest - 1, largest);
  }
  case IMAGE_KIND_SIGNED: {
    const int64_t value = (int32_t)bits, limit = (int64_t)1 << (width - 1);
    return (uint32_t)(value < -limit ? -limit : value >= limit ? limit - 1 : value);
  }
  case IMAGE_KIND_UNSIGNED: {
    const uint64_t limit = ((uint64_t)1 << width) - 1;
    return bits > limit ? (uint32_t)limit : bits;
  }
  case IMAGE_KIND_HALF:
    return half_of(number);
  case IMAGE_KIND_FLOAT:
    break;
  }
  return bits;
}

void image_pixel_encode(const image_pixel *pixel, const void *color,
                        unsigned char ret[IMAGE_PIXEL_MAX]) {
  const unsigned size = pixel->size / pixel->channels;
  for (unsigned i = 0; i < pixel->channels; i++) {
    const char *letter = strchr("RGBA", pixel->letters[i]);
    const size_t channel = letter ? (size_t)(letter - "RGBA") : 0; /* I and L use R */
    const uint32_t bits = encode(pixel->kind, size, (const unsigned char *)color + 4 * channel);
    memcpy(ret + (size_t)i * size, &bits, size); /* assumes a little-endian host */
  }
}
