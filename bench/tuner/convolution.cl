/*
 * Convolves an image with a square filter. Each work-item computes a tile of pixels, which are one
 * work-group's width apart. The work-group and the tile are tuned. in has a border of radius
 * pixels.
 */
#include "tuned.clh"

TUNABLE(rows, 1)
TUNABLE(columns, 1)
TUNABLE(radius, 3)

enum { MOST = 8 }; /* most rows and columns of a tile */

__kernel void convolution(__global float *restrict out, __global const float *restrict in,
                          __global const float *restrict weights, int width) {
  const int across = get_block_size_x(), down = get_block_size_y();
  const int side = 2 * get_radius() + 1, stride = width + 2 * get_radius();
  const int left = get_group_id(0) * across * get_columns() + get_local_id(0);
  const int top = get_group_id(1) * down * get_rows() + get_local_id(1);
  float sums[MOST][MOST] = {{0}};
#pragma unroll
  for (int v = 0; v < side; v++)
#pragma unroll
    for (int u = 0; u < side; u++) {
      const float weight = weights[v * side + u];
#pragma unroll
      for (int i = 0; i < get_rows(); i++)
#pragma unroll
        for (int j = 0; j < get_columns(); j++)
          sums[i][j] += weight * in[(top + i * down + v) * stride + left + j * across + u];
    }
#pragma unroll
  for (int i = 0; i < get_rows(); i++)
#pragma unroll
    for (int j = 0; j < get_columns(); j++)
      out[(top + i * down) * width + left + j * across] = sums[i][j];
}
