/* Constants of type half. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half __attribute__((overloadable)) __spirv_SpecConstant(int id, half default_value);

kernel void value(global half *out) { out[0] = __spirv_SpecConstant(101, (half)1.5h); }
