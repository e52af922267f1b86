/*
 * A Gaussian blur, first along the rows, then along the columns. Radius and weights are
 * specialization constants: a compiler that has them unrolls the loop and multiplies by
 * numbers; one that reads them from a buffer can do neither.
 *
 * All arithmetic is of integers, so that each result is exact: the weights add up to 65536.
 */
#include <specpi/device.h>

#include "blur.h"

typedef struct {
  int at[BLUR_RADIUS_MAX + 1]; /* at[k]: of the pixels k to the left and to the right */
} weights_t;

SPECPI_CONSTANT(int, radius, 0);
SPECPI_CONSTANT(weights_t, weights, {{65536}});

static uchar4 blurred(global const uchar4 *pixel, int step) {
  const weights_t w = specpi_get(weights);
  int4 sum = convert_int4(pixel[0]) * w.at[0] + 32768;
  for (int k = 1; k <= specpi_get(radius); k++)
    sum += (convert_int4(pixel[k * step]) + convert_int4(pixel[-k * step])) * w.at[k];
  return convert_uchar4(sum >> 16);
}

/* in has BLUR_RADIUS_MAX pixels more than out on the left and on the right. */
kernel void blur_rows(global const uchar4 *in, global uchar4 *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = blurred(in + y * (width + 2 * BLUR_RADIUS_MAX) + x + BLUR_RADIUS_MAX, 1);
}

/* in has BLUR_RADIUS_MAX rows more than out above and below. */
kernel void blur_columns(global const uchar4 *in, global uchar4 *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = blurred(in + (y + BLUR_RADIUS_MAX) * width + x, width);
}
