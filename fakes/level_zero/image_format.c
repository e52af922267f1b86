/* Converts pixel formats of Level Zero to OpenCL's. */
#include "image.h"

/* X(LAYOUT, components, bytes of a component) */
#define LAYOUTS(X)                                                                                 \
  X(8, 1, 1)                                                                                       \
  X(16, 1, 2)                                                                                      \
  X(32, 1, 4)                                                                                      \
  X(8_8, 2, 1)                                                                                     \
  X(16_16, 2, 2)                                                                                   \
  X(32_32, 2, 4)                                                                                   \
  X(8_8_8_8, 4, 1)                                                                                 \
  X(16_16_16_16, 4, 2)                                                                             \
  X(32_32_32_32, 4, 4)

static const struct {
  ze_image_format_layout_t layout;
  unsigned components, bytes;
} layouts[] = {
#define LAYOUT(name, components, bytes) {ZE_IMAGE_FORMAT_LAYOUT_##name, components, bytes},
    LAYOUTS(LAYOUT)
#undef LAYOUT
};

/*
 * X(ORDER, components, x, y, z, w): OpenCL's channel order for a format in which kernels get red,
 * green, blue and alpha from x, y, z and w. "X" means don't care.
 */
#define ORDERS(X)                                                                                  \
  X(R, 1, R, 0, 0, 1)                                                                              \
  X(A, 1, 0, 0, 0, R)                                                                              \
  X(INTENSITY, 1, R, R, R, R)                                                                      \
  X(LUMINANCE, 1, R, R, R, 1)                                                                      \
  X(RG, 2, R, G, 0, 1)                                                                             \
  X(RA, 2, R, 0, 0, G)                                                                             \
  X(RGBA, 4, R, G, B, A)                                                                           \
  X(BGRA, 4, B, G, R, A)                                                                           \
  X(ARGB, 4, G, B, A, R)                                                                           \
  X(ABGR, 4, A, B, G, R)

static const struct {
  cl_channel_order order;
  unsigned components;
  ze_image_format_swizzle_t from[4];
} orders[] = {
#define ORDER(name, components, x, y, z, w)                                                        \
  {CL_##name,                                                                                      \
   components,                                                                                     \
   {ZE_IMAGE_FORMAT_SWIZZLE_##x, ZE_IMAGE_FORMAT_SWIZZLE_##y, ZE_IMAGE_FORMAT_SWIZZLE_##z,         \
    ZE_IMAGE_FORMAT_SWIZZLE_##w}},
    ORDERS(ORDER)
#undef ORDER
};

/* X(TYPE, of 1 byte, of 2, of 4): OpenCL's channel types; 0 if there is none. */
#define TYPES(X)                                                                                   \
  X(UINT, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32)                                  \
  X(SINT, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32)                                        \
  X(UNORM, CL_UNORM_INT8, CL_UNORM_INT16, 0)                                                       \
  X(SNORM, CL_SNORM_INT8, CL_SNORM_INT16, 0)                                                       \
  X(FLOAT, 0, CL_HALF_FLOAT, CL_FLOAT)

static cl_channel_type type_of(ze_image_format_type_t type, unsigned bytes) {
  switch (type) {
#define CASE(name, one, two, four)                                                                 \
  case ZE_IMAGE_FORMAT_TYPE_##name:                                                                \
    return bytes == 1 ? (one) : bytes == 2 ? (two) : (four);
    TYPES(CASE)
#undef CASE
  default:
    return 0;
  }
}

static bool reads_alike(const ze_image_format_t *format, const ze_image_format_swizzle_t from[4]) {
  const ze_image_format_swizzle_t given[4] = {format->x, format->y, format->z, format->w};
  for (int i = 0; i < 4; i++)
    if (given[i] != from[i] && given[i] != ZE_IMAGE_FORMAT_SWIZZLE_X)
      return false;
  return true;
}

bool fake_format_find(const ze_image_format_t *format, fake_format *ret) {
  for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
    if (layouts[i].layout != format->layout)
      continue;
    const cl_channel_type type = type_of(format->type, layouts[i].bytes);
    for (size_t k = 0; k < sizeof orders / sizeof orders[0] && type != 0; k++)
      if (orders[k].components == layouts[i].components && reads_alike(format, orders[k].from)) {
        *ret = (fake_format){
            .cl = {orders[k].order, type},
            .size = (size_t)layouts[i].components * layouts[i].bytes,
            .integers = format->type == ZE_IMAGE_FORMAT_TYPE_UINT ||
                        format->type == ZE_IMAGE_FORMAT_TYPE_SINT,
        };
        return true;
      }
  }
  return false;
}
