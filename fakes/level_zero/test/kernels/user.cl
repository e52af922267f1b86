/* Imports the functions and variables of library.cl. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
extern global int shared;
int helper(int value);

kernel void use(global int *out) {
  out[0] = helper(__spirv_SpecConstant(0, 1));
  out[1] = shared;
}
