/*
 * A matrix product in which each work-item computes a tile in registers. The constants are the rows
 * and columns of a tile, the depth of the slabs that a work-group keeps, and the matrices' size.
 */
#include "measured.clh"

CONSTANT(int, rows, 8, 2)
CONSTANT(int, columns, 8, 2)
CONSTANT(int, depth, 8, 4)
CONSTANT(int, size, 2048, 64)

enum { SIDE = 16, MOST = 8 }; /* side of a work-group; most rows, columns and depth */

HELPER void multiply(float sums[MOST][MOST], const float *a, const float *b) {
  for (int i = 0; i < get_rows(); i++)
    for (int j = 0; j < get_columns(); j++)
      sums[i][j] += a[i] * b[j];
}

__kernel void run(__global float *restrict c, __global const float *restrict a,
                __global const float *restrict b) {
  LOCAL(float, slab_a, MOST * SIDE * MOST);
  LOCAL(float, slab_b, MOST * SIDE * MOST);
  const int height = SIDE * get_rows(), width = SIDE * get_columns();
  const int x = get_local_id(0), y = get_local_id(1), me = y * SIDE + x;
  const int top = get_group_id(1) * height, left = get_group_id(0) * width;
  float sums[MOST][MOST] = {{0}};
  for (int first = 0; first < get_size(); first += get_depth()) {
    for (int e = me; e < height * get_depth(); e += SIDE * SIDE)
      slab_a[e % get_depth() * height + e / get_depth()] =
          a[(top + e / get_depth()) * get_size() + first + e % get_depth()];
    for (int e = me; e < width * get_depth(); e += SIDE * SIDE)
      slab_b[e] = b[(first + e / width) * get_size() + left + e % width];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < get_depth(); k++) {
      float part_a[MOST], part_b[MOST];
      for (int i = 0; i < get_rows(); i++)
        part_a[i] = slab_a[k * height + i * SIDE + y];
      for (int j = 0; j < get_columns(); j++)
        part_b[j] = slab_b[k * width + j * SIDE + x];
      multiply(sums, part_a, part_b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < get_rows(); i++)
    for (int j = 0; j < get_columns(); j++)
      c[(top + i * SIDE + y) * get_size() + left + j * SIDE + x] = sums[i][j];
}
