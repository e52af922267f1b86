/*
 * bench-cuda: measures the CUDA plugin on an NVIDIA GPU: kernels whose constants are typed into the
 * source, set, patched, or read from a buffer; launches, compared with the driver's own calls; and
 * the time from new values to kernels. docs/internals/bench.md explains the output.
 */
#define _GNU_SOURCE /* setenv, readlink, memrchr */
#include "bench.h"
#include "driver.h"
#include "ready.h"

#include "../support/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: bench-cuda [--quick] [--json FILE] [--chart FILE]\n"
    "Measures the CUDA plugin on the first GPU of ONEAPI_DEVICE_SELECTOR, cuda:gpu without it.\n"
    "The images are those in ../../bench/cuda, seen from the program, or in BENCH_CUDA_IMAGES.\n"
    "Exits with 1 when a result is wrong.\n";

pi_program cuda_program(const cuda_bench *bench, const gpu_image *image) {
  const unsigned char *text = (const unsigned char *)image->text;
  return bench_program(&bench->device, text, text + image->size);
}

void cuda_set(const cuda_bench *bench, pi_program program, const gpu_image *image, const char *name,
              const void *value, size_t size) {
  const ptx_image_constant *constant = gpu_image_constant(image, name);
  if (constant->size != size)
    bench_die("%s: %s has %u bytes, not %zu", image->path, name, constant->size, size);
  for (pi_uint32 i = 0; i < constant->leaf_count; i++) {
    const ptx_image_leaf *leaf = &image->info->leaves[constant->first_leaf + i];
    BENCH_PI(&bench->device, piextProgramSetSpecializationConstant, program, leaf->id, leaf->size,
             (const char *)value + leaf->offset);
  }
}

/* Returns the directory of images, by its path relative to the program, which may be anywhere. */
static const char *find_images(void) {
  static char directory[4096];
  const char *chosen = getenv("BENCH_CUDA_IMAGES");
  if (chosen)
    return chosen;
  const ssize_t length = readlink("/proc/self/exe", directory, sizeof directory - 32);
  char *slash = length > 0 ? memrchr(directory, '/', (size_t)length) : NULL;
  if (!slash)
    bench_die("the program does not know where it lies");
  memcpy(slash, "/../../bench/cuda", sizeof "/../../bench/cuda");
  return directory;
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  setvbuf(stdout, NULL, _IOLBF, 0);
  /* Without caches every build is a real one. The driver's side uses the first GPU, too. */
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  setenv("ONEAPI_DEVICE_SELECTOR", "cuda:gpu", 0);
  if (!getenv("BENCH_CUDA_DIRECTORY"))
    setenv("SPECPI_CACHE_DIR", "", 1);
  cuda_bench bench = {
      .device = bench_device_open(), .images = find_images(), .rounds = options.quick ? 3 : 101};
  driver_open();
  if (ready_directory_main(&bench)) {
    bench_device_close(&bench.device);
    return 0;
  }
  printf("The CUDA plugin, %u rounds, the median of each. The driver's cache is off.\n\n",
         bench.rounds);
  bench_device_print(&bench.device);
  json_t *constants = bench_cuda_constants(&bench);
  json_t *launches = bench_cuda_launches(&bench);
  json_t *ready = bench_cuda_ready(&bench);
  json_t *ready_each = bench_cuda_ready_each(&bench);
  json_t *charts = json_pack("[o, o]", bench_cuda_constants_chart(&bench, constants),
                             bench_cuda_ready_chart(&bench, ready));
  if (options.chart && bench_chart_draw(json_array_get(charts, 0), options.chart))
    printf("  chart: %s\n", options.chart);
  bench_write_json(options.json,
                   json_pack("{s:s, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "bench", "cuda", "device",
                             bench_device_json(&bench.device), "rounds", (int)bench.rounds,
                             "constants", constants, "launches", launches, "ready", ready,
                             "ready_each", ready_each, "charts", charts));
  driver_close();
  bench_device_close(&bench.device);
  return 0;
}
