/* An int constant with the id 1; the descriptors in errors.cpp say otherwise. */
#include "spec_constant.clh"

kernel void read_one(global int *out) { *out = __spirv_SpecConstant(1, 11); }
