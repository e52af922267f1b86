/* The parts that the files of bench-cuda share. */
#ifndef SPECPI_BENCH_CUDA_BENCH_H
#define SPECPI_BENCH_CUDA_BENCH_H

#include "../support/device.h"

#include "../../test/gpu/image.h"

typedef struct cuda_bench {
  bench_device device;
  const char *images; /* the directory */
  unsigned rounds;
} cuda_bench;

/*
 * Each part measures, prints its table, checks results, and gives what goes into the JSON file. It
 * ends the program when a result is wrong.
 */
json_t *bench_cuda_constants(const cuda_bench *bench);
json_t *bench_cuda_launches(const cuda_bench *bench);
json_t *bench_cuda_ready(const cuda_bench *bench);

/* Charts (../support/chart.h) of what bench_cuda_constants and bench_cuda_ready gave. */
json_t *bench_cuda_constants_chart(const cuda_bench *bench, const json_t *constants);
json_t *bench_cuda_ready_chart(const cuda_bench *bench, const json_t *ready);

/* A program of an image in the directory, not built. */
pi_program cuda_program(const cuda_bench *bench, const gpu_image *image);

/* Sets all leaves of a constant of the image to the bytes at value, of which there are size. */
void cuda_set(const cuda_bench *bench, pi_program program, const gpu_image *image, const char *name,
              const void *value, size_t size);

#endif
