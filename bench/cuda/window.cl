/*
 * A filter along columns, whose window slides through registers. The constants are the window's
 * size and weights, the image's width, and the number of rows that a work-item computes.
 */
#include "measured.clh"

enum { MOST = 32 };

typedef struct {
  float w[MOST];
} weights;

CONSTANT(int, taps, 17, 3)
CONSTANT(int, width, 8192, 64)
CONSTANT(int, rows, 64, 4)
CONSTANT(weights, filter,
         LIST({1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1}), LIST({1, 1, 1}))

/* in has taps - 1 more rows than out. */
__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int x = get_global_id(0), top = get_global_id(1) * get_rows();
  const weights filter = get_filter();
  float window[MOST];
  for (int k = 1; k < get_taps(); k++)
    window[k] = in[(top + k - 1) * get_width() + x];
  for (int y = 0; y < get_rows(); y++) {
    for (int k = 0; k < get_taps() - 1; k++)
      window[k] = window[k + 1];
    window[get_taps() - 1] = in[(top + y + get_taps() - 1) * get_width() + x];
    float sum = 0;
    for (int k = 0; k < get_taps(); k++)
      sum += window[k] * filter.w[k];
    out[(top + y) * get_width() + x] = sum * 0.0125f;
  }
}
