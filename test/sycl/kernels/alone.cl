/* A kernel without any constant. */
kernel void twice(global int *out, int value) { out[get_global_id(0)] = 2 * value; }
