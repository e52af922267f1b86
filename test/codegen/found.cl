/* The functions that missing.cl calls, in a module of its own. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
int nobody_has_this(int value) {
  return value + __spirv_SpecConstant(3, 1);
}
