/* Loops around barriers. The first one is not worth unrolling; the others are. */
#define STEPS 16

kernel void tiled(global float *out, global const float *in) {
  local float tile[256];
  const size_t id = get_local_id(0);
  float sum = 0;
  for (int step = 0; step < STEPS; step++) {
    tile[id] = in[step * 256 + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
      sum += tile[(id / 16) * 16 + k] * tile[k * 16 + id % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[id] = sum;
}

kernel void tree(global float *out, global const float *in) {
  local float sums[256];
  const size_t id = get_local_id(0);
  sums[id] = in[id];
  for (int step = 0; step < 8; step++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < 128u >> step)
      sums[id] += sums[id + (128u >> step)];
  }
  if (id == 0)
    *out = sums[0];
}

kernel void rows(global float *out, global const float *in) {
  local float tile[256];
  const size_t id = get_local_id(0);
  float row[STEPS];
  for (int step = 0; step < STEPS; step++) {
    tile[id] = in[step * 256 + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    row[step] = 0;
    for (int k = 0; k < 16; k++)
      row[step] += tile[(id / 16) * 16 + k] * tile[k * 16 + id % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int step = 0; step < STEPS; step++)
    out[step * 256 + id] = row[STEPS - 1 - step];
}

/* Long loops without barriers. */

kernel void steps(global float *out, global const float *in) {
  const size_t id = get_global_id(0);
  float x = in[id];
  for (int step = 0; step < 1000; step++)
    x = fma(x, 0.75f, 0.125f);
  out[id] = x;
}

/* The values of the window move to the next register in each step. */
kernel void window(global float *out, global const float *in) {
  const size_t id = get_global_id(0);
  float window[STEPS];
  for (int k = 1; k < STEPS; k++)
    window[k] = in[k * 256 + id];
  for (int step = 0; step < 40; step++) {
    float sum = 0;
    for (int k = 0; k < STEPS - 1; k++)
      window[k] = window[k + 1];
    window[STEPS - 1] = in[(step + STEPS) * 256 + id];
    for (int k = 0; k < STEPS; k++)
      sum = fma(window[k], (float)k + 0.5f, sum);
    out[step * 256 + id] = sum;
  }
}

/* The hint stays, whatever the loop's length. */
kernel void hinted(global float *out, global const float *in) {
  const size_t id = get_global_id(0);
  float x = in[id];
  __attribute__((opencl_unroll_hint(2))) for (int step = 0; step < 1000; step++)
    x = fma(x, 0.75f, 0.125f);
  out[id] = x;
}

/* Each case is a comparison and a branch. */
kernel void cases(global uint *out, global const uint *in) {
  const size_t id = get_global_id(0);
  uint x = in[id];
  for (int step = 0; step < 16; step++)
    switch (x) {
    case 0: x = out[id]; break;
    case 1: x = out[id + 9]; break;
    case 2: x = out[id + 3]; break;
    case 3: x = out[id + 11]; break;
    case 4: x = out[id + 7]; break;
    case 5: x = out[id + 5]; break;
    case 6: x = out[id + 1]; break;
    case 7: x = out[id + 8]; break;
    case 8: x = out[id + 2]; break;
    case 9: x = out[id + 6]; break;
    case 10: x = out[id + 4]; break;
    case 11: x = out[id + 10]; break;
    default: x = x * 7 + 3;
    }
  out[id] = x;
}
