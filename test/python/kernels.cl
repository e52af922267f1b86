/* Kernels for the tests of the Python package. */
#include <specpi/device.h>

typedef struct {
  float gain;
  int taps[2];
} filter_t;

typedef struct {
  int left;
  float right;
} pair_t;

SPECPI_CONSTANT(int, offset, 1);
SPECPI_CONSTANT(float, factor, 2.0f);
SPECPI_CONSTANT(bool, negate, false);
SPECPI_CONSTANT(filter_t, filter, {0.5f, {1, 2}});

kernel void scale(global float *data, float bias) {
  const size_t i = get_global_id(0);
  const float value = data[i] * specpi_get(factor) + bias;
  data[i] = specpi_get(negate) ? -value : value;
}

kernel void add(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] + specpi_get(offset);
}

kernel void show_filter(global float *out) {
  const filter_t it = specpi_get(filter);
  out[0] = it.gain;
  out[1] = (float)it.taps[0];
  out[2] = (float)it.taps[1];
}

kernel void take_pair(global float *out, pair_t pair) {
  out[0] = (float)pair.left;
  out[1] = pair.right;
}

kernel void sum_groups(global const int *in, global int *out, local int *scratch) {
  scratch[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) != 0)
    return;
  int sum = 0;
  for (size_t i = 0; i < get_local_size(0); i++)
    sum += scratch[i];
  out[get_group_id(0)] = sum;
}

kernel void place(global int *out) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = (int)(10 * y + x);
}

kernel void is_null(global int *out, global const int *perhaps) {
  out[0] = perhaps == 0;
}

/* Writes each argument, all of different sizes and kinds, to its own place. */
kernel void show_values(global double *out, float a, int b, float c, short d, long e, double f, char g, int h,
                        long i, uchar j) {
  const double values[] = {a, b, c, d, e, f, g, h, i, j};
  for (int k = 0; k < 10; k++)
    out[k] = values[k];
}
