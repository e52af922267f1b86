/* UR's device_code/spec_constant_multiple.cpp: see spec_constant.cl. */
#include <specpi/device.h>

typedef struct accessor_offset {
  ulong offset;
} accessor_offset;

SPECPI_CONSTANT(uint, a_spec, 0);
SPECPI_CONSTANT(ulong, b_spec, 0);
SPECPI_CONSTANT(bool, c_spec, false);

kernel void _ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_E12SpecConstant(global ulong *out, accessor_offset offset) {
  const uint a = specpi_get(a_spec);
  const ulong b = specpi_get(b_spec);
  out[offset.offset] = specpi_get(c_spec) ? b - a : b + a;
}
