/*
 * Kernels that are built one at a time. Two of them share the function squared(). REFUSED adds a
 * kernel that does not compile; MISSING adds one that calls an undefined function. With PARTED,
 * squared() is only declared; PART makes the module that defines it.
 */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);

#if defined(PARTED)
int squared(int value);
#elif defined(PART)
int squared(int value);
int squared(int value) {
  return value * value;
}
#else
__attribute__((noinline)) static int squared(int value) {
  return value * value;
}
#endif

#if !defined(PART)

kernel void first(global int *out) {
  const size_t id = get_global_id(0);
  out[id] = squared((int)id) * __spirv_SpecConstant(7, 16);
}

kernel void second(global int *out, int more) {
  local int sums[64];
  const size_t id = get_global_id(0);
  sums[get_local_id(0)] = squared((int)id);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = sums[get_local_id(0)] + more;
}

#endif

#if defined(REFUSED)
kernel void refused(int a) {
  printf("%d %d\n", a);
}
#elif defined(MISSING)
int nobody_has_this(int value);
kernel void calls(global int *out) {
  out[0] = nobody_has_this(out[0]);
}
#endif
