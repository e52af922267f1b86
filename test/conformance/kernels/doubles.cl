/* Constants of type double. */
double __attribute__((overloadable)) __spirv_SpecConstant(int id, double default_value);

kernel void value(global double *out) { out[0] = __spirv_SpecConstant(101, 14534.53453); }
