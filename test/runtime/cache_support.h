/* Helpers of the program cache's tests. */
#ifndef SPECPI_TEST_RUNTIME_CACHE_SUPPORT_H
#define SPECPI_TEST_RUNTIME_CACHE_SUPPORT_H

#include "support.h"

/* Returns the cache's counts since the last call. */
static inline specpi_cache_statistics counted_since(specpi_cache_statistics *before) {
  specpi_cache_statistics now, since;
  must(specpiCacheGetStatistics(&now));
  since = now;
#define SPECPI_CACHE_STATISTIC(name, text) since.name -= before->name;
  SPECPI_CACHE_STATISTICS(SPECPI_CACHE_STATISTIC)
#undef SPECPI_CACHE_STATISTIC
  /* The sizes of the cache are current values, not counts since a call. */
  since.programs = now.programs;
  since.bytes = now.bytes;
  *before = now;
  return since;
}

/* Launches a kernel, whose only argument is a buffer of numbers, with one work-item. */
static inline void run_kernel(specpi_kernel kernel, int64_t *values, size_t count) {
  const specpi_device device = specpiKernelGetDevice(kernel);
  specpi_queue queue = NULL;
  specpi_buffer buffer = NULL;
  const size_t size = count * sizeof *values;
  memset(values, 0xa5, size);
  must(specpiQueueCreate(device, 0, &queue));
  must(specpiBufferCreate(device, size, NULL, &buffer));
  const specpi_range range = {.dimensions = 1, .global = {1}};
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  must(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL));
  must(specpiBufferRead(queue, buffer, 0, size, values, 0, NULL, NULL));
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* Returns the kernel "report" of a bundle with tile set to a number. */
static inline specpi_kernel get_tile(specpi_bundle input, int32_t tile) {
  const specpi_value value = {"tile", sizeof tile, &tile};
  specpi_kernel kernel = NULL;
  must(specpiBundleGetKernel(input, "report", NULL, 1, &value, &kernel));
  return kernel;
}

/* Launches the kernel of get_tile; asserts that it reports the number and the other defaults. */
static inline void check_tile(specpi_bundle input, int32_t tile) {
  specpi_kernel kernel = get_tile(input, tile);
  int64_t values[REPORT_VALUES];
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[0], tile);
  assert_int_equal(values[1], support_bits(0.5f));
  assert_int_equal(values[6], -5);
  specpiKernelRelease(kernel);
}

/* Creates an input bundle of report.cl's image. */
static inline specpi_bundle report_bundle(void) {
  static test_image image;
  image_report(&image);
  const test_image *const images[] = {&image};
  return support_bundle(1, images);
}

#endif
