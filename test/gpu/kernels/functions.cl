/*
 * Kernels whose results do not depend on the device: test/gpu/cases.txt has their launches, and the
 * tolerances of their results. All have the arguments (in, out) or (in, out, local memory). in[i]
 * is i.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* Every query about work-items that libclc answers, in three dimensions. */
kernel void positions(global const int *in, global int *out) {
  const int nx = get_global_size(0), ny = get_global_size(1);
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  global int *to = out + 16 * ((z * ny + y) * nx + x);
  for (int i = 0; i < 3; i++) {
    to[i] = get_global_id(i);
    to[3 + i] = get_local_id(i);
    to[6 + i] = get_group_id(i) * 100 + get_num_groups(i);
    to[9 + i] = get_global_size(i) * 100 + get_local_size(i);
    to[12 + i] = in[get_local_id(i)];
  }
  to[15] = in[5];
}

kernel void powers(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float x = in[i] * 0.37f + 0.01f;
  global float *to = out + i * 16;
  to[0] = sqrt(x);
  to[1] = rsqrt(x);
  to[2] = exp(-x);
  to[3] = log(x);
  to[4] = pow(x, 1.7f);
  to[5] = exp2(x * 0.25f);
  to[6] = log2(x);
  to[7] = cbrt(x);
  to[8] = hypot(x, 3.0f);
  to[9] = fmod(x, 0.7f);
  to[10] = x / 7.0f;
  to[11] = fma(x, x, 0.5f);
  to[12] = ldexp(x, i % 5 - 2);
  to[13] = log1p(x);
  to[14] = exp10(-x * 0.1f);
  to[15] = powr(x, 0.3f);
}

kernel void angles(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float x = in[i] * 0.11f - 3.0f;
  global float *to = out + i * 16;
  to[0] = sin(x);
  to[1] = cos(x);
  to[2] = tan(x * 0.3f);
  to[3] = asin(x * 0.2f);
  to[4] = acos(x * 0.2f);
  to[5] = atan(x);
  to[6] = atan2(x, 0.5f);
  to[7] = sinh(x);
  to[8] = cosh(x);
  to[9] = tanh(x);
  to[10] = erf(x);
  to[11] = tgamma(x * 0.1f + 2.0f);
  float c;
  to[12] = sincos(x, &c) + c;
  float whole;
  to[13] = fract(x, &whole) + whole;
  to[14] = sinpi(x * 0.25f);
  to[15] = lgamma(x + 5.0f);
}

kernel void doubles(global const double *in, global double *out) {
  const int i = get_global_id(0);
  const double x = in[i] * 0.37 + 0.01;
  global double *to = out + i * 8;
  to[0] = sqrt(x);
  to[1] = exp(-x);
  to[2] = log(x);
  to[3] = pow(x, 1.7);
  to[4] = sin(x);
  to[5] = atan2(x, -2.0);
  to[6] = fma(x, x, 0.5);
  to[7] = floor(x * 10) + round(x) + trunc(-x) + rint(x * 3);
}

kernel void integers(global const int *in, global int *out) {
  const int i = get_global_id(0);
  const int x = (int)((uint)in[i] * 77777777u - 123456789u);
  global int *to = out + i * 16;
  to[0] = mul_hi(x, 0x12345678);
  to[1] = popcount(x);
  to[2] = clz(x);
  to[3] = rotate(x, 5);
  to[4] = abs_diff(x, -x / 3);
  to[5] = add_sat(x, x);
  to[6] = hadd(x, 12345);
  to[7] = mad24(in[i], 77, 5);
  to[8] = clamp(x, -1000000, 1000000);
  to[9] = max(x, 0) % 1000 + min(x, 5) / 7;
  to[10] = convert_int_sat(convert_float(x) * 2.0f);
  to[11] = as_int(convert_float_rtz(x));
  const long wide = (long)x * 1234567891 + i;
  to[12] = (int)(wide % 1000003);
  to[13] = (int)mul_hi(wide, wide);
  to[14] = convert_char_sat(x >> 20) + convert_ushort_sat(x);
  to[15] = bitselect(x, i, 0x0f0f0f0f);
}

kernel void vectors(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float3 a = (float3)(in[i], in[i] + 1, in[i] * 0.5f);
  const float4 b = (float4)(a.zyx, 2.0f);
  global float *to = out + i * 16;
  to[0] = dot(a, b.xyz);
  to[1] = length(a);
  vstore3(cross(a, b.xyw), 0, to + 2);
  vstore3(normalize(a), 0, to + 5);
  vstore4(mix(b, b.wzyx, 0.25f), 0, to + 8);
  to[12] = distance(a, b.xyz);
  to[13] = any(isless(a, b.xyz)) + 2 * all(isfinite(a));
  to[14] = smoothstep(0.0f, 10.0f, a.x) + step(3.0f, a.y) + sign(a.x - 2.0f);
  to[15] = vload_half(0, (global half *)(in + 1 + (i & 7)));
}

/* Each group reverses its elements, through two pieces of local memory and two barriers. */
kernel void reversed(global const int *in, global int *out, local int *memory) {
  local int squares[64];
  const int l = get_local_id(0), size = get_local_size(0);
  memory[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  squares[l] = memory[size - 1 - l] * memory[size - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = memory[size - 1 - l] + squares[(l + 1) % size];
}

/* Sums each group by halving it. */
kernel void sums(global const float *in, global float *out, local float *memory) {
  const int l = get_local_id(0);
  memory[l] = in[get_global_id(0)];
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      memory[l] += memory[l + half_size];
  }
  if (l == 0)
    out[get_group_id(0)] = memory[0];
}

/* Atomic functions, on global and local memory, whose results do not depend on the order. */
kernel void atomics(global const int *in, volatile global int *out, volatile local int *memory) {
  const int l = get_local_id(0), x = in[get_global_id(0)];
  if (l == 0)
    memory[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&memory[0], x);
  atomic_add(&out[0], x);
  atomic_sub(&out[1], x);
  atomic_inc(&out[2]);
  atomic_dec(&out[3]);
  atomic_max(&out[4], x * 7 % 1000);
  atomic_min(&out[5], -(x * 7 % 1000));
  atomic_or(&out[6], 1 << (x & 31));
  atomic_xor(&out[7], x * 77);
  int seen = out[8];
  for (int before; (before = atomic_cmpxchg(&out[8], seen, seen + x)) != seen;)
    seen = before;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[16 + get_group_id(0)] = memory[0];
}

__attribute__((reqd_work_group_size(8, 4, 2))) kernel void required(global const int *in,
                                                                    global int *out) {
  const int i = get_global_id(0) + 16 * (get_global_id(1) + 4 * get_global_id(2));
  out[i] = in[i] + get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);
}
