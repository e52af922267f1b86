/*
 * Runs the kernels of a C++ unit, Inputs/kernels.cpp, on a device: function objects by value, with
 * pointers to unified shared memory as members; constants of each kind; local memory; constant
 * tables.
 */
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 8 };

typedef struct world {
  specpi_device device;
  specpi_queue queue;
  specpi_bundle bundle; /* the bundle in which tests set constants */
  float *from;          /* COUNT numbers in shared memory */
  float *to;
} world;

static void check(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    fail_msg("%s", specpiGetLastError());
}

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  size_t count;
  check(specpiDevicesGet(NULL, 1, &w->device, &count));
  assert_true(count > 0);
  check(specpiQueueCreate(w->device, 0, &w->queue));
  check(specpiBundleCreateForKernel(w->device, "_ZTS10arithmetic", &w->bundle));
  void *memory;
  const size_t size = COUNT * sizeof *w->from;
  check(specpiMemoryAllocate(w->device, SPECPI_MEMORY_SHARED, size, 0, &memory));
  w->from = memory;
  check(specpiMemoryAllocate(w->device, SPECPI_MEMORY_SHARED, size, 0, &memory));
  w->to = memory;
  for (size_t i = 0; i < COUNT; i++)
    w->from[i] = 0.5f * (float)i;
  memset(w->to, 0, size);
  *state = w;
  return 0;
}

static int tear_down(void **state) {
  world *w = *state;
  check(specpiMemoryFree(w->device, w->to));
  check(specpiMemoryFree(w->device, w->from));
  specpiBundleRelease(w->bundle);
  specpiQueueRelease(w->queue);
  free(w);
  return 0;
}

/* Builds the bundle, runs a kernel in groups of four, and waits for its end. */
static void run(const world *w, const char *name, size_t count, const specpi_argument *arguments) {
  specpi_bundle executable;
  specpi_kernel kernel;
  const specpi_range range = {.dimensions = 1, .global = {COUNT}, .local = {4}};
  check(specpiBundleBuild(w->bundle, NULL, &executable));
  check(specpiKernelCreate(executable, name, &kernel));
  check(specpiKernelLaunch(kernel, w->queue, &range, count, arguments, 0, NULL, NULL));
  check(specpiQueueFinish(w->queue));
  specpiKernelRelease(kernel);
  specpiBundleRelease(executable);
}

/* The function objects, declared as in the unit. */
typedef struct arithmetic {
  const float *from;
  float *to;
  signed char small;
  _Alignas(32) float lanes[4];
  char last;
} arithmetic;
typedef struct reversal {
  int32_t *data;
  size_t offset;
} reversal;

TEST_WITH(a_kernel_computes_with_constants, set_up, tear_down) {
  world *w = *state;
  const arithmetic object = {w->from, w->to, -3, {1, 2, 3, 4}, 7};
  const specpi_argument argument = SPECPI_ARGUMENT_OF(object);
  const int32_t needed = 5;
  check(specpiBundleSet(w->bundle, "_ZTS8required", sizeof needed, &needed));
  run(w, "_ZTS10arithmetic", 1, &argument);
  for (size_t i = 0; i < COUNT; i++)
    assert_float_equal(w->to[i], 10 * w->from[i] + 4 + 5 - 3 + (float)(1 + i % 4) + 7, 0);
  const float weight = 2;
  const int32_t bias = -4;
  const unsigned char yes = 1;
  check(specpiBundleSetLeaf(w->bundle, "units____ZL7weights", 12, sizeof weight, &weight));
  check(specpiBundleSet(w->bundle, "bias", sizeof bias, &bias));
  check(specpiBundleSet(w->bundle, "units____ZL7doubled", sizeof yes, &yes));
  run(w, "_ZTS10arithmetic", 1, &argument);
  for (size_t i = 0; i < COUNT; i++)
    assert_float_equal(w->to[i], 2 * (8 * w->from[i] - 4 + 5 - 3 + (float)(1 + i % 4) + 7), 0);
}

TEST_WITH(a_kernel_has_local_memory, set_up, tear_down) {
  world *w = *state;
  int32_t *data = (int32_t *)w->to;
  for (int32_t i = 0; i < COUNT; i++)
    data[i] = i;
  const reversal object = {data, 64};
  const specpi_argument arguments[] = {SPECPI_ARGUMENT_OF(object), specpiArgumentLocal(64 + 16)};
  run(w, "_ZTS8reversal", 2, arguments);
  for (int32_t i = 0; i < COUNT; i++)
    assert_int_equal(data[i], 4 * (i / 4) + 3 - i % 4);
}

TEST_WITH(a_kernel_reads_constant_tables, set_up, tear_down) {
  world *w = *state;
  int32_t *data = (int32_t *)w->to;
  const specpi_argument argument = SPECPI_ARGUMENT_OF(data);
  const specpi_range range = {.dimensions = 1, .global = {4}};
  specpi_bundle executable;
  specpi_kernel kernel;
  check(specpiBundleBuild(w->bundle, NULL, &executable));
  check(specpiKernelCreate(executable, "_ZTS6tables", &kernel));
  check(specpiKernelLaunch(kernel, w->queue, &range, 1, &argument, 0, NULL, NULL));
  check(specpiQueueFinish(w->queue));
  for (int32_t i = 0; i < 4; i++) {
    assert_int_equal(data[i], (i % 2 ? 4 + 2 : 2 + 1) + 3 + 3 * i + 3 + 5 + 1 + i);
    assert_int_equal(data[4 + i], 1);
  }
  specpiKernelRelease(kernel);
  specpiBundleRelease(executable);
}

static float expected(float x) {
  return sinf(x) + tanf(x) + sqrtf(x) + powf(x, 2.5f) + fmodf(x, 0.75f) +
         fmaxf(hypotf(x, 1), floorf(x)) + expf(x) + log1pf(x) + (float)lroundf(x) + fabsf(x);
}

TEST_WITH(a_kernel_calls_mathematical_functions, set_up, tear_down) {
  world *w = *state;
  const struct {
    const float *from;
    float *to;
  } object = {w->from, w->to};
  const specpi_argument argument = SPECPI_ARGUMENT_OF(object);
  run(w, "_ZTS11mathematics", 1, &argument);
  for (size_t i = 0; i < COUNT; i++)
    assert_float_equal(w->to[i], expected(w->from[i]), 1e-4f * fabsf(expected(w->from[i])));
}

TEST_WITH(an_empty_object_is_a_kernel, set_up, tear_down) {
  const world *w = *state;
  const char nothing = 0;
  const specpi_argument argument = SPECPI_ARGUMENT_OF(nothing);
  run(w, "_ZTS5empty", 1, &argument);
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

TEST(the_image_has_all_kernels) {
  static const char *const expected_names[] = {"_ZTS10arithmetic", "_ZTS11mathematics",
                                               "_ZTS5empty", "_ZTS6tables", "_ZTS8reversal"};
  enum { KERNELS = sizeof expected_names / sizeof expected_names[0] };
  specpi_image image;
  const char *names[KERNELS];
  size_t count;
  check(specpiImagesGet(1, &image, &count));
  check(specpiImageGetKernels(image, KERNELS, names, &count));
  assert_int_equal(count, KERNELS);
  qsort(names, KERNELS, sizeof names[0], compare_names);
  for (size_t i = 0; i < KERNELS; i++)
    assert_string_equal(names[i], expected_names[i]);
}
