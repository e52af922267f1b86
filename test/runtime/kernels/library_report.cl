/* The kernel of a library that is unloaded before the kernel is built. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);

kernel void from_library(global long *out) { out[0] = __spirv_SpecConstant(0, 11); }
