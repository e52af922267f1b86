/* The kernels of bench-launch. */
kernel void empty(void) {}

kernel void five_arguments(global int *sum, global const int *zero, int number, int factor,
                           float fraction) {
  if (fraction > 0.0f)
    *sum += number * factor + *zero;
}
