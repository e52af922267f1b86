int nobody_has_this(int value);
kernel void calls(global int *out) {
  out[0] = nobody_has_this(out[0]);
}
