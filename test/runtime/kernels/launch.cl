/* Kernels for the tests of launches. */

kernel void scale(global float *data, float factor) {
  data[get_global_id(0)] *= factor;
}

/* One number per work-item: a value that tells the launch, so that mixed arguments show. */
kernel void stamp(global ulong *out, ulong first, uint second) {
  out[get_global_id(0)] = first * 1000 + second;
}

/* As a compiler leaves it when the first and the third of four arguments were not used. */
kernel void two_left(global int *out, int value) {
  out[get_global_id(0)] = value;
}

/* As an emulated image has it: the constants are read from the second argument. */
kernel void emulated(global int *out, global const int *constants, int factor) {
  out[get_global_id(0)] = constants[0] * factor;
}

/* A kernel without arguments. */
kernel void nothing(void) {
}
