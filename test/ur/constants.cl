/* The kernel and constants of sycl_constants.cpp, for a library that registers its own image. */
#include <specpi/device.h>

SPECPI_CONSTANT(bool, yes, true);
SPECPI_CONSTANT(bool, no, false);
SPECPI_CONSTANT(uchar, c8, 43);
SPECPI_CONSTANT(ushort, c16, 3000);
SPECPI_CONSTANT(uint, c32, 43);
SPECPI_CONSTANT(ulong, c64, 200);
SPECPI_CONSTANT(float, f32, 3.7f);

kernel void value(global ulong *out) {
  out[0] = specpi_get(yes);
  out[1] = specpi_get(no);
  out[2] = specpi_get(c8);
  out[3] = specpi_get(c16);
  out[4] = specpi_get(c32);
  out[5] = specpi_get(c64);
  out[6] = as_uint(specpi_get(f32));
}
