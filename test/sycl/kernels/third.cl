/* The constant 1 of this module is not the one of pair.cl. */
#include "spec_constant.clh"

kernel void negate(global int *out, int value) {
  out[get_global_id(0)] = -value - __spirv_SpecConstant(1, 5);
}
