/* The blocked matrix product of bench-constants. The constant is the block size. */
#include "workload.h"

#include "../test/support/embed.h"

#include <stdio.h>
#include <stdlib.h>

SPECPI_EMBED(matrix_typed, "matrix_typed.spv")
SPECPI_EMBED(matrix_set, "matrix_set.spv")
SPECPI_EMBED(matrix_read, "matrix_read.spv")

/* CMakeLists.txt has the same value. */
static const int block = 16;

static void set_arguments(const bench_device *device, const bench_workload *workload,
                          pi_kernel kernel, pi_mem output, pi_mem values) {
  const size_t local_size = (size_t)block * (size_t)block * sizeof(float);
  bench_set_buffer(device, kernel, 0, workload->inputs[0]);
  bench_set_buffer(device, kernel, 1, workload->inputs[1]);
  bench_set_buffer(device, kernel, 2, output);
  bench_set_int(device, kernel, 3, workload->size);
  BENCH_PI(device, piKernelSetArg, kernel, 4, local_size, NULL);
  BENCH_PI(device, piKernelSetArg, kernel, 5, local_size, NULL);
  bench_set_buffer(device, kernel, 6, values);
}

/* Makes a matrix of integers of at most 4 bits, so that sums of products are exact in any order. */
static float *make_factor(size_t count, unsigned seed) {
  float *factor = malloc(count * sizeof *factor);
  if (!factor)
    bench_die("no memory for a matrix of %zu elements", count);
  for (size_t i = 0; i < count; i++)
    factor[i] = (float)(int)(((unsigned)i + seed) * 2654435761u >> 28) - 8.0f;
  return factor;
}

static float *multiply(const float *a, const float *b, size_t size) {
  float *c = calloc(size * size, sizeof *c);
  if (!c)
    bench_die("no memory for a matrix of %zu rows", size);
  for (size_t row = 0; row < size; row++)
    for (size_t k = 0; k < size; k++)
      for (size_t column = 0; column < size; column++)
        c[row * size + column] += a[row * size + k] * b[k * size + column];
  return c;
}

bench_workload bench_matrix(const bench_device *device, bool quick) {
  const size_t size = quick ? 256 : 512;
  const size_t count = size * size;
  bench_workload workload = {
      .name = "matrix product",
      .kernel = "matrix_product",
      .modules = {[BENCH_TYPED] = {matrix_typed_begin, matrix_typed_end},
                  [BENCH_SET] = {matrix_set_begin, matrix_set_end},
                  [BENCH_READ] = {matrix_read_begin, matrix_read_end}},
      .constants = &block,
      .constant_count = 1,
      .global = {size, size},
      .local = {(size_t)block, (size_t)block},
      .size = (int)size,
      .result_count = count,
      .set_arguments = set_arguments,
  };
  snprintf(workload.text, sizeof workload.text, "%zu x %zu, blocks of %d x %d", size, size, block,
           block);
  float *a = make_factor(count, 1);
  float *b = make_factor(count, 77777);
  workload.inputs[0] = bench_buffer(device, count * sizeof *a, a);
  workload.inputs[1] = bench_buffer(device, count * sizeof *b, b);
  workload.expected = multiply(a, b, size);
  free(a);
  free(b);
  return workload;
}
