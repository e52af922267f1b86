/* Computes out[i] = factor * in[i] + shift, with items elements per work-item. */
#include <specpi/device.h>

SPECPI_CONSTANT(int, items, 1);
SPECPI_CONSTANT(int, factor, 2);
SPECPI_CONSTANT(int, block_size_x, 0);

#ifndef SHIFT
#define SHIFT 0
#endif

kernel void affine(global int *out, global const int *in) {
  const int first =
      (int)(get_group_id(0) * get_local_size(0)) * specpi_get(items) + (int)get_local_id(0);
  for (int i = 0; i < specpi_get(items); i++) {
    const int at = first + i * specpi_get(block_size_x);
    out[at] = specpi_get(factor) * in[at] + SHIFT;
  }
}

/* Sums each work-group, in local memory that the launch provides. */
kernel void sum(global int *out, global const int *in, local int *scratch) {
  scratch[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < specpi_get(block_size_x); i++)
    sum += scratch[i];
  out[get_global_id(0)] = sum * specpi_get(factor) / specpi_get(factor);
}

/* The arguments have different sizes, so that mixing them up changes the result. */
kernel void weigh(global float *out, global const float *in, float a, int n, float b) {
  const size_t i = get_global_id(0);
  out[i] = in[i] * a + (float)n * b;
}
