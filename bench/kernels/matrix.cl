/*
 * The blocked matrix product from the proposal for specialization constants in SYCL 1.2.1:
 * c = a * b for square matrices, where a work-group of block * block work-items keeps one block of
 * each factor in local memory. The constant is the block's size, the length of the inner loop.
 * The proposal transposes the second block, which suits GPUs. Here neither block is transposed,
 * because a CPU that puts several work-items into one register then reads adjacent elements.
 */
#include "constant.clh"

kernel void matrix_product(global const float *restrict a, global const float *restrict b,
                           global float *restrict c, int size, local float *block_a,
                           local float *block_b, global const int *restrict values) {
  const int block = CONSTANT(0, 1);
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const int row = (int)get_group_id(1) * block + y;
  const int column = (int)get_group_id(0) * block + x;

  float sum = 0.0f;
  for (int first = 0; first < size; first += block) {
    block_a[y * block + x] = a[row * size + first + x];
    block_b[y * block + x] = b[(first + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < block; k++)
      sum += block_a[y * block + k] * block_b[k * block + x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
