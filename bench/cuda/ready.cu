/* The kernels of ready.cl in CUDA C, for NVRTC, which gets the constants as -D options. */
extern "C" __global__ void product_run(float *__restrict__ c, const float *__restrict__ a,
                                       const float *__restrict__ b) {
  __shared__ float block_a[BLOCK * BLOCK], block_b[BLOCK * BLOCK];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * BLOCK + y, column = blockIdx.x * BLOCK + x;
  float sum = 0;
  for (int first = 0; first < SIZE; first += BLOCK) {
    block_a[y * BLOCK + x] = a[row * SIZE + first + x];
    block_b[y * BLOCK + x] = b[(first + y) * SIZE + column];
    __syncthreads();
    for (int k = 0; k < BLOCK; k++)
      sum += block_a[y * BLOCK + k] * block_b[k * BLOCK + x];
    __syncthreads();
  }
  c[row * SIZE + column] = sum;
}

extern "C" __global__ void filter_run(float *__restrict__ out, const float *__restrict__ in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float weights[9] = {WEIGHTS};
  float sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (weights[3 * i + j] != 0)
        sum += weights[3 * i + j] * in[(y + i) * (WIDTH + 2) + x + j];
  out[y * WIDTH + x] = sum * FACTOR;
}

extern "C" __global__ void map_run(float *__restrict__ out, const float *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int step = 0; step < COUNT; step++) {
    if (SQUARE)
      x = x * x * A;
    if (BEND)
      x = sinf(x) * B;
    if (TURN)
      x = expf(-x * x);
    if (LIMIT)
      x = fminf(fmaxf(x, -C), C);
    x = fmaf(x, A, B);
  }
  out[i] = x;
}
