/* Writes its constants as 64-bit numbers, floats as their bits, in the order of their ids. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
char __attribute__((overloadable)) __spirv_SpecConstant(int id, char value);
long __attribute__((overloadable)) __spirv_SpecConstant(int id, long value);
float __attribute__((overloadable)) __spirv_SpecConstant(int id, float value);

kernel void report(global long *out) {
  out[0] = __spirv_SpecConstant(0, 7);
  out[1] = as_uint(__spirv_SpecConstant(1, 0.5f));
  out[2] = __spirv_SpecConstant(2, (char)'x');
  out[3] = as_uint(__spirv_SpecConstant(3, 1.0f));
  out[4] = as_uint(__spirv_SpecConstant(4, 2.0f));
  out[5] = as_uint(__spirv_SpecConstant(5, 3.0f));
  out[6] = __spirv_SpecConstant(6, -5L);
}
