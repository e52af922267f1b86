/* Pixel formats: the table, and the conversion of colours to pixels. */
#include "../../plugins/cuda/image_format.h"
#include "../support/tests.h"

#include "../../plugins/base/names.h"

#include <math.h>
#include <string.h>

static image_pixel read(pi_image_channel_order order, pi_image_channel_type type) {
  const pi_image_format format = {order, type};
  image_pixel pixel;
  assert_int_equal(image_pixel_read(&format, &pixel), PI_SUCCESS);
  return pixel;
}

/* Array formats, written by hand a second time to check the plugin's table. */
static CUarray_format array_format(pi_image_channel_type type) {
  switch (type) {
  case PI_IMAGE_CHANNEL_TYPE_SNORM_INT8:
  case PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8:
    return CU_AD_FORMAT_SIGNED_INT8;
  case PI_IMAGE_CHANNEL_TYPE_SNORM_INT16:
  case PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16:
    return CU_AD_FORMAT_SIGNED_INT16;
  case PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32:
    return CU_AD_FORMAT_SIGNED_INT32;
  case PI_IMAGE_CHANNEL_TYPE_UNORM_INT8:
  case PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8:
    return CU_AD_FORMAT_UNSIGNED_INT8;
  case PI_IMAGE_CHANNEL_TYPE_UNORM_INT16:
  case PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16:
    return CU_AD_FORMAT_UNSIGNED_INT16;
  case PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32:
    return CU_AD_FORMAT_UNSIGNED_INT32;
  case PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT:
    return CU_AD_FORMAT_HALF;
  case PI_IMAGE_CHANNEL_TYPE_FLOAT:
    return CU_AD_FORMAT_FLOAT;
  default:
    fail_msg("type 0x%x", (unsigned)type);
    return CU_AD_FORMAT_NV12;
  }
}

TEST(every_format_has_its_array_format) {
#define CHECK_TYPE(type, size_, kind_)                                                             \
  {                                                                                                \
    const pi_image_format format = {orders[i].order, PI_IMAGE_CHANNEL_TYPE_##type};                \
    image_pixel pixel;                                                                             \
    if (strchr("IL", orders[i].letter)) {                                                          \
      assert_int_equal(image_pixel_read(&format, &pixel), PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED);    \
      continue;                                                                                    \
    }                                                                                              \
    assert_int_equal(image_pixel_read(&format, &pixel), PI_SUCCESS);                               \
    assert_int_equal(image_array_format(&pixel), array_format(PI_IMAGE_CHANNEL_TYPE_##type));      \
    assert_int_equal(pixel.channels, orders[i].channels);                                          \
    assert_int_equal(pixel.size, size_ *orders[i].channels);                                       \
    assert_int_equal(pixel.kind, IMAGE_KIND_##kind_);                                              \
    assert_true(pixel.size <= IMAGE_PIXEL_MAX);                                                    \
  }
  static const struct {
    pi_image_channel_order order;
    unsigned channels;
    char letter;
  } orders[] = {
#define ORDER(order, channels, letters) {PI_IMAGE_CHANNEL_ORDER_##order, channels, letters[0]},
      IMAGE_ORDERS(ORDER)
#undef ORDER
  };
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    IMAGE_TYPES(CHECK_TYPE)
  }
#undef CHECK_TYPE
}

/* The plugin refuses values that CUDA lacks, with another code than values that PI lacks. */
TEST(other_formats_are_refused) {
  unsigned known_orders = 0, known_types = 0;
  image_pixel pixel = {.channels = 99};
  for (unsigned value = 0x1090; value < 0x10f0; value++) {
    const pi_image_format order = {(pi_image_channel_order)value, PI_IMAGE_CHANNEL_TYPE_FLOAT};
    const pi_image_format type = {PI_IMAGE_CHANNEL_ORDER_RGBA, (pi_image_channel_type)value};
    image_pixel read;
    const bool has_order = enumerator_name("pi_image_channel_order", value)[0] != '?';
    const bool has_type = enumerator_name("pi_image_channel_type", value)[0] != '?';
    const pi_result order_result = image_pixel_read(&order, &read);
    const pi_result type_result = image_pixel_read(&type, &read);
    known_orders += order_result == PI_SUCCESS;
    known_types += type_result == PI_SUCCESS;
    if (order_result != PI_SUCCESS)
      assert_int_equal(order_result, has_order ? PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED
                                               : PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    if (type_result != PI_SUCCESS)
      assert_int_equal(type_result, has_type ? PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED
                                             : PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  }
  assert_int_equal(known_orders, 8);
  assert_int_equal(known_types, 12);
  assert_int_equal(image_pixel_read(NULL, &pixel), PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  assert_int_equal(pixel.channels, 99);
}

TEST(orders_that_differ_from_memory_are_not_straight) {
  static const struct {
    pi_image_channel_order order;
    bool is_straight;
  } orders[] = {
      {PI_IMAGE_CHANNEL_ORDER_R, true},     {PI_IMAGE_CHANNEL_ORDER_A, false},
      {PI_IMAGE_CHANNEL_ORDER_RG, true},    {PI_IMAGE_CHANNEL_ORDER_RA, false},
      {PI_IMAGE_CHANNEL_ORDER_RGBA, true},  {PI_IMAGE_CHANNEL_ORDER_BGRA, false},
      {PI_IMAGE_CHANNEL_ORDER_ARGB, false}, {PI_IMAGE_CHANNEL_ORDER_ABGR, false},
  };
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    const pi_image_format format = {orders[i].order, PI_IMAGE_CHANNEL_TYPE_FLOAT};
    image_pixel pixel;
    assert_int_equal(image_pixel_read_straight(&format, &pixel),
                     orders[i].is_straight ? PI_SUCCESS : PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED);
  }
}

TEST(arrays_have_a_format_or_none) {
  pi_image_format format;
  assert_true(image_format_of_array(CU_AD_FORMAT_UNSIGNED_INT8, 4, &format));
  assert_int_equal(format.image_channel_order, PI_IMAGE_CHANNEL_ORDER_RGBA);
  assert_int_equal(format.image_channel_data_type, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8);
  assert_true(image_format_of_array(CU_AD_FORMAT_SIGNED_INT16, 1, &format));
  assert_int_equal(format.image_channel_order, PI_IMAGE_CHANNEL_ORDER_R);
  assert_int_equal(format.image_channel_data_type, PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16);
  assert_true(image_format_of_array(CU_AD_FORMAT_HALF, 2, &format));
  assert_int_equal(format.image_channel_order, PI_IMAGE_CHANNEL_ORDER_RG);
  assert_false(image_format_of_array(CU_AD_FORMAT_FLOAT, 3, &format));
  assert_false(image_format_of_array(CU_AD_FORMAT_NV12, 4, &format));
}

static void check_pixel(pi_image_channel_order order, pi_image_channel_type type, const void *color,
                        const void *want) {
  const image_pixel pixel = read(order, type);
  unsigned char got[IMAGE_PIXEL_MAX];
  image_pixel_encode(&pixel, color, got);
  assert_memory_equal(want, got, pixel.size);
}

TEST(normalised_pixels_are_rounded_and_clamped) {
  const float color[4] = {0, 0.5f, 1, 2};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8, color,
              (const uint8_t[]){0, 128, 255, 255});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT16, color,
              (const uint16_t[]){0, 32768, 65535, 65535});
  const float negative[4] = {-1, -3, 0.25f, NAN};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SNORM_INT8, negative,
              (const int8_t[]){-127, -128, 32, 0});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SNORM_INT16, negative,
              (const int16_t[]){-32767, -32768, 8192, 0});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8, negative,
              (const uint8_t[]){0, 0, 64, 0});
}

TEST(integer_pixels_are_clamped) {
  const int32_t numbers[4] = {-129, 127, 128, INT32_MAX};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8, numbers,
              (const int8_t[]){-128, 127, 127, 127});
  const int32_t wide[4] = {-40000, -32768, 32767, 32768};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16, wide,
              (const int16_t[]){-32768, -32768, 32767, 32767});
  const int32_t all[4] = {INT32_MIN, -1, 0, INT32_MAX};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32, all, all);
  const uint32_t positive[4] = {0, 255, 256, UINT32_MAX};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, positive,
              (const uint8_t[]){0, 255, 255, 255});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16, positive,
              (const uint16_t[]){0, 255, 256, 65535});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, positive,
              positive);
}

/* Halves with known bits: ties, the largest one, subnormals and values beyond the range. */
TEST(half_pixels_are_rounded) {
  static const struct {
    float number;
    uint16_t half;
  } cases[] = {
      {0, 0},
      {-0.0f, 0x8000},
      {1, 0x3c00},
      {-2, 0xc000},
      {65504, 0x7bff},
      {65519.996f, 0x7bff},
      {65520, 0x7c00},
      {-1e30f, 0xfc00},
      {INFINITY, 0x7c00},
      {0x1p-14f, 0x0400},
      {0x1p-24f, 1},
      {0x1p-25f, 0},
      {0x1.8p-24f, 2},
      {0x1.ff8p-15f, 0x03ff},
      {0x1.ffcp-15f, 0x0400},
      {0x1.ffep-15f, 0x0400},
      {1 + 0x1p-11f, 0x3c00},
      {1 + 0x1.8p-10f, 0x3c02},
      {1 + 0x1.2p-11f, 0x3c01},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const float color[4] = {cases[i].number, 0, 0, 0};
    check_pixel(PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT, color, &cases[i].half);
  }
  const float nan[4] = {NAN, 0, 0, 0};
  const image_pixel pixel = read(PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT);
  unsigned char got[IMAGE_PIXEL_MAX];
  uint16_t half;
  image_pixel_encode(&pixel, nan, got);
  memcpy(&half, got, sizeof half);
  assert_int_equal(half & 0x7c00, 0x7c00);
  assert_true((half & 0x3ff) != 0);
}

TEST(channels_are_written_in_their_order) {
  const float color[4] = {1, 2, 3, 4};
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT, color, color);
  check_pixel(PI_IMAGE_CHANNEL_ORDER_BGRA, PI_IMAGE_CHANNEL_TYPE_FLOAT, color,
              (const float[]){3, 2, 1, 4});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_ARGB, PI_IMAGE_CHANNEL_TYPE_FLOAT, color,
              (const float[]){4, 1, 2, 3});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_ABGR, PI_IMAGE_CHANNEL_TYPE_FLOAT, color,
              (const float[]){4, 3, 2, 1});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RG, PI_IMAGE_CHANNEL_TYPE_FLOAT, color, (const float[]){1, 2});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_RA, PI_IMAGE_CHANNEL_TYPE_FLOAT, color, (const float[]){1, 4});
  check_pixel(PI_IMAGE_CHANNEL_ORDER_A, PI_IMAGE_CHANNEL_TYPE_FLOAT, color, (const float[]){4});
}
