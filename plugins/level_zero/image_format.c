#include "image_format.h"

static const struct {
  pi_image_channel_order order;
  ze_image_format_swizzle_t x, y, z, w;
} swizzles[] = {
#define IMAGE_SWIZZLE(order, x, y, z, w)                                                           \
  {PI_IMAGE_CHANNEL_ORDER_##order, ZE_IMAGE_FORMAT_SWIZZLE_##x, ZE_IMAGE_FORMAT_SWIZZLE_##y,       \
   ZE_IMAGE_FORMAT_SWIZZLE_##z, ZE_IMAGE_FORMAT_SWIZZLE_##w},
    IMAGE_SWIZZLES(IMAGE_SWIZZLE)
#undef IMAGE_SWIZZLE
};

static const struct {
  unsigned bits, components;
  ze_image_format_layout_t layout;
} layouts[] = {
#define IMAGE_LAYOUT(bits, components, layout) {bits, components, ZE_IMAGE_FORMAT_LAYOUT_##layout},
    IMAGE_LAYOUTS(IMAGE_LAYOUT)
#undef IMAGE_LAYOUT
};

/* Finds the layout. The list has every layout that image_format_read accepts. */
static ze_image_format_layout_t layout_of(const image_pixel *pixel) {
  size_t i = 0;
  while (layouts[i].components != pixel->channels ||
         layouts[i].bits * layouts[i].components != 8 * pixel->size)
    i++;
  return layouts[i].layout;
}

static ze_image_format_type_t type_of(image_kind kind) {
  switch (kind) {
  case IMAGE_KIND_SNORM:
    return ZE_IMAGE_FORMAT_TYPE_SNORM;
  case IMAGE_KIND_UNORM:
    return ZE_IMAGE_FORMAT_TYPE_UNORM;
  case IMAGE_KIND_SIGNED:
    return ZE_IMAGE_FORMAT_TYPE_SINT;
  case IMAGE_KIND_UNSIGNED:
    return ZE_IMAGE_FORMAT_TYPE_UINT;
  case IMAGE_KIND_HALF:
  case IMAGE_KIND_FLOAT:
    break;
  }
  return ZE_IMAGE_FORMAT_TYPE_FLOAT;
}

pi_result image_pixel_read(const pi_image_format *format, bool is_writable, image_pixel *ret) {
  image_pixel pixel = {0};
  TRY(image_format_read(format, "Level Zero", &pixel));
  const bool is_one_for_all = pixel.letters[0] == 'I' || pixel.letters[0] == 'L';
  REQUIRE(!is_one_for_all || image_kind_is_filtered(pixel.kind),
          PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
          "image_channel_order is %s, which has normalised and floating-point channels only",
          pixel.letters[0] == 'I' ? "INTENSITY" : "LUMINANCE");
  REQUIRE(!is_writable || image_pixel_is_straight(&pixel), PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
          "image_channel_order is %s, and kernels of Level Zero write channels as they stand in "
          "memory: R, RG or RGBA; others are for images of PI_MEM_ACCESS_READ_ONLY",
          pixel.letters);
  *ret = pixel;
  return PI_SUCCESS;
}

ze_image_format_t image_format_of(const image_form *form) {
  size_t i = 0;
  while (swizzles[i].order != form->format.image_channel_order)
    i++;
  return (ze_image_format_t){.layout = layout_of(&form->pixel),
                             .type = type_of(form->pixel.kind),
                             .x = swizzles[i].x,
                             .y = swizzles[i].y,
                             .z = swizzles[i].z,
                             .w = swizzles[i].w};
}
