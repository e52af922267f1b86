/* A module with the function that missing.cl calls. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
int nobody_has_this(int value) {
  return value + __spirv_SpecConstant(3, 1);
}
