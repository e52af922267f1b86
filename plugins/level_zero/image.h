/* Images and samplers. */
#ifndef PI_LEVEL_ZERO_IMAGE_H
#define PI_LEVEL_ZERO_IMAGE_H

#include "memory.h"

/* What an image has beside a memory object's members. */
typedef struct level_zero_image {
  ze_image_handle_t image;
  ze_image_desc_t description;
  pi_image_format format;
  size_t element_size; /* bytes */
  size_t width, height, depth, layers;
  size_t row_pitch, slice_pitch; /* bytes, of the memory it was made from */
} level_zero_image;

struct pi_sampler_object {
  pi_handle handle;
  pi_context context; /* a reference */
  ze_sampler_handle_t sampler;
  bool is_owned;
  bool normalized;
  pi_sampler_addressing_mode addressing;
  pi_sampler_filter_mode filter;
};

void sampler_release(pi_sampler sampler);

#endif
