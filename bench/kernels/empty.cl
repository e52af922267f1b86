/* Kernels that do nothing or almost nothing, to measure the launch itself. */
kernel void empty(void) {}

kernel void arguments(global int *pointer, global int *buffer, int number, float fraction,
                      local int *scratch, sampler_t sampler) {
  if (number < 0) {
    scratch[get_local_id(0)] = *pointer + *buffer;
    *pointer = scratch[get_local_id(0)] + (int)fraction;
  }
}
