/* The convolution of bench-constants. The constants are its nine coefficients. */
#include "workload.h"

#include "../test/support/embed.h"

#include <stdio.h>
#include <stdlib.h>

SPECPI_EMBED(convolution_typed, "convolution_typed.spv")
SPECPI_EMBED(convolution_set, "convolution_set.spv")
SPECPI_EMBED(convolution_read, "convolution_read.spv")

/* The Sobel operator for vertical edges. CMakeLists.txt has the same values. */
static const float coefficients[9] = {-1.0f, 0.0f, 1.0f, -2.0f, 0.0f, 2.0f, -1.0f, 0.0f, 1.0f};

static void set_arguments(const bench_device *device, const bench_workload *workload,
                          pi_kernel kernel, pi_mem output, pi_mem values) {
  bench_set_buffer(device, kernel, 0, workload->inputs[0]);
  bench_set_buffer(device, kernel, 1, output);
  bench_set_int(device, kernel, 2, workload->size + 2);
  bench_set_buffer(device, kernel, 3, values);
}

/* Makes small multiples of 1/4, so that float sums are exact in any order. */
static float *make_input(size_t stride) {
  float *input = malloc(stride * stride * sizeof *input);
  if (!input)
    bench_die("no memory for an image of %zu rows", stride);
  for (size_t i = 0; i < stride * stride; i++)
    input[i] = (float)((i * 2654435761u >> 8) % 1024) * 0.25f;
  return input;
}

static float *convolve(const float *input, size_t size) {
  const size_t stride = size + 2;
  float *result = malloc(size * size * sizeof *result);
  if (!result)
    bench_die("no memory for an image of %zu rows", size);
  for (size_t y = 0; y < size; y++)
    for (size_t x = 0; x < size; x++) {
      float sum = 0.0f;
      for (size_t tap = 0; tap < 9; tap++)
        sum += coefficients[tap] * input[(y + tap / 3) * stride + x + tap % 3];
      result[y * size + x] = sum;
    }
  return result;
}

bench_workload bench_convolution(const bench_device *device) {
  const size_t size = 1024; /* small enough for a CPU's cache */
  const size_t stride = size + 2;
  bench_workload workload = {
      .name = "convolution",
      .kernel = "convolution",
      .modules = {[BENCH_TYPED] = {convolution_typed_begin, convolution_typed_end},
                  [BENCH_SET] = {convolution_set_begin, convolution_set_end},
                  [BENCH_READ] = {convolution_read_begin, convolution_read_end}},
      .constants = coefficients,
      .constant_count = 9,
      .global = {size, size},
      .local = {64, 4},
      .size = (int)size,
      .result_count = size * size,
      .set_arguments = set_arguments,
  };
  snprintf(workload.text, sizeof workload.text, "3x3 Sobel filter, %zu x %zu pixels", size, size);
  float *input = make_input(stride);
  workload.inputs[0] = bench_buffer(device, stride * stride * sizeof *input, input);
  workload.expected = convolve(input, size);
  free(input);
  return workload;
}
