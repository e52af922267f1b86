/* Kernels for the tests of launches. */

kernel void scale(global float *data, float factor) {
  data[get_global_id(0)] *= factor;
}

/* Writes a number for each work-item that depends on both arguments, to detect mixed arguments. */
kernel void stamp(global ulong *out, ulong first, uint second) {
  out[get_global_id(0)] = first * 1000 + second;
}

/* Writes six numbers for each work-item: its global id and the size of its group. */
kernel void positions(global uint *out) {
  const size_t x = get_global_id(0) - get_global_offset(0);
  const size_t y = get_global_id(1) - get_global_offset(1);
  const size_t z = get_global_id(2) - get_global_offset(2);
  global uint *mine = out + 6 * (x + get_global_size(0) * (y + get_global_size(1) * z));
  for (uint d = 0; d < 3; d++) {
    mine[d] = (uint)get_global_id(d);
    mine[3 + d] = (uint)get_local_size(d);
  }
}

/* A kernel of four arguments from which a compiler removed the first and third as unused. */
kernel void two_left(global int *out, int value) {
  out[get_global_id(0)] = value;
}

/* The kernel of an emulated image: it reads the constants from its second argument. */
kernel void emulated(global int *out, global const int *constants, int factor) {
  out[get_global_id(0)] = constants[0] * factor;
}

/* A kernel without arguments. */
kernel void nothing(void) {
}
