/* Compiled without optimisation, so that each constant goes through a variable. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);

kernel void value(global int *out) {
  const int first = __spirv_SpecConstant(1, 10);
  int second = __spirv_SpecConstant(2, 20);
  second = second + 1;
  out[0] = first;
  out[1] = second;
}
