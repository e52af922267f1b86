/* One of two modules with a constant of the same id; alone it cannot be built. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
int part(int x);

kernel void value(global int *out) { out[0] = part(1000 * __spirv_SpecConstant(101, 1)); }
