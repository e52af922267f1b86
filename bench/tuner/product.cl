/*
 * A matrix product in which each work-item computes a tile in registers. The work-group, the tile
 * and the depth of the slabs that a work-group keeps are tuned. size is a multiple of all of them.
 */
#include "tuned.clh"

TUNABLE(rows, 2)
TUNABLE(columns, 2)
TUNABLE(depth, 8)

enum { MOST = 8 }; /* most rows and columns of a tile */

__kernel void product(__global float *restrict c, __global const float *restrict a,
                      __global const float *restrict b, int size LOCAL_PARAMETER) {
  LOCAL_MEMORY
  const int across = get_block_size_x(), down = get_block_size_y();
  const int height = down * get_rows(), width = across * get_columns();
  const int x = get_local_id(0), y = get_local_id(1), me = y * across + x;
  const int top = get_group_id(1) * height, left = get_group_id(0) * width;
  float sums[MOST][MOST] = {{0}};
  for (int first = 0; first < size; first += get_depth()) {
    for (int e = me; e < height * get_depth(); e += across * down)
      memory[e % get_depth() * height + e / get_depth()] =
          a[(top + e / get_depth()) * size + first + e % get_depth()];
    for (int e = me; e < width * get_depth(); e += across * down)
      memory[height * get_depth() + e] = b[(first + e / width) * size + left + e % width];
    work_group_barrier();
    for (int k = 0; k < get_depth(); k++) {
      float part_a[MOST], part_b[MOST];
#pragma unroll
      for (int i = 0; i < get_rows(); i++)
        part_a[i] = memory[k * height + i * down + y];
#pragma unroll
      for (int j = 0; j < get_columns(); j++)
        part_b[j] = memory[height * get_depth() + k * width + j * across + x];
#pragma unroll
      for (int i = 0; i < get_rows(); i++)
#pragma unroll
        for (int j = 0; j < get_columns(); j++)
          sums[i][j] += part_a[i] * part_b[j];
    }
    work_group_barrier();
  }
#pragma unroll
  for (int i = 0; i < get_rows(); i++)
#pragma unroll
    for (int j = 0; j < get_columns(); j++)
      c[(top + i * down + y) * size + left + j * across + x] = sums[i][j];
}
