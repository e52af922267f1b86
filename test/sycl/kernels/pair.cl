/* Two kernels of one module. Both read constant 1, and each reads another constant. */
#include "spec_constant.clh"

kernel void add(global int *out, int value) {
  out[get_global_id(0)] = value + __spirv_SpecConstant(1, 1000) + __spirv_SpecConstant(2, 1);
}

kernel void multiply(global int *out, int value) {
  out[get_global_id(0)] = value * __spirv_SpecConstant(3, 3) + __spirv_SpecConstant(1, 1000);
}
