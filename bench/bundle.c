/*
 * Sets constants and builds, through libspecpi's bundles and through PI itself: how much time do
 * bundles add, and how much does the cache save? For each count of constants there are three ways
 * to a program: with PI (create, set by id, build); with a bundle (set by name, build) and values
 * that were never built; and with a bundle and values that are in the cache.
 */
#include "cache_image.h"
#include "support/chart.h"
#include "support/device.h"

#include "../test/support/embed.h"

#include <stdint.h>
#include <stdio.h>

static const char usage[] =
    "Usage: bench-bundle [--quick] [--json FILE] [--chart FILE]\n"
    "Sets 1 to 1024 constants and builds, through bundles and through PI. Exits with 1 when a\n"
    "value does not arrive.\n";

/* X(count): numbers of constants. CMakeLists.txt makes a module for each. */
#define COUNTS(X) X(1) X(16) X(256) X(1024)

#define EMBED(count) SPECPI_EMBED(bundle_##count, "bundle_" #count ".spv")
COUNTS(EMBED)
#undef EMBED

/* X(NAME, text): the ways to a program. */
#define WAYS(X) X(PI, "PI") X(BUNDLE, "bundle, built") X(CACHED, "bundle, from the cache")

typedef enum way {
#define WAY(NAME, text) WAY_##NAME,
  WAYS(WAY)
#undef WAY
      WAY_COUNT
} way;

static const char *const way_names[] = {
#define WAY(NAME, text) text,
    WAYS(WAY)
#undef WAY
};

/* Times in microseconds. */
typedef struct trial {
  unsigned count;
  const unsigned char *begin, *end;
  specpi_bundle input;
  bench_series set[WAY_COUNT]; /* for PI with the program's creation, which bundles do in build */
  bench_series all[WAY_COUNT];
} trial;

static void must(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    bench_die("%s: %s", specpiResultGetName(result), specpiGetLastError());
}

static uint32_t value_of(uint32_t set, uint32_t id) {
  return (set * 977 + id + 1) * UINT32_C(2246822519);
}

static void check_values(const trial *of, way by, uint32_t set, uint32_t number) {
  uint32_t expected = 0;
  for (uint32_t id = 0; id < of->count; id++)
    expected = expected * 31 + value_of(set, id);
  if (number != expected)
    bench_die("%s: of %u constants the kernel made %u, expected %u", way_names[by], of->count,
              number, expected);
}

static void add_round(trial *of, way by, double start, double set, double end) {
  bench_add(&of->set[by], (set - start) / 1e3);
  bench_add(&of->all[by], (end - start) / 1e3);
}

static void measure_pi(trial *of, const bench_device *device, uint32_t set) {
  const double start = bench_now();
  const pi_program program = bench_program(device, of->begin, of->end);
  for (uint32_t id = 0; id < of->count; id++) {
    const uint32_t value = value_of(set, id);
    BENCH_PI(device, piextProgramSetSpecializationConstant, program, id, sizeof value, &value);
  }
  const double done = bench_now();
  BENCH_PI(device, piProgramBuild, program, 1, &device->device, "", NULL, NULL);
  add_round(of, WAY_PI, start, done, bench_now());
  check_values(of, WAY_PI, set, bench_number(device, program, "many"));
  BENCH_PI(device, piProgramRelease, program);
}

static specpi_cache_statistics statistics(void) {
  specpi_cache_statistics all;
  must(specpiCacheGetStatistics(&all));
  return all;
}

/* Sets a bundle's constants and builds it. The cache's statistics must show a build or none. */
static void measure_bundle(trial *of, way by, specpi_queue queue, uint32_t set) {
  const specpi_cache_statistics before = statistics();
  specpi_bundle made;
  const double start = bench_now();
  for (uint32_t id = 0; id < of->count; id++) {
    const uint32_t value = value_of(set, id);
    must(specpiBundleSet(of->input, cache_image_constant(id), sizeof value, &value));
  }
  const double done = bench_now();
  must(specpiBundleBuild(of->input, NULL, &made));
  add_round(of, by, start, done, bench_now());
  if (statistics().builds - before.builds != (by == WAY_BUNDLE ? 1 : 0))
    bench_die("%s: %u constants: that is not how the program came", way_names[by], of->count);
  specpi_kernel kernel;
  must(specpiKernelCreate(made, "many", &kernel));
  check_values(of, by, set, cache_image_run(queue, kernel));
  specpiKernelRelease(kernel);
  specpiBundleRelease(made);
}

/* Measures all ways, alternating between PI first and PI last. The cached way reuses its values. */
static void measure_trial(trial *of, const bench_device *device, specpi_queue queue,
                          unsigned round) {
  if (round % 2 == 0)
    measure_pi(of, device, 2 * round);
  must(specpiCacheClear());
  measure_bundle(of, WAY_BUNDLE, queue, 2 * round + 1);
  /* Resets all constants, so that setting the same values again changes something. */
  for (uint32_t id = 0; id < of->count; id++)
    must(specpiBundleReset(of->input, cache_image_constant(id)));
  measure_bundle(of, WAY_CACHED, queue, 2 * round + 1);
  if (round % 2 != 0)
    measure_pi(of, device, 2 * round);
}

static json_t *print_trial(const trial *of) {
  json_t *ways = json_array();
  for (way by = 0; by < WAY_COUNT; by++) {
    const bench_summary set = bench_summarize(&of->set[by]), all = bench_summarize(&of->all[by]);
    const bench_summary ratio = bench_ratio(&of->all[by], &of->all[WAY_PI]);
    if (by == WAY_PI)
      printf("  %9u", of->count);
    else
      printf("  %9s", "");
    printf("   %-22s   %8.1f %8.1f   %8.0f %8.0f %8.0f   %7.4f %9.4f\n", way_names[by], set.median,
           set.min, all.median, all.min, all.max, ratio.median,
           all.min / bench_summarize(&of->all[WAY_PI]).min);
    json_array_append_new(ways,
                          json_pack("{s:s, s:o, s:o, s:o}", "way", way_names[by], "set",
                                    bench_summary_json(set), "set_and_build",
                                    bench_summary_json(all), "to_pi", bench_summary_json(ratio)));
  }
  return json_pack("{s:i, s:o}", "constants", (int)of->count, "ways", ways);
}

static void draw_chart(const trial *trials, size_t count, const bench_device *device,
                       const char *file) {
  char title[256];
  snprintf(title, sizeof title, "Setting all constants and building, %s", device->name);
  json_t *series = json_array();
  for (way by = 0; by < WAY_COUNT; by++) {
    json_t *line = bench_chart_series(way_names[by]);
    for (size_t i = 0; i < count; i++) {
      const bench_summary summary = bench_summarize(&trials[i].all[by]);
      bench_chart_point(line, trials[i].count, summary.median, summary.min, summary.max);
    }
    json_array_append_new(series, line);
  }
  json_t *chart =
      json_pack("{s:s, s:s, s:{s:s, s:b, s:f, s:i}, s:{s:s, s:b}, s:o}", "kind", "lines", "title",
                title, "x", "label", "constants", "log", 1, "from", 0.5, "to", 2048, "y", "label",
                "microseconds (median, fastest, slowest)", "log", 1, "series", series);
  if (bench_chart_draw(chart, file))
    printf("  chart: %s\n", file);
  json_decref(chart);
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 2 : 21;
  bench_device device = bench_device_open();
  printf("Setting all constants and building, by bundles and by PI: microseconds, median of %u\n"
         "rounds. The ratio is to PI in the same round.\n\n",
         rounds);
  bench_device_print(&device);
  specpi_queue queue;
  must(specpiQueueCreate(device.specpi, 0, &queue));

#define TRIAL(constants) {.count = constants, bundle_##constants##_begin, bundle_##constants##_end},
  static trial trials[] = {COUNTS(TRIAL)};
#undef TRIAL
  const size_t count = sizeof trials / sizeof trials[0];
  for (size_t i = 0; i < count; i++)
    trials[i].input =
        cache_image_bundle(device.specpi, trials[i].begin, trials[i].end, trials[i].count);
  for (unsigned round = 0; round < rounds; round++)
    for (size_t i = 0; i < count; i++)
      measure_trial(&trials[i], &device, queue, round);

  json_t *rows = json_array();
  printf("  %9s   %-22s   %8s %8s   %8s %8s %8s   %7s %9s\n", "constants", "", "set", "min",
         "and build", "min", "max", "ratio", "of minima");
  for (size_t i = 0; i < count; i++)
    json_array_append_new(rows, print_trial(&trials[i]));
  printf("\n  Every value has arrived in the kernel.\n");
  if (options.chart)
    draw_chart(trials, count, &device, options.chart);
  bench_write_json(options.json, json_pack("{s:s, s:s, s:o, s:i, s:o}", "bench", "bundle", "unit",
                                           "microseconds", "device", bench_device_json(&device),
                                           "rounds", (int)rounds, "programs", rows));
  for (size_t i = 0; i < count; i++)
    specpiBundleRelease(trials[i].input);
  specpiQueueRelease(queue);
  bench_device_close(&device);
  return 0;
}
