/* One of two modules that share a constant by name; alone it cannot be built. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
int part(int x);

kernel void linked(global long *out) { out[0] = part(1000 * __spirv_SpecConstant(0, 1)); }
