/* The blocked matrix product. The sizes of a block and of the matrices are constants. */
#include "measured.clh"

CONSTANT(int, block, 16, 8)
CONSTANT(int, size, 2048, 64)

enum { MOST = 16 };

__kernel void run(__global float *restrict c, __global const float *restrict a,
                __global const float *restrict b) {
  LOCAL(float, block_a, MOST * MOST);
  LOCAL(float, block_b, MOST * MOST);
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * get_block() + y;
  const int column = get_group_id(0) * get_block() + x;
  float sum = 0;
  for (int first = 0; first < get_size(); first += get_block()) {
    block_a[y * get_block() + x] = a[row * get_size() + first + x];
    block_b[y * get_block() + x] = b[(first + y) * get_size() + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < get_block(); k++)
      sum += block_a[y * get_block() + k] * block_b[k * get_block() + x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * get_size() + column] = sum;
}
