/*
 * All values are live at once, so that a work-item needs more registers than a GPU has for each one
 * of its largest groups.
 */
kernel void wide(global uint *out, volatile global uint *in) {
  uint values[136], sum = 0;
#pragma unroll
  for (int i = 0; i < 136; i++)
    values[i] = in[i];
#pragma unroll
  for (int i = 135; i >= 0; i--)
    sum = sum * 3 + values[i];
  out[get_global_linear_id()] = sum + get_global_linear_id();
}
