/* Texels: the layout of each format in memory. */
#include "texture.h"

#include <math.h>

bool fake_format_is_normal(CUarray_format format) {
  switch ((int)format) {
  case CU_AD_FORMAT_UNORM_INT8X1:
  case CU_AD_FORMAT_UNORM_INT8X2:
  case CU_AD_FORMAT_UNORM_INT8X4:
  case CU_AD_FORMAT_UNORM_INT16X1:
  case CU_AD_FORMAT_UNORM_INT16X2:
  case CU_AD_FORMAT_UNORM_INT16X4:
  case CU_AD_FORMAT_SNORM_INT8X1:
  case CU_AD_FORMAT_SNORM_INT8X2:
  case CU_AD_FORMAT_SNORM_INT8X4:
  case CU_AD_FORMAT_SNORM_INT16X1:
  case CU_AD_FORMAT_SNORM_INT16X2:
  case CU_AD_FORMAT_SNORM_INT16X4:
    return true;
  default:
    return false;
  }
}

bool fake_format_is_float(CUarray_format format) {
  return format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF ||
         fake_format_is_normal(format);
}

static bool is_signed(CUarray_format format) {
  switch ((int)format) {
  case CU_AD_FORMAT_SIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT32:
  case CU_AD_FORMAT_SNORM_INT8X1:
  case CU_AD_FORMAT_SNORM_INT8X2:
  case CU_AD_FORMAT_SNORM_INT8X4:
  case CU_AD_FORMAT_SNORM_INT16X1:
  case CU_AD_FORMAT_SNORM_INT16X2:
  case CU_AD_FORMAT_SNORM_INT16X4:
    return true;
  default:
    return false;
  }
}

static float float_of_half(uint16_t half) {
  const unsigned exponent = half >> 10 & 31;
  const unsigned fraction = half & 0x3ff;
  float value;
  if (exponent == 0)
    value = ldexpf((float)fraction, -24);
  else if (exponent == 31)
    value = fraction ? NAN : INFINITY;
  else
    value = ldexpf((float)(fraction | 0x400), (int)exponent - 25);
  return half & 0x8000 ? -value : value;
}

/* Rounds to the nearest half, ties to even. */
uint16_t fake_half_of(float value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const float size = fabsf(value);
  if (isnan(value))
    return 0x7fff;
  if (size >= 65520.0F)
    return sign | 0x7c00;
  if (size < 0x1p-14F)
    return (uint16_t)(sign | (uint16_t)nearbyintf(size * 0x1p24F));
  int exponent;
  const float fraction = frexpf(size, &exponent); /* in [0.5, 1) */
  const unsigned bits = (unsigned)nearbyintf(fraction * 2048.0F) - 1024;
  return (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) + bits));
}

/* Returns the largest number of size bytes. */
static uint32_t most_of(size_t size, bool with_sign) {
  const uint32_t most = size == 1 ? UINT8_MAX : size == 2 ? UINT16_MAX : UINT32_MAX;
  return with_sign ? most / 2 : most;
}

static uint32_t load_number(const unsigned char *bytes, size_t size, bool with_sign) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint32_t)bytes[i] << 8 * i;
  if (with_sign && size < 4 && value >> (8 * size - 1))
    value |= UINT32_MAX << 8 * size;
  return value;
}

static void store_number(unsigned char *bytes, size_t size, uint32_t value) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> 8 * i);
}

static float normal_of(uint32_t value, size_t size, bool with_sign) {
  if (!with_sign)
    return (float)((double)value / (double)most_of(size, false));
  const double number = (double)(int32_t)value / (double)most_of(size, true);
  return (float)(number < -1 ? -1 : number);
}

fake_texel fake_texel_read(const fake_texture *texture, const unsigned char *bytes) {
  const size_t size = fake_format_size(texture->format);
  const bool with_sign = is_signed(texture->format);
  const bool plain = texture->format == CU_AD_FORMAT_FLOAT || texture->format == CU_AD_FORMAT_HALF;
  const bool normal = fake_format_is_normal(texture->format) ||
                      (!plain && size < 4 && !(texture->desc.flags & CU_TRSF_READ_AS_INTEGER));
  fake_texel texel = {.is_float = plain || normal};
  if (!bytes)
    return texel;
  /* Missing channels are 0, except the last one, which is 1. */
  if (texel.is_float)
    texel.value.f[3] = 1;
  else
    texel.value.u[3] = 1;
  for (unsigned i = 0; i < texture->channels; i++) {
    const uint32_t value = load_number(bytes + i * size, size, with_sign);
    if (normal)
      texel.value.f[i] = normal_of(value, size, with_sign);
    else if (texture->format == CU_AD_FORMAT_HALF)
      texel.value.f[i] = float_of_half((uint16_t)value);
    else
      texel.value.u[i] = value;
  }
  return texel;
}

/* Returns the nearest value that fits size bytes. */
static uint32_t saturate(uint32_t value, size_t size, bool with_sign) {
  if (size == 4)
    return value;
  const uint32_t most = most_of(size, with_sign);
  if (!with_sign)
    return value > most ? most : value;
  const int32_t number = (int32_t)value;
  if (number > (int32_t)most)
    return most;
  return number < -(int32_t)most - 1 ? (uint32_t)(-(int32_t)most - 1) : value;
}

static uint32_t bits_of_normal(uint32_t component, size_t size, bool with_sign) {
  float value;
  memcpy(&value, &component, sizeof value);
  value = isnan(value) ? 0 : fminf(fmaxf(value, with_sign ? -1.0F : 0.0F), 1.0F);
  const double most = (double)most_of(size, with_sign);
  return (uint32_t)(int64_t)nearbyint((double)value * most);
}

void fake_texel_write(const fake_texture *texture, unsigned char *bytes, const uint32_t *components,
                      unsigned count) {
  const size_t size = fake_format_size(texture->format);
  const bool with_sign = is_signed(texture->format);
  for (unsigned i = 0; i < texture->channels; i++) {
    uint32_t value = i < count ? components[i] : 0;
    if (texture->format == CU_AD_FORMAT_HALF) {
      float number;
      memcpy(&number, &value, sizeof number);
      value = fake_half_of(number);
    } else if (fake_format_is_normal(texture->format)) {
      value = bits_of_normal(value, size, with_sign);
    } else if (texture->format != CU_AD_FORMAT_FLOAT) {
      value = saturate(value, size, with_sign);
    }
    store_number(bytes + i * size, size, value);
  }
}

/* X(format, code): OpenCL's codes, CL_SNORM_INT8 and so on. */
#define CODES(X)                                                                                   \
  X(SNORM_INT8X1, 0x10d0)                                                                          \
  X(SNORM_INT8X2, 0x10d0)                                                                          \
  X(SNORM_INT8X4, 0x10d0)                                                                          \
  X(SNORM_INT16X1, 0x10d1)                                                                         \
  X(SNORM_INT16X2, 0x10d1)                                                                         \
  X(SNORM_INT16X4, 0x10d1)                                                                         \
  X(UNORM_INT8X1, 0x10d2)                                                                          \
  X(UNORM_INT8X2, 0x10d2)                                                                          \
  X(UNORM_INT8X4, 0x10d2)                                                                          \
  X(UNORM_INT16X1, 0x10d3)                                                                         \
  X(UNORM_INT16X2, 0x10d3)                                                                         \
  X(UNORM_INT16X4, 0x10d3)                                                                         \
  X(SIGNED_INT8, 0x10d7)                                                                           \
  X(SIGNED_INT16, 0x10d8)                                                                          \
  X(SIGNED_INT32, 0x10d9)                                                                          \
  X(UNSIGNED_INT8, 0x10da)                                                                         \
  X(UNSIGNED_INT16, 0x10db)                                                                        \
  X(UNSIGNED_INT32, 0x10dc)                                                                        \
  X(HALF, 0x10dd)                                                                                  \
  X(FLOAT, 0x10de)

uint32_t fake_format_code(CUarray_format format) {
  static const struct {
    CUarray_format format;
    uint32_t code;
  } codes[] = {
#define CODE(name, code) {CU_AD_FORMAT_##name, code},
      CODES(CODE)
#undef CODE
  };
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (codes[i].format == format)
      return codes[i].code;
  return 0;
}

uint32_t fake_order_code(unsigned channels) {
  return channels == 1 ? 0x10b0 : channels == 2 ? 0x10b2 : 0x10b5;
}
