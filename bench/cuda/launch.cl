/* Counts by what its arguments add up to. */
kernel void add(global int *out, int a, int b, int c, int d) {
  *out += a + b + c + d;
}
