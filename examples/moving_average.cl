/*
 * y[i] = scale * (x[i] + ... + x[i + taps - 1]), with the number of taps and the scale as
 * specialization constants. A SYCL compiler makes the same of get_specialization_constant.
 */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
float __attribute__((overloadable)) __spirv_SpecConstant(int id, float default_value);

kernel void moving_average(global const float *x, global float *y) {
  const int taps = __spirv_SpecConstant(0, 1);
  const float scale = __spirv_SpecConstant(1, 1.0f);
  const size_t i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < taps; k++)
    sum += x[i + k];
  y[i] = scale * sum;
}
