/*
 * A Gaussian blur, first along the rows, then along the columns. Radius and weights are
 * specialization constants. If the compiler knows them, it unrolls the loop and multiplies by
 * numbers. If the code reads them from a buffer, it has a loop that reads weights from an array.
 *
 * All arithmetic is in integers, so that results are exact. The weights add up to 65536.
 */
#include <specpi/device.h>

#include "blur.h"

typedef struct {
  int at[BLUR_RADIUS_MAX + 1]; /* at[k]: the weight of the pixels k to the left and to the right */
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
 * A work-item computes a byte: one channel of a pixel. Compared with out, in has BLUR_RADIUS_MAX
 * more pixels of four bytes on the left and on the right.
 */
kernel void blur_rows(global const uchar *in, global uchar *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  const int left = 4 * BLUR_RADIUS_MAX;
  out[y * width + x] = blurred(in + y * (width + 2 * left) + left + x, 4);
}

/* Compared with out, in has BLUR_RADIUS_MAX more rows above and below. */
kernel void blur_columns(global const uchar *in, global uchar *out) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  out[y * width + x] = blurred(in + (y + BLUR_RADIUS_MAX) * width + x, width);
}
