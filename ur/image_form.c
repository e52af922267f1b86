#include "image_form.h"

/* X(UR's name, PI's) */
#define IMAGE_ORDERS(X)                                                                            \
  X(A, A)                                                                                          \
  X(R, R)                                                                                          \
  X(RG, RG)                                                                                        \
  X(RA, RA)                                                                                        \
  X(RGB, RGB)                                                                                      \
  X(RGBA, RGBA)                                                                                    \
  X(BGRA, BGRA)                                                                                    \
  X(ARGB, ARGB)                                                                                    \
  X(ABGR, ABGR)                                                                                    \
  X(INTENSITY, INTENSITY)                                                                          \
  X(LUMINANCE, LUMINANCE)                                                                          \
  X(RX, Rx)                                                                                        \
  X(RGX, RGx)                                                                                      \
  X(RGBX, RGBx)                                                                                    \
  X(SRGBA, sRGBA)
#define IMAGE_TYPES(X)                                                                             \
  X(SNORM_INT8, SNORM_INT8)                                                                        \
  X(SNORM_INT16, SNORM_INT16)                                                                      \
  X(UNORM_INT8, UNORM_INT8)                                                                        \
  X(UNORM_INT16, UNORM_INT16)                                                                      \
  X(UNORM_SHORT_565, UNORM_SHORT_565)                                                              \
  X(UNORM_SHORT_555, UNORM_SHORT_555)                                                              \
  X(INT_101010, UNORM_INT_101010)                                                                  \
  X(SIGNED_INT8, SIGNED_INT8)                                                                      \
  X(SIGNED_INT16, SIGNED_INT16)                                                                    \
  X(SIGNED_INT32, SIGNED_INT32)                                                                    \
  X(UNSIGNED_INT8, UNSIGNED_INT8)                                                                  \
  X(UNSIGNED_INT16, UNSIGNED_INT16)                                                                \
  X(UNSIGNED_INT32, UNSIGNED_INT32)                                                                \
  X(HALF_FLOAT, HALF_FLOAT)                                                                        \
  X(FLOAT, FLOAT)
#define IMAGE_KINDS(X)                                                                             \
  X(IMAGE2D, IMAGE2D)                                                                              \
  X(IMAGE3D, IMAGE3D)                                                                              \
  X(IMAGE2D_ARRAY, IMAGE2D_ARRAY)                                                                  \
  X(IMAGE1D, IMAGE1D)                                                                              \
  X(IMAGE1D_ARRAY, IMAGE1D_ARRAY)                                                                  \
  X(IMAGE_CUBEMAP_EXP, IMAGE_CUBEMAP)

/* UR's number for an enumerator and PI's. */
typedef struct number_pair {
  int ur, pi;
} number_pair;

static const number_pair orders[] = {
#define PAIR(ur, pi) {UR_IMAGE_CHANNEL_ORDER_##ur, PI_IMAGE_CHANNEL_ORDER_##pi},
    IMAGE_ORDERS(PAIR)
#undef PAIR
};
static const number_pair types[] = {
#define PAIR(ur, pi) {UR_IMAGE_CHANNEL_TYPE_##ur, PI_IMAGE_CHANNEL_TYPE_##pi},
    IMAGE_TYPES(PAIR)
#undef PAIR
};
static const number_pair kinds[] = {
#define PAIR(ur, pi) {UR_MEM_TYPE_##ur, PI_MEM_TYPE_##pi},
    IMAGE_KINDS(PAIR)
#undef PAIR
};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const number_pair *find_pair(const number_pair *list, size_t count, int ur) {
  for (size_t i = 0; i < count; i++)
    if (list[i].ur == ur)
      return &list[i];
  return NULL;
}

ur_result_t face_image_format(const ur_image_format_t *format, pi_image_format *ret) {
  UR_REQUIRE(format, UR_RESULT_ERROR_INVALID_NULL_POINTER, "pImageFormat is NULL");
  const number_pair *order = find_pair(orders, COUNT(orders), (int)format->channelOrder);
  const number_pair *type = find_pair(types, COUNT(types), (int)format->channelType);
  UR_REQUIRE(order, UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             "channelOrder 0x%x is not a ur_image_channel_order_t", (unsigned)format->channelOrder);
  UR_REQUIRE(type, UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             "channelType 0x%x is not a ur_image_channel_type_t", (unsigned)format->channelType);
  *ret = (pi_image_format){(pi_image_channel_order)order->pi, (pi_image_channel_type)type->pi};
  return UR_RESULT_SUCCESS;
}

ur_result_t face_image_desc(const ur_image_desc_t *desc, pi_image_desc *ret) {
  UR_REQUIRE(desc, UR_RESULT_ERROR_INVALID_NULL_POINTER, "pImageDesc is NULL");
  const number_pair *kind = find_pair(kinds, COUNT(kinds), (int)desc->type);
  UR_REQUIRE(kind, UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             "type 0x%x is no ur_mem_type_t that images here have", (unsigned)desc->type);
  *ret = (pi_image_desc){.image_type = (pi_mem_type)kind->pi,
                         .image_width = desc->width,
                         .image_height = desc->height,
                         .image_depth = desc->depth,
                         .image_array_size = desc->arraySize,
                         .image_row_pitch = desc->rowPitch,
                         .image_slice_pitch = desc->slicePitch,
                         .num_mip_levels = desc->numMipLevel,
                         .num_samples = desc->numSamples};
  return UR_RESULT_SUCCESS;
}

static int ur_number(const number_pair *list, size_t count, int pi) {
  for (size_t i = 0; i < count; i++)
    if (list[i].pi == pi)
      return list[i].ur;
  return 0;
}

ur_image_format_t face_image_given(const pi_image_format *format) {
  return (ur_image_format_t){
      (ur_image_channel_order_t)ur_number(orders, COUNT(orders), (int)format->image_channel_order),
      (ur_image_channel_type_t)ur_number(types, COUNT(types),
                                         (int)format->image_channel_data_type)};
}
