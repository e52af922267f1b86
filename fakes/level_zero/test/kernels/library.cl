/* The functions that user.cl imports. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
global int shared = 40;

int helper(int value) {
  return value * 1000 + __spirv_SpecConstant(0, 2);
}

kernel void change(global int *out) {
  shared++;
  out[0] = shared;
}
