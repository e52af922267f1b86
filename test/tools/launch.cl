/* Kernels for the tests of specpi launch. */
#include <specpi/device.h>

struct filter {
  float gain;
  int shift[2];
};

SPECPI_CONSTANT(int, times, 2);
SPECPI_CONSTANT(bool, negate, false);
SPECPI_CONSTANT(struct filter, filter, {1.0f, {0, 0}});

kernel void scale(global float *data, float bias) {
  const size_t i = get_global_id(0);
  const float value = data[i] * (float)specpi_get(times) * specpi_get(filter).gain + bias +
                      (float)specpi_get(filter).shift[1];
  data[i] = specpi_get(negate) ? -value : value;
}

/* Writes the sum of each work-group. */
kernel void group_sum(global const int *in, global int *out, local int *scratch) {
  scratch[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) != 0)
    return;
  int sum = 0;
  for (size_t i = 0; i < get_local_size(0); i++)
    sum += scratch[i];
  out[get_group_id(0)] = sum;
}

struct pair {
  char small;
  long large;
};

kernel void widths(global char *a, global short *b, global int *c, global long *d, global uchar *e,
                   struct pair pair) {
  a[0] += 1;
  b[0] += 1;
  c[0] += 1;
  d[0] += pair.large;
  e[0] = !e[0];
}

kernel void positions(global int *out) {
  out[get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2))] =
      (int)(get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2));
}

kernel void special(global float *out) {
  out[0] = NAN;
  out[1] = INFINITY;
  out[2] = -INFINITY;
}
