/* A small module with a specialization constant. STATE adds variables that outlive a launch. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);

constant int table[4] = {1, 2, 3, 5};
#ifdef STATE
global int launches[8] = {7, 7, 7, 7, 7, 7, 7, 7};
#endif

kernel void small(global int *out) {
  const size_t id = get_global_id(0);
  out[id] = __spirv_SpecConstant(7, 16) * table[id % 4];
#ifdef STATE
  out[id] += launches[id % 8]++;
#endif
}
