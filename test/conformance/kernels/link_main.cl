/* link_main.cl and link_part.cl have constants with the same id. Alone this one cannot be built. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
int part(int x);

kernel void value(global int *out) { out[0] = part(1000 * __spirv_SpecConstant(101, 1)); }
