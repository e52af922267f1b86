/* An int constant with the id 1. The descriptors in errors.cpp contradict this. */
#include "spec_constant.clh"

kernel void read_one(global int *out) { *out = __spirv_SpecConstant(1, 11); }
