/*
 * Kernels from the program cache: the time of specpiBundleGetKernel for values that were built
 * before, with 1 to 64 constants, in one thread and in two at once. For comparison it measures a
 * build, and a read from the cache's directory.
 */
#define _GNU_SOURCE /* mkdtemp, pthread_barrier_t */
#include "cache_image.h"
#include "support/chart.h"
#include "support/device.h"

#include "../test/support/embed.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "Usage: bench-cache [--quick] [--json FILE] [--chart FILE]\n"
    "Gets kernels with 1 to 64 constants from the program cache. Exits with 1 when a value does\n"
    "not arrive.\n";

/* X(count): numbers of constants. CMakeLists.txt makes a module for each. */
#define COUNTS(X) X(1) X(4) X(16) X(64)

#define EMBED(count) SPECPI_EMBED(cache_##count, "cache_" #count ".spv")
COUNTS(EMBED)
#undef EMBED

enum { MOST = 64, SETS = 8, CALLS = 2000, THREADS = 2 };

/* Times in microseconds. */
typedef struct trial {
  unsigned count;
  const unsigned char *begin, *end;
  specpi_bundle input;
  bench_series hit[THREADS]; /* hit[n - 1]: with n threads */
  bench_series build, read;
} trial;

static void must(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    bench_die("%s: %s", specpiResultGetName(result), specpiGetLastError());
}

static uint32_t value_of(uint32_t set, uint32_t id) {
  return (set * 977 + id + 1) * UINT32_C(2246822519);
}

/* The values of one set of constants. */
typedef struct request {
  uint32_t numbers[MOST];
  specpi_value values[MOST];
} request;

static void fill_request(request *request, unsigned count, uint32_t set) {
  for (unsigned i = 0; i < count; i++) {
    request->numbers[i] = value_of(set, i);
    request->values[i] =
        (specpi_value){cache_image_constant(i), sizeof request->numbers[i], &request->numbers[i]};
  }
}

static specpi_kernel get_programs(const trial *of, const request *request) {
  specpi_kernel kernel;
  must(specpiBundleGetKernel(of->input, "many", NULL, of->count, request->values, &kernel));
  return kernel;
}

/* Launches the kernel with a set of values, and checks the number that it computes from them. */
static void check_results(specpi_queue queue, const trial *of, uint32_t set) {
  request request;
  fill_request(&request, of->count, set);
  specpi_kernel kernel = get_programs(of, &request);
  const uint32_t number = cache_image_run(queue, kernel);
  uint32_t expected = 0;
  for (unsigned i = 0; i < of->count; i++)
    expected = expected * 31 + request.numbers[i];
  if (number != expected)
    bench_die("of %u constants the kernel made %u, expected %u", of->count, number, expected);
  specpiKernelRelease(kernel);
}

/* ---- Hits ---- */

typedef struct worker {
  const trial *of;
  pthread_barrier_t *start;
  const request *requests;
  double time; /* microseconds per call */
} worker;

static void *get_many(void *argument) {
  worker *self = argument;
  pthread_barrier_wait(self->start);
  const double start = bench_now();
  for (unsigned i = 0; i < CALLS; i++)
    specpiKernelRelease(get_programs(self->of, &self->requests[i % SETS]));
  self->time = (bench_now() - start) / CALLS / 1e3;
  return NULL;
}

/*
 * Returns the microseconds of a hit, as the mean over threads that run at once. Each gets the
 * kernels of all sets in turns.
 */
static double measure_hits(const trial *of, unsigned threads) {
  static request requests[SETS];
  for (uint32_t set = 0; set < SETS; set++)
    fill_request(&requests[set], of->count, set);
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, threads);
  worker workers[THREADS];
  pthread_t others[THREADS];
  for (unsigned i = 0; i < threads; i++)
    workers[i] = (worker){of, &start, requests, 0};
  for (unsigned i = 1; i < threads; i++)
    if (pthread_create(&others[i], NULL, get_many, &workers[i]) != 0)
      bench_die("no thread can be made");
  get_many(&workers[0]);
  double sum = workers[0].time;
  for (unsigned i = 1; i < threads; i++) {
    pthread_join(others[i], NULL);
    sum += workers[i].time;
  }
  pthread_barrier_destroy(&start);
  return sum / threads;
}

/* ---- Builds and reads ---- */

/* Returns the microseconds of one call whose program is not in memory. */
static double measure_get(const trial *of, uint32_t set) {
  request request;
  fill_request(&request, of->count, set);
  const double start = bench_now();
  specpi_kernel kernel = get_programs(of, &request);
  const double time = (bench_now() - start) / 1e3;
  specpiKernelRelease(kernel);
  return time;
}

static uint64_t counted(size_t offset) {
  specpi_cache_statistics all;
  must(specpiCacheGetStatistics(&all));
  return *(const uint64_t *)(const void *)((const char *)&all + offset);
}
#define COUNTED(name) counted(offsetof(specpi_cache_statistics, name))

/* Measures a build without a cache directory, and a read from one. */
static void measure_misses(trial *of, const char *directory, unsigned round) {
  const uint32_t set = 1000 + round;
  must(specpiCacheSetDirectory(NULL));
  must(specpiCacheClear());
  uint64_t before = COUNTED(builds);
  bench_add(&of->build, measure_get(of, set));
  if (COUNTED(builds) != before + 1)
    bench_die("what was to be a build was none");
  must(specpiCacheSetDirectory(directory));
  must(specpiCacheClear());
  measure_get(of, set); /* builds, and writes into the directory */
  must(specpiCacheClear());
  before = COUNTED(disk_hits);
  bench_add(&of->read, measure_get(of, set));
  if (COUNTED(disk_hits) != before + 1)
    bench_die("what was to be read from the directory was not");
  must(specpiCacheSetDirectory(NULL));
}

static void measure_trial(trial *of, specpi_queue queue, const char *directory, unsigned round) {
  measure_misses(of, directory, round);
  for (uint32_t set = 0; set < SETS; set++)
    check_results(queue, of, set); /* also puts the program into the cache */
  const uint64_t before = COUNTED(misses);
  for (unsigned turn = 0; turn < THREADS; turn++) {
    const unsigned threads = (round + turn) % THREADS + 1;
    bench_add(&of->hit[threads - 1], measure_hits(of, threads));
  }
  if (COUNTED(misses) != before)
    bench_die("what was to be in the cache was not");
}

static json_t *print_trial(const trial *of, const trial *first) {
  const bench_summary one = bench_summarize(&of->hit[0]), two = bench_summarize(&of->hit[1]);
  const bench_summary build = bench_summarize(&of->build), read = bench_summarize(&of->read);
  const bench_summary saved = bench_ratio(&of->build, &of->hit[0]);
  const bench_summary less = bench_ratio(&of->build, &of->read);
  printf("  %9u   %7.2f %7.2f %7.2f %6.2f   %7.2f %7.2f   %9.0f %8.0f   %9.0f %7.1f\n", of->count,
         one.median, one.min, one.max, one.median / bench_summarize(&first->hit[0]).median,
         two.median, two.min, build.median, read.median, saved.median, less.median);
  return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "constants", (int)of->count, "hit",
                   bench_summary_json(one), "hit_two_threads", bench_summary_json(two), "build",
                   bench_summary_json(build), "read", bench_summary_json(read), "build_to_hit",
                   bench_summary_json(saved), "build_to_read", bench_summary_json(less));
}

static void add_point(json_t *series, const trial *of, const bench_series *times) {
  const bench_summary summary = bench_summarize(times);
  bench_chart_point(series, of->count, summary.median, summary.min, summary.max);
}

static void draw_chart(const trial *trials, size_t count, const bench_device *device,
                       const char *file) {
  json_t *one = bench_chart_series("in memory, one thread");
  json_t *two = bench_chart_series("in memory, two threads at once");
  json_t *read = bench_chart_series("read from the directory");
  json_t *build = bench_chart_series("built");
  for (size_t i = 0; i < count; i++) {
    add_point(one, &trials[i], &trials[i].hit[0]);
    add_point(two, &trials[i], &trials[i].hit[1]);
    add_point(read, &trials[i], &trials[i].read);
    add_point(build, &trials[i], &trials[i].build);
  }
  char title[256];
  snprintf(title, sizeof title, "Getting a kernel with given constants, %s", device->name);
  json_t *chart = json_pack(
      "{s:s, s:s, s:{s:s, s:b, s:f, s:i}, s:{s:s, s:b}, s:[o, o, o, o]}", "kind", "lines", "title",
      title, "x", "label", "constants", "log", 1, "from", 0.5, "to", 128, "y", "label",
      "microseconds (median, fastest, slowest)", "log", 1, "series", one, two, read, build);
  if (bench_chart_draw(chart, file))
    printf("  chart: %s\n", file);
  json_decref(chart);
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 2 : 21;
  bench_device device = bench_device_open();
  printf(
      "A kernel with these values from the program cache: microseconds of a call, median of %u\n"
      "rounds; with two threads, those of one call while both call. The goal is less than 5.\n\n",
      rounds);
  bench_device_print(&device);
  char directory[] = "/tmp/specpi-bench-XXXXXX";
  if (!mkdtemp(directory))
    bench_die("no directory can be made in /tmp");
  specpi_queue queue;
  must(specpiQueueCreate(device.specpi, 0, &queue));

#define TRIAL(constants) {.count = constants, cache_##constants##_begin, cache_##constants##_end},
  static trial trials[] = {COUNTS(TRIAL)};
#undef TRIAL
  const size_t count = sizeof trials / sizeof trials[0];
  for (size_t i = 0; i < count; i++)
    trials[i].input =
        cache_image_bundle(device.specpi, trials[i].begin, trials[i].end, trials[i].count);
  for (unsigned round = 0; round < rounds; round++)
    for (size_t i = 0; i < count; i++)
      measure_trial(&trials[i], queue, directory, round);

  json_t *rows = json_array();
  printf("  %9s   %7s %7s %7s %6s   %7s %7s   %9s %8s   %9s %7s\n", "constants", "hit", "min",
         "max", "ratio", "2 thr.", "min", "build", "disk", "build/hit", "/disk");
  for (size_t i = 0; i < count; i++)
    json_array_append_new(rows, print_trial(&trials[i], &trials[0]));
  printf("\n  Every value has arrived in the kernel.\n");
  bench_write_json(options.json, json_pack("{s:s, s:s, s:o, s:i, s:o}", "bench", "cache", "unit",
                                           "microseconds", "device", bench_device_json(&device),
                                           "rounds", (int)rounds, "programs", rows));
  if (options.chart)
    draw_chart(trials, count, &device, options.chart);
  for (size_t i = 0; i < count; i++)
    specpiBundleRelease(trials[i].input);
  specpiQueueRelease(queue);
  must(specpiCacheSetDirectory(directory));
  must(specpiCacheClearDirectory());
  must(specpiCacheSetDirectory(NULL));
  rmdir(directory);
  bench_device_close(&device);
  return 0;
}
