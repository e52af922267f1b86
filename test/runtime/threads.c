/* Many threads call every function for images and bundles at once, over the fake OpenCL. */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 8, ROUNDS = 300 };

static specpi_bundle shared;
static test_image images[THREADS];
static pi_device_binaries_struct tables[THREADS];
static atomic_int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, specpiGetLastError());    \
      atomic_fetch_add(&failures, 1);                                                              \
      return;                                                                                      \
    }                                                                                              \
  } while (0)

/* Sets two constants to the same number and checks that the build has equal values for both. */
static void set_and_build(int number) {
  const int tile = number;
  const int64_t big = number;
  const specpi_value values[] = {{"tile", sizeof tile, &tile}, {"big", sizeof big, &big}};
  specpi_bundle executable = NULL;
  CHECK(specpiBundleSetMany(shared, 2, values) == SPECPI_SUCCESS);
  CHECK(specpiBundleBuild(shared, NULL, &executable) == SPECPI_SUCCESS);
  int got_tile = -1;
  int64_t got_big = -2;
  CHECK(specpiBundleGet(executable, "tile", sizeof got_tile, &got_tile) == SPECPI_SUCCESS);
  CHECK(specpiBundleGet(executable, "big", sizeof got_big, &got_big) == SPECPI_SUCCESS);
  CHECK(got_tile == got_big);
  specpiBundleRelease(executable);
}

static void compile_and_link(void) {
  specpi_bundle object = NULL;
  specpi_bundle executable = NULL;
  bundle_kernel kernel;
  CHECK(specpiBundleCompile(shared, NULL, &object) == SPECPI_SUCCESS);
  CHECK(specpiBundleLink(1, &object, NULL, &executable) == SPECPI_SUCCESS);
  specpiBundleRelease(object);
  CHECK(bundle_get_kernel(executable, "report", &kernel) == SPECPI_SUCCESS);
  specpiBundleRelease(executable);
}

static void read_and_reset(void) {
  float point[4] = {1, 1, 1, 1};
  float got[4];
  program_source source;
  specpiBundleRetain(shared);
  CHECK(specpiBundleSet(shared, "point", sizeof point, point) == SPECPI_SUCCESS);
  CHECK(specpiBundleSetLeaf(shared, "point", 4, sizeof point[0], &point[1]) == SPECPI_SUCCESS);
  CHECK(specpiBundleReset(shared, "point") == SPECPI_SUCCESS);
  CHECK(specpiBundleGet(shared, "point", sizeof got, got) == SPECPI_SUCCESS);
  CHECK(bundle_get_source(shared, 0, NULL, 0, NULL, &source) == SPECPI_SUCCESS);
  program_values_clear(&source.values);
  CHECK(specpiBundleSet(shared, "points", sizeof point, point) == SPECPI_ERROR_UNKNOWN_CONSTANT);
  specpiBundleRelease(shared);
}

/* Registers and unregisters the thread's own table, while others look for the same kernel. */
static void register_and_find(const pi_device_binaries_struct *table) {
  specpi_bundle bundle = NULL;
  specpi_image some[THREADS];
  size_t count = 0;
  CHECK(specpiRegister(table) == SPECPI_SUCCESS);
  CHECK(specpiBundleCreateForKernel(support_device(), "report", &bundle) == SPECPI_SUCCESS);
  CHECK(specpiImagesGet(THREADS, some, &count) == SPECPI_SUCCESS && count >= 1);
  CHECK(specpiUnregister(table) == SPECPI_SUCCESS);
  specpiBundleRelease(bundle);
}

static void *work(void *argument) {
  const size_t number = (size_t)(uintptr_t)argument;
  pi_context context;
  if (specpiDeviceGetContext(support_device(), &context) != SPECPI_SUCCESS)
    atomic_fetch_add(&failures, 1);
  for (int round = 0; round < ROUNDS; round++) {
    set_and_build((int)number * ROUNDS + round);
    compile_and_link();
    read_and_reset();
    register_and_find(&tables[number]);
  }
  return NULL;
}

TEST(threads_use_everything_at_once) {
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    image_report(&images[i]);
    tables[i] =
        (pi_device_binaries_struct){PI_DEVICE_BINARIES_VERSION, 1, &images[i].binary, NULL, NULL};
  }
  const test_image *const one[] = {&images[0]};
  shared = support_bundle(1, one);
  const int tile = 0;
  const int64_t big = 0;
  const specpi_value values[] = {{"tile", sizeof tile, &tile}, {"big", sizeof big, &big}};
  must(specpiBundleSetMany(shared, 2, values));
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i), 0);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  specpiBundleRelease(shared);
  assert_int_equal(failures, 0);
  size_t count = 99;
  must(specpiImagesGet(0, NULL, &count));
  assert_int_equal(count, 0);
}
