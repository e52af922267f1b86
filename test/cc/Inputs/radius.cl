// A kernel for the tests of specpi-cc: two constants, one of them a structure.
#include <specpi/device.h>
typedef struct {
  float gain;
  int taps[2];
} filter_t;
SPECPI_CONSTANT(int, radius, 3);
SPECPI_CONSTANT(filter_t, filter, {0.5f, {1, 2}});

#ifndef NAME
#define NAME blur
#endif
kernel void NAME(global float *out, global const float *in) {
  const int at = get_global_id(0);
  const filter_t f = specpi_get(filter);
  float sum = 0;
  for (int i = 0; i < specpi_get(radius); i++)
    sum += in[at + i] * f.taps[i & 1];
  out[at] = sum * f.gain;
}
