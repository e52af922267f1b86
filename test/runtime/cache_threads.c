/*
 * Many threads get kernels of one bundle: each program is built once, and every kernel has its own
 * values. The test runs on the fake OpenCL, which records the values, so that ThreadSanitizer can
 * check it.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "cache_support.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6, ROUNDS = 30 };

static specpi_bundle input;
static pthread_barrier_t start;
static atomic_int wrong;

static void expect(bool condition) {
  if (!condition)
    atomic_fetch_add(&wrong, 1);
}

static specpi_kernel get(int32_t tile) {
  const specpi_value value = {"tile", sizeof tile, &tile};
  specpi_kernel kernel = NULL;
  expect(specpiBundleGetKernel(input, "report", NULL, 1, &value, &kernel) == SPECPI_SUCCESS);
  return kernel;
}

/* All threads want the same new values at the same time, and get the same kernel. */
static void *ask_for_the_same(void *argument) {
  specpi_kernel *kernels = argument;
  for (int32_t round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&start);
    kernels[round] = get(1000 + round);
  }
  return NULL;
}

static void run(void *(*work)(void *), void *arguments, size_t size) {
  pthread_t threads[THREADS];
  atomic_store(&wrong, 0);
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, (char *)arguments + i * size), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&start);
  assert_int_equal(atomic_load(&wrong), 0);
}

TEST(one_thread_builds_for_all) {
  static specpi_kernel kernels[THREADS][ROUNDS];
  specpi_cache_statistics before;
  must(specpiCacheGetStatistics(&before));
  run(ask_for_the_same, kernels, sizeof kernels[0]);
  const specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, ROUNDS);
  assert_int_equal(since.misses, ROUNDS);
  assert_int_equal(since.hits + since.shared, (THREADS - 1) * ROUNDS);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < THREADS; i++) {
      assert_ptr_equal(kernels[i][round], kernels[0][round]);
      specpiKernelRelease(kernels[i][round]);
    }
}

/* Gets, builds, sets and clears in any order, with a cache that is too small. */
static void *mix(void *argument) {
  const int32_t number = *(const int32_t *)argument;
  for (int32_t round = 0; round < ROUNDS; round++) {
    specpi_kernel kernel = get((round * 3 + number) % 7);
    specpi_kernel again = get((round * 3 + number) % 7);
    specpiKernelRelease(kernel);
    specpiKernelRelease(again);
    if (number == 0 && round % 16 == 0)
      expect(specpiCacheClear() == SPECPI_SUCCESS);
    if (number == 1) {
      specpi_cache_limits limits = {(size_t)round % 8, SIZE_MAX, 0, 0};
      expect(specpiCacheSetLimits(&limits) == SPECPI_SUCCESS);
    }
    if (number == 2) {
      const int64_t big = round % 2;
      expect(specpiBundleSet(input, "big", sizeof big, &big) == SPECPI_SUCCESS);
      specpi_bundle executable = NULL;
      expect(specpiBundleBuild(input, NULL, &executable) == SPECPI_SUCCESS);
      specpiBundleRelease(executable);
    }
    specpi_cache_statistics counts;
    expect(specpiCacheGetStatistics(&counts) == SPECPI_SUCCESS);
  }
  return NULL;
}

TEST(threads_get_kernels_beside_clears_and_builds) {
  static int32_t numbers[THREADS];
  for (int32_t i = 0; i < THREADS; i++)
    numbers[i] = i;
  run(mix, numbers, sizeof numbers[0]);
  must(specpiCacheSetLimits(NULL));
  must(specpiCacheClear());
}

static int open_bundle(void **state) {
  (void)state;
  input = report_bundle();
  return 0;
}

static int close_bundle(void **state) {
  (void)state;
  specpiBundleRelease(input);
  return 0;
}

int main(void) {
  return tests_run(open_bundle, close_bundle);
}
