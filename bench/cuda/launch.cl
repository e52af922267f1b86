/* Adds the sum of its arguments to a counter. */
kernel void add(global int *out, int a, int b, int c, int d) {
  *out += a + b + c + d;
}
