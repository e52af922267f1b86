#include "blur.h"

#include <math.h>

const int blur_radii[BLUR_RADII] = {2, 4, 8};

blur_weights blur_weights_of(int radius) {
  double bell[BLUR_RADIUS_MAX + 1], sum = 0;
  for (int k = 0; k <= radius; k++) {
    const double distance = 2.0 * k / (radius + 1.0);
    bell[k] = exp(-0.5 * distance * distance);
    sum += k == 0 ? bell[k] : 2 * bell[k];
  }
  blur_weights weights = {{0}};
  int32_t rest = 65536;
  for (int k = 1; k <= radius; k++) {
    weights.at[k] = (int32_t)lround(65536 * bell[k] / sum);
    rest -= 2 * weights.at[k];
  }
  weights.at[0] = rest;
  return weights;
}

picture blur_padded(const picture *of) {
  const size_t border = BLUR_RADIUS_MAX, width = of->width, height = of->height;
  picture padded = picture_new(of->width + 2 * BLUR_RADIUS_MAX, of->height + 2 * BLUR_RADIUS_MAX);
  for (size_t y = 0; y < padded.height; y++)
    for (size_t x = 0; x < padded.width; x++) {
      const size_t from_x = x < border ? 0 : x - border < width ? x - border : width - 1;
      const size_t from_y = y < border ? 0 : y - border < height ? y - border : height - 1;
      padded.pixels[y * padded.width + x] = of->pixels[from_y * width + from_x];
    }
  return padded;
}

static pixel blurred(const pixel *at, ptrdiff_t step, int radius, const blur_weights *weights) {
  pixel result;
  for (int i = 0; i < 4; i++) {
    int32_t sum = at[0].channel[i] * weights->at[0] + 32768;
    for (int k = 1; k <= radius; k++)
      sum += (at[k * step].channel[i] + at[-k * step].channel[i]) * weights->at[k];
    result.channel[i] = (unsigned char)(sum >> 16);
  }
  return result;
}

picture blur_reference(const picture *padded, int radius) {
  const blur_weights weights = blur_weights_of(radius);
  const size_t border = BLUR_RADIUS_MAX;
  picture rows = picture_new(padded->width - 2 * BLUR_RADIUS_MAX, padded->height);
  picture result = picture_new(rows.width, padded->height - 2 * BLUR_RADIUS_MAX);
  const size_t width = rows.width;
  for (size_t y = 0; y < rows.height; y++)
    for (size_t x = 0; x < width; x++)
      rows.pixels[y * width + x] =
          blurred(&padded->pixels[y * padded->width + x + border], 1, radius, &weights);
  for (size_t y = 0; y < result.height; y++)
    for (size_t x = 0; x < width; x++)
      result.pixels[y * width + x] =
          blurred(&rows.pixels[(y + border) * width + x], (ptrdiff_t)width, radius, &weights);
  picture_free(&rows);
  return result;
}

size_t blur_equal_bytes(const picture *a, const picture *b) {
  size_t equal = 0;
  for (size_t i = 0; i < picture_count(a); i++)
    for (int j = 0; j < 4; j++)
      equal += a->pixels[i].channel[j] == b->pixels[i].channel[j];
  return equal;
}
