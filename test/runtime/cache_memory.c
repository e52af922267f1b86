/* If the nth allocation fails, the call fails, nothing leaks, and the cache stays correct. */
#define _GNU_SOURCE /* mkdtemp */
#include "cache_support.h"

#include "../unit/memory.h"

#include <stdlib.h>
#include <unistd.h>

static char directory[] = "/tmp/specpi-cache-memory-XXXXXX";

/* Causes a miss, a hit, and a miss with a file; failed allocations may change that. */
static specpi_result use(specpi_bundle input, const char *kernel, int32_t tile) {
  const specpi_value value = {"tile", sizeof tile, &tile};
  specpi_result worst = SPECPI_SUCCESS;
  specpi_kernel first = NULL;
  for (int i = 0; i < 3; i++) {
    specpi_kernel got = NULL;
    const specpi_result result = specpiBundleGetKernel(input, kernel, NULL, 1, &value, &got);
    if (result != SPECPI_SUCCESS) {
      worst = result;
      continue;
    }
    if (i == 1 && worst == SPECPI_SUCCESS && got != first)
      worst = SPECPI_ERROR_CONFLICT; /* the second call must be a hit */
    first = got;
    specpiKernelRelease(got);
    if (i == 1)
      specpiCacheClear();
  }
  specpi_bundle executable = NULL;
  const specpi_result result = specpiBundleBuild(input, NULL, &executable);
  if (result != SPECPI_SUCCESS)
    worst = result;
  specpiBundleRelease(executable);
  specpiCacheClear();
  specpiCacheClearDirectory();
  return worst;
}

static void fail_each(specpi_bundle input, const char *kernel) {
  must(use(input, kernel, 99)); /* the first use creates contexts and the like */
  bool failed = true;
  long fail = 0;
  for (; failed; fail++) {
    memory_watch(fail);
    const specpi_result result = use(input, kernel, 5);
    const memory_use memory = memory_unwatch();
    failed = memory.failed;
    if (memory.held != 0)
      fail_msg("with allocation %ld failing %ld blocks stay", fail, memory.held);
    /* If there is no memory for a program's file, the program is not stored, which is no error. */
    if (result != SPECPI_SUCCESS && (!failed || result != SPECPI_ERROR_OUT_OF_MEMORY))
      fail_msg("with allocation %ld failing: %s", fail, specpiGetLastError());
    assert_true(fail < 10000);
  }
  assert_true(fail > 20);
  must(use(input, kernel, 5));
}

TEST(failed_allocations_with_values_in_the_code_leak_nothing) {
  specpi_bundle input = report_bundle();
  fail_each(input, "report");
  specpiBundleRelease(input);
}

TEST(failed_allocations_with_values_in_a_buffer_leak_nothing) {
  static test_image image;
  image_buffer(&image);
  const test_image *const images[] = {&image};
  specpi_bundle input = support_bundle(1, images);
  fail_each(input, "from_buffer");
  specpiBundleRelease(input);
}

/* A cached kernel takes one allocation, which specpiKernelRelease frees. */
TEST(hits_allocate_once) {
  specpi_bundle input = report_bundle();
  specpiKernelRelease(get_tile(input, 3));
  memory_watch(MEMORY_NEVER);
  specpi_kernel kernel = get_tile(input, 3);
  const memory_use memory = memory_unwatch();
  specpiKernelRelease(kernel);
  assert_int_equal(memory.calls, 1);
  assert_int_equal(memory.held, 0);
  must(specpiCacheClear());
  specpiBundleRelease(input);
}

static int name_directory(void **state) {
  (void)state;
  assert_non_null(mkdtemp(directory));
  must(specpiCacheSetDirectory(directory));
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  must(specpiCacheClearDirectory());
  return rmdir(directory);
}

int main(void) {
  return tests_run(name_directory, remove_directory);
}
