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
