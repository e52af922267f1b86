/* A 3x3 filter. The constants are the weights, a factor and the image's width. */
#include "measured.clh"

typedef struct {
  float w[3][3];
  float factor;
} weights;

CONSTANT(weights, filter, LIST({{1, 0, -1}, {2, 0, -2}, {1, 0, -1}}, 0.125f), LIST({{0}}, 1))
CONSTANT(int, width, 8192, 64)

/* in has a border of one pixel. */
__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int x = get_global_id(0), y = get_global_id(1);
  const weights filter = get_filter();
  float sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (filter.w[i][j] != 0)
        sum += filter.w[i][j] * in[(y + i) * (get_width() + 2) + x + j];
  out[y * get_width() + x] = sum * filter.factor;
}
