/* Kernels that require impossible sub-group sizes. */
#ifdef FOUR
kernel __attribute__((intel_reqd_sub_group_size(4))) void sized(global uint *out) {
  out[0] = get_max_sub_group_size();
}
#else
__attribute__((noinline)) uint depth(uint count) {
  if (count == 0)
    return get_max_sub_group_size();
  const uint one = depth(count / 2);
  return one * depth(count - 1) + 1;
}
kernel __attribute__((intel_reqd_sub_group_size(8))) void eight(global uint *out) {
  out[0] = depth(out[1]);
}
kernel void any(global uint *out) { out[0] = depth(out[1]); }
#endif
