/* The kernels of bench-constants: each one is there in three variants that differ in nothing
 * but where the constants come from. */
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
  /* Constants of four bytes with the ids from 0; the buffer of BENCH_READ holds the same. */
  const void *constants;
  pi_uint32 constant_count;
  size_t global[2]; /* the sizes of a launch, the same for all variants */
  size_t local[2];
  char text[64]; /* the sizes, for people */

  /* The inputs, whose number depends on the kernel, and what the host found for them. */
  pi_mem inputs[2];
  int size;
  float *expected;
  size_t result_count;

  /* Sets all arguments of a kernel. */
  void (*set_arguments)(const bench_device *device, const struct bench_workload *workload,
                        pi_kernel kernel, pi_mem output, pi_mem values);
} bench_workload;

/*
 * A 3x3 convolution, nine coefficients as constants; and the blocked matrix product, the block
 * size as the constant. quick makes it smaller. To be given back with bench_workload_close.
 */
bench_workload bench_convolution(const bench_device *device);
bench_workload bench_matrix(const bench_device *device, bool quick);

void bench_workload_close(const bench_device *device, bench_workload *workload);

#endif
