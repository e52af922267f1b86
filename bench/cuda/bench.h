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
 * Each of these functions measures, prints a table and returns the numbers for the JSON file. It
 * ends the program if a kernel's result is wrong.
 */
json_t *bench_cuda_constants(const cuda_bench *bench);
json_t *bench_cuda_launches(const cuda_bench *bench);
json_t *bench_cuda_ready(const cuda_bench *bench);
json_t *bench_cuda_ready_each(const cuda_bench *bench);

/* Make charts (../support/chart.h) from the results of bench_cuda_constants and _ready. */
json_t *bench_cuda_constants_chart(const cuda_bench *bench, const json_t *constants);
json_t *bench_cuda_ready_chart(const cuda_bench *bench, const json_t *ready);

/* Creates a program from an image, without building it. */
pi_program cuda_program(const cuda_bench *bench, const gpu_image *image);

/* Sets all leaves of an image's constant from value, which has size bytes. */
void cuda_set(const cuda_bench *bench, pi_program program, const gpu_image *image, const char *name,
              const void *value, size_t size);

#endif
