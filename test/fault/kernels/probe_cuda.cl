/* probe.cl's kernels, with records that name their constants, and a variable. */
#include <specpi/device.h>

SPECPI_CONSTANT(int, first, 100);
SPECPI_CONSTANT(long, second, 200);

/* launch_record of backend.h */
typedef struct record {
  uint what;
  uint size;
  ulong value;
} record;

global uint fake_variable[16];

kernel void probe(global record *out, uint value) {
  out[0].what = 0;
  out[0].size = 4;
  out[0].value = (ulong)specpi_get(first);
  out[1].what = 1;
  out[1].size = 8;
  out[1].value = (ulong)specpi_get(second);
  out[2].what = 0xf0000001u;
  out[2].size = 4;
  out[2].value = value + fake_variable[0];
}

/* An image is the number of a surface, and a sampler its properties. */
kernel void other(global ulong *out, local int *scratch, ulong image, uint sampler, float factor) {
  scratch[0] = (int)(factor * (float)sampler);
  out[0] = (ulong)scratch[0] + image;
}
