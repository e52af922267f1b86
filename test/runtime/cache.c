/* Programs from the cache, on a real device: the number of builds, and the kernels' results. */
#include "cache_support.h"

static specpi_cache_statistics before;

static int clear(void **state) {
  (void)state;
  must(specpiCacheSetDirectory(NULL));
  must(specpiCacheSetLimits(NULL));
  must(specpiCacheClear());
  counted_since(&before);
  return 0;
}

#define CACHE_TEST(name) TEST_WITH(name, clear, NULL)

CACHE_TEST(equal_values_get_the_same_kernel) {
  specpi_bundle input = report_bundle();
  specpi_kernel first = get_tile(input, 3);
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.misses, 1);
  assert_int_equal(since.programs, 1);
  assert_true(since.bytes > 100);
  specpi_kernel second = get_tile(input, 3);
  assert_ptr_equal(first, second);
  since = counted_since(&before);
  assert_int_equal(since.builds, 0);
  assert_int_equal(since.hits, 1);
  specpiKernelRelease(first);
  check_tile(input, 3);
  specpiKernelRelease(second);
  /* Another bundle of the same image has the same key. */
  specpi_bundle other = report_bundle();
  check_tile(other, 3);
  assert_int_equal(counted_since(&before).builds, 0);
  specpiBundleRelease(other);
  specpiBundleRelease(input);
}

static specpi_kernel get_one(specpi_bundle input, const char *name, size_t size,
                             const void *value) {
  const specpi_value values[] = {{name, size, value}};
  specpi_kernel kernel = NULL;
  must(specpiBundleGetKernel(input, "report", NULL, 1, values, &kernel));
  return kernel;
}

/* Different values, no value, and the same bits for another constant make different programs. */
CACHE_TEST(each_value_is_its_own_program) {
  specpi_bundle input = report_bundle();
  check_tile(input, 1);
  assert_int_equal(counted_since(&before).builds, 1);
  check_tile(input, 2);
  assert_int_equal(counted_since(&before).builds, 1);
  specpi_kernel kernel = NULL;
  must(specpiBundleGetKernel(input, "report", "", 0, NULL, &kernel));
  int64_t values[REPORT_VALUES];
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[0], 7);
  specpiKernelRelease(kernel);
  assert_int_equal(counted_since(&before).builds, 1);
  const float point[3] = {8, 9, 10};
  kernel = get_one(input, "point", sizeof point, point);
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[0], 7);
  assert_int_equal(values[3], support_bits(8));
  assert_int_equal(values[5], support_bits(10));
  specpiKernelRelease(kernel);
  const float turned[3] = {10, 9, 8};
  kernel = get_one(input, "point", sizeof turned, turned);
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[3], support_bits(10));
  assert_int_equal(values[5], support_bits(8));
  specpiKernelRelease(kernel);
  assert_int_equal(counted_since(&before).builds, 2);
  /* The default values, set like any other value. */
  check_tile(input, 7);
  check_tile(input, 1);
  check_tile(input, 2);
  assert_true(counted_since(&before).builds <= 1);
  specpiBundleRelease(input);
}

CACHE_TEST(a_bundles_values_are_the_base_and_stay) {
  specpi_bundle input = report_bundle();
  const int64_t big = 1 << 20;
  const int32_t tile = 5;
  must(specpiBundleSet(input, "big", sizeof big, &big));
  must(specpiBundleSet(input, "tile", sizeof tile, &tile));
  specpi_kernel kernel = get_tile(input, 6);
  int64_t values[REPORT_VALUES];
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[0], 6);
  assert_int_equal(values[6], big);
  specpiKernelRelease(kernel);
  int32_t now = 0;
  must(specpiBundleGet(input, "tile", sizeof now, &now));
  assert_int_equal(now, 5);
  must(specpiBundleGetKernel(input, "report", NULL, 0, NULL, &kernel));
  run_kernel(kernel, values, REPORT_VALUES);
  assert_int_equal(values[0], 5);
  specpiKernelRelease(kernel);
  /* The same values, set in another way. */
  must(specpiBundleReset(input, "big"));
  counted_since(&before);
  const specpi_value both[] = {{"big", sizeof big, &big}, {"tile", sizeof tile, &tile}};
  must(specpiBundleGetKernel(input, "report", NULL, 2, both, &kernel));
  specpiKernelRelease(kernel);
  assert_int_equal(counted_since(&before).builds, 0);
  specpiBundleRelease(input);
}

CACHE_TEST(builds_of_bundles_are_kept) {
  specpi_bundle input = report_bundle();
  const int32_t tile = 11;
  must(specpiBundleSet(input, "tile", sizeof tile, &tile));
  for (int i = 0; i < 3; i++) {
    specpi_bundle executable = NULL;
    must(specpiBundleBuild(input, NULL, &executable));
    int64_t values[REPORT_VALUES];
    support_run(executable, "report", values, REPORT_VALUES);
    assert_int_equal(values[0], 11);
    specpiBundleRelease(executable);
  }
  check_tile(input, 11);
  assert_int_equal(counted_since(&before).builds, 1);
  specpiBundleRelease(input);
}

CACHE_TEST(options_are_part_of_the_key) {
  specpi_bundle input = report_bundle();
  static const char *const options[] = {NULL, "", "-cl-opt-disable", "-cl-mad-enable"};
  specpi_kernel kernels[4] = {NULL};
  for (int i = 0; i < 4; i++)
    must(specpiBundleGetKernel(input, "report", options[i], 0, NULL, &kernels[i]));
  assert_int_equal(counted_since(&before).builds, 3);
  assert_ptr_equal(kernels[0], kernels[1]);
  for (int i = 0; i < 4; i++)
    specpiKernelRelease(kernels[i]);
  specpiBundleRelease(input);
}

/*
 * Constants from a buffer: one program, and a buffer for each set of values. In the CUDA plugin the
 * buffer is a part of the program, so each set has a program.
 */
CACHE_TEST(buffers_share_a_program) {
  const bool shared = !support_is_cuda();
  static test_image image;
  image_buffer(&image);
  const test_image *const images[] = {&image};
  specpi_bundle input = support_bundle(1, images);
  specpi_kernel kernels[4] = {NULL};
  for (int32_t i = 0; i < 4; i++) {
    const int32_t tile = 100 + i;
    const specpi_value value = {"tile", sizeof tile, &tile};
    must(specpiBundleGetKernel(input, "from_buffer", NULL, i > 0, &value, &kernels[i]));
  }
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, shared ? 1 : 4);
  assert_int_equal(since.programs, shared ? 5 : 4);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 4; i++) {
      int64_t values[BUFFER_VALUES];
      run_kernel(kernels[i], values, BUFFER_VALUES);
      assert_int_equal(values[0], i > 0 ? 100 + i : 7);
      assert_int_equal(values[1], support_bits(0.5f) + ((int64_t)'x' << 32));
      assert_int_equal(values[2], -5);
    }
  const int32_t again = 102;
  const specpi_value value = {"tile", sizeof again, &again};
  specpi_kernel kernel = NULL;
  must(specpiBundleGetKernel(input, "from_buffer", NULL, 1, &value, &kernel));
  assert_ptr_equal(kernel, kernels[2]);
  specpiKernelRelease(kernel);
  since = counted_since(&before);
  assert_int_equal(since.hits, 1);
  assert_int_equal(since.misses, 0);
  /* The build of a bundle uses the same program. */
  specpi_bundle executable = NULL;
  must(specpiBundleSet(input, "tile", sizeof again, &again));
  must(specpiBundleBuild(input, NULL, &executable));
  int64_t values[BUFFER_VALUES];
  support_run(executable, "from_buffer", values, BUFFER_VALUES);
  assert_int_equal(values[0], 102);
  specpiBundleRelease(executable);
  assert_int_equal(counted_since(&before).builds, 0);
  for (int i = 0; i < 4; i++)
    specpiKernelRelease(kernels[i]);
  specpiBundleRelease(input);
}

CACHE_TEST(kernels_outlive_eviction) {
  specpi_bundle input = report_bundle();
  specpi_cache_limits limits;
  must(specpiCacheGetLimits(&limits));
  assert_int_equal(limits.programs, SPECPI_CACHE_PROGRAMS);
  assert_int_equal(limits.bytes, SPECPI_CACHE_BYTES);
  assert_int_equal(limits.directory_bytes, SPECPI_CACHE_DIRECTORY_BYTES);
  assert_int_equal(limits.file_bytes, SPECPI_CACHE_FILE_BYTES);
  limits.programs = 2;
  must(specpiCacheSetLimits(&limits));
  specpi_kernel held = get_tile(input, 1);
  check_tile(input, 2);
  check_tile(input, 1); /* 2 is now the oldest */
  check_tile(input, 3);
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, 3);
  assert_int_equal(since.evictions, 1);
  assert_int_equal(since.programs, 2);
  check_tile(input, 1);
  assert_int_equal(counted_since(&before).builds, 0);
  check_tile(input, 2);
  assert_int_equal(counted_since(&before).builds, 1);
  /* The cache keeps nothing. */
  limits.programs = 0;
  must(specpiCacheSetLimits(&limits));
  assert_int_equal(counted_since(&before).programs, 0);
  check_tile(input, 2);
  check_tile(input, 2);
  since = counted_since(&before);
  assert_int_equal(since.builds, 2);
  assert_int_equal(since.programs, 0);
  specpiBundleRelease(input);
  int64_t values[REPORT_VALUES];
  run_kernel(held, values, REPORT_VALUES);
  assert_int_equal(values[0], 1);
  specpiKernelRelease(held);
}

CACHE_TEST(failures_are_not_kept) {
  specpi_bundle input = report_bundle();
  specpi_kernel kernel = NULL;
  for (int i = 0; i < 2; i++) {
    assert_error(specpiBundleGetKernel(input, "report", "-no-such-option", 0, NULL, &kernel),
                 SPECPI_ERROR_BUILD_FAILED, "-no-such-option");
    assert_null(kernel);
  }
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.failures, 2);
  assert_int_equal(since.builds, 2);
  assert_int_equal(since.programs, 0);
  check_tile(input, 1);
  specpiBundleRelease(input);
}

CACHE_TEST(wrong_calls_are_refused) {
  specpi_bundle input = report_bundle();
  specpi_kernel kernel = NULL;
  const int32_t tile = 1;
  const specpi_value good = {"tile", sizeof tile, &tile};
  const specpi_value unknown = {"tiles", sizeof tile, &tile};
  const specpi_value wide = {"tile", 8, &tile};
  const specpi_value empty = {"tile", sizeof tile, NULL};
  const specpi_value nameless = {NULL, sizeof tile, &tile};
#define REFUSED(code, part, ...)                                                                   \
  assert_error(specpiBundleGetKernel(__VA_ARGS__), code, part);                                    \
  assert_null(kernel)
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "input is NULL", NULL, "report", NULL, 1, &good, &kernel);
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "name is NULL", input, NULL, NULL, 1, &good, &kernel);
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "kernel is NULL", input, "report", NULL, 1, &good, NULL);
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "values is NULL", input, "report", NULL, 1, NULL, &kernel);
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "NULL", input, "report", NULL, 1, &empty, &kernel);
  REFUSED(SPECPI_ERROR_INVALID_ARGUMENT, "NULL", input, "report", NULL, 1, &nameless, &kernel);
  REFUSED(SPECPI_ERROR_UNKNOWN_KERNEL, "reports", input, "reports", NULL, 1, &good, &kernel);
  REFUSED(SPECPI_ERROR_UNKNOWN_CONSTANT, "tiles", input, "report", NULL, 1, &unknown, &kernel);
  REFUSED(SPECPI_ERROR_INVALID_SIZE, "tile", input, "report", NULL, 1, &wide, &kernel);
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(input, NULL, &executable));
  counted_since(&before);
  REFUSED(SPECPI_ERROR_INVALID_STATE, "", executable, "report", NULL, 0, NULL, &kernel);
#undef REFUSED
  assert_error(specpiCacheGetStatistics(NULL), SPECPI_ERROR_INVALID_ARGUMENT, "statistics is NULL");
  assert_error(specpiCacheGetLimits(NULL), SPECPI_ERROR_INVALID_ARGUMENT, "limits is NULL");
  assert_int_equal(counted_since(&before).misses, 0);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
}

int main(void) {
  return tests_run(NULL, clear);
}
