/* An array passed to and from functions that clang -O0 marks noinline, and a failed assertion. */
typedef struct weights {
  float w[16];
} weights;

weights get_weights(float first) {
  weights ret;
  for (int i = 0; i < 16; i++)
    ret.w[i] = first + i;
  return ret;
}

float sum_weights(const weights *of) {
  float sum = 0;
  for (int i = 0; i < 16; i++)
    sum += of->w[i];
  return sum;
}

kernel void sums(global float *out) {
  const weights mine = get_weights((float)get_global_id(0));
  out[get_global_id(0)] = sum_weights(&mine);
}

/* The function that DPC++'s assert calls. */
void __devicelib_assert_fail(const char *expression, const char *file, int line,
                             const char *function, ulong global_x, ulong global_y, ulong global_z,
                             ulong local_x, ulong local_y, ulong local_z);
const global char expression[] = "lane < 3";
const global char file[] = "some.cpp";
const global char function[] = "void work()";

kernel void asserts(global float *out) {
  out[get_global_id(0)] = 1;
  if (get_local_id(0) == 3)
    __devicelib_assert_fail(expression, file, 42, function, get_global_id(0), get_global_id(1),
                            get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
}
