/* The kernels of bench-constants. Each has three variants with different sources of constants. */
#ifndef SPECPI_BENCH_WORKLOAD_H
#define SPECPI_BENCH_WORKLOAD_H

#include "support/device.h"

/* X(NAME, json, text): the variants, in the order of the table. */
#define BENCH_VARIANTS(X)                                                                          \
  X(TYPED, typed, "typed into the source")                                                         \
  X(SET, set, "set with PI")                                                                       \
  X(READ, read, "read from a buffer")

typedef enum bench_variant {
#define BENCH_VARIANT(NAME, json, text) BENCH_##NAME,
  BENCH_VARIANTS(BENCH_VARIANT)
#undef BENCH_VARIANT
      BENCH_VARIANT_COUNT
} bench_variant;

typedef struct bench_module {
  const unsigned char *begin;
  const unsigned char *end;
} bench_module;

typedef struct bench_workload {
  const char *name;
  const char *kernel;
  bench_module modules[BENCH_VARIANT_COUNT];
  /* Constants of four bytes with ids from 0. The buffer of BENCH_READ has the same values. */
  const void *constants;
  pi_uint32 constant_count;
  size_t global[2]; /* launch sizes of all variants */
  size_t local[2];
  char text[64]; /* the sizes as text */

  /* The inputs, whose number depends on the kernel, and the results that the host computed. */
  pi_mem inputs[2];
  int size;
  float *expected;
  size_t result_count;

  /* Sets all arguments of a kernel. */
  void (*set_arguments)(const bench_device *device, const struct bench_workload *workload,
                        pi_kernel kernel, pi_mem output, pi_mem values);
} bench_workload;

/*
 * Create the workloads: a 3x3 convolution, whose nine coefficients are constants, and a blocked
 * matrix product, whose block size is a constant. quick makes the matrices smaller. Release them
 * with bench_workload_close.
 */
bench_workload bench_convolution(const bench_device *device);
bench_workload bench_matrix(const bench_device *device, bool quick);

void bench_workload_close(const bench_device *device, bench_workload *workload);

#endif
