/* One specialization constant of each type that OpenCL C can name without an extension. */
bool __attribute__((overloadable)) __spirv_SpecConstant(int id, bool value);
char __attribute__((overloadable)) __spirv_SpecConstant(int id, char value);
short __attribute__((overloadable)) __spirv_SpecConstant(int id, short value);
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
long __attribute__((overloadable)) __spirv_SpecConstant(int id, long value);
float __attribute__((overloadable)) __spirv_SpecConstant(int id, float value);
double __attribute__((overloadable)) __spirv_SpecConstant(int id, double value);

kernel void read(global double *out) {
  out[0] = __spirv_SpecConstant(1, (char)-12);
  out[1] = __spirv_SpecConstant(2, (short)1234);
  out[2] = __spirv_SpecConstant(3, -1);
  out[3] = __spirv_SpecConstant(4, 0x123456789abcdefL);
  out[4] = __spirv_SpecConstant(5, 1.5f);
  out[5] = __spirv_SpecConstant(6, -3.7);
  out[6] = __spirv_SpecConstant(7, (bool)true) ? 1 : 0;
  out[7] = __spirv_SpecConstant(1000, 160);
}
