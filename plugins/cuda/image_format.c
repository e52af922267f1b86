#include "image_format.h"

#include "../base/error.h"

static const struct {
  CUarray_format format;
  unsigned size;
  image_kind kind;
  pi_image_channel_type type;
} formats[] = {
#define IMAGE_ARRAY_FORMAT(format, size, kind, type)                                               \
  {CU_AD_FORMAT_##format, size, IMAGE_KIND_##kind, PI_IMAGE_CHANNEL_TYPE_##type},
    IMAGE_ARRAY_FORMATS(IMAGE_ARRAY_FORMAT)
#undef IMAGE_ARRAY_FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

CUarray_format image_array_format(const image_pixel *pixel) {
  const image_kind kind = pixel->kind == IMAGE_KIND_SNORM   ? IMAGE_KIND_SIGNED
                          : pixel->kind == IMAGE_KIND_UNORM ? IMAGE_KIND_UNSIGNED
                                                            : pixel->kind;
  size_t i = 0;
  while (i < FORMAT_COUNT - 1 &&
         (formats[i].kind != kind || formats[i].size != pixel->size / pixel->channels))
    i++;
  return formats[i].format;
}

pi_result image_pixel_read(const pi_image_format *format, image_pixel *ret) {
  image_pixel pixel;
  TRY(image_format_read(format, "CUDA", &pixel));
  if (pixel.letters[0] == 'I' || pixel.letters[0] == 'L')
    return image_order_refuse(format->image_channel_order, "CUDA");
  *ret = pixel;
  return PI_SUCCESS;
}

pi_result image_pixel_read_straight(const pi_image_format *format, image_pixel *ret) {
  image_pixel pixel = {0};
  TRY(image_pixel_read(format, &pixel));
  REQUIRE(image_pixel_is_straight(&pixel), PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
          "image_channel_order is %s, and CUDA gives kernels the channels as they stand in "
          "memory: R, RG or RGBA",
          pixel.letters);
  *ret = pixel;
  return PI_SUCCESS;
}

bool image_format_of_array(CUarray_format format, unsigned channels, pi_image_format *ret) {
  size_t i = 0;
  while (i < FORMAT_COUNT && formats[i].format != format)
    i++;
  if (i == FORMAT_COUNT || (channels != 1 && channels != 2 && channels != 4))
    return false;
  const pi_image_channel_order order = channels == 1   ? PI_IMAGE_CHANNEL_ORDER_R
                                       : channels == 2 ? PI_IMAGE_CHANNEL_ORDER_RG
                                                       : PI_IMAGE_CHANNEL_ORDER_RGBA;
  *ret = (pi_image_format){order, formats[i].type};
  return true;
}
