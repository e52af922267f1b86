/*
 * UR's device_code/spec_constant.cpp in OpenCL C, because libsycl's run-time compiler gives no ids
 * to specialization constants. The kernel has DPC++'s name and arguments.
 */
#include <specpi/device.h>

typedef struct accessor_offset {
  ulong offset;
} accessor_offset;

SPECPI_CONSTANT(uint, spec_const, 1000);

kernel void _ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_E12SpecConstant(global uint *out, accessor_offset offset) {
  out[offset.offset] = specpi_get(spec_const);
}
