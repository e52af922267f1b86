/*
 * A Gaussian blur, first along the rows, then along the columns. Radius and weights are
 * specialization constants: a compiler that has them unrolls the loop and multiplies by
 * numbers; one that reads them from a buffer can do neither, and looks weights up in an array.
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

static uchar blurred(global const uchar *byte, int step) {
  const weights_t w = specpi_get(weights);
  int sum = byte[0] * w.at[0] + 32768;
  for (int k = 1; k <= specpi_get(radius); k++)
    sum += (byte[k * step] + byte[-k * step]) * w.at[k];
  return sum >> 16;
}

/*
 * A work-item makes a byte: one channel of a pixel. in has BLUR_RADIUS_MAX pixels of four bytes
 * more than out on the left and on the right.
 */
kernel void blur_rows(global const uchar *in, global uchar *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  const int left = 4 * BLUR_RADIUS_MAX;
  out[y * width + x] = blurred(in + y * (width + 2 * left) + left + x, 4);
}

/* in has BLUR_RADIUS_MAX rows more than out above and below. */
kernel void blur_columns(global const uchar *in, global uchar *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = blurred(in + (y + BLUR_RADIUS_MAX) * width + x, width);
}
