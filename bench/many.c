/*
 * Measures programs with thousands of constants: does the time per constant stay the same? For each
 * count there is a module with as many constants. Each round creates a program from it, sets all
 * constants in another order than the module's, builds the program, and runs the kernel to check
 * the values.
 */
#include "support/chart.h"
#include "support/device.h"

#include "../test/support/embed.h"

#include <stdint.h>
#include <stdio.h>

static const char usage[] = "Usage: bench-many [--quick] [--json FILE] [--chart FILE]\n"
                            "Sets up to 16384 constants in one program. Exits with 1 when a value "
                            "does not arrive.\n";

/* X(count): numbers of constants. CMakeLists.txt makes a module for each. */
#define COUNTS(X) X(1024) X(2048) X(4096) X(8192) X(16384)

#define EMBED(count) SPECPI_EMBED(many_##count, "many_" #count ".spv")
COUNTS(EMBED)
#undef EMBED

/* Times in nanoseconds per constant. */
typedef struct trial {
  pi_uint32 count;
  const unsigned char *begin, *end;
  bench_series create, set, build, all;
} trial;

static uint32_t value_of(uint32_t id) {
  return (id + 1) * UINT32_C(2246822519);
}

static uint32_t expected(uint32_t count) {
  uint32_t number = 0;
  for (uint32_t id = 0; id < count; id++)
    number = number * 31 + value_of(id);
  return number;
}

static void set_all(const bench_device *device, pi_program program, pi_uint32 count) {
  /* count is a power of two, so an odd step visits every id once. */
  const pi_uint32 step = 611;
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_uint32 id = i * step % count;
    const uint32_t value = value_of(id);
    BENCH_PI(device, piextProgramSetSpecializationConstant, program, id, sizeof value, &value);
  }
}

static void check_program(const bench_device *device, pi_program program, pi_uint32 count) {
  const uint32_t number = bench_number(device, program, "many");
  if (number != expected(count))
    bench_die("of %u constants the kernel made %u, expected %u", count, number, expected(count));
}

static void measure_trial(const bench_device *device, trial *of) {
  const double start = bench_now();
  const pi_program program = bench_program(device, of->begin, of->end);
  const double created = bench_now();
  set_all(device, program, of->count);
  const double set = bench_now();
  BENCH_PI(device, piProgramBuild, program, 1, &device->device, "", NULL, NULL);
  const double built = bench_now();
  bench_add(&of->create, (created - start) / of->count);
  bench_add(&of->set, (set - created) / of->count);
  bench_add(&of->build, (built - set) / of->count);
  bench_add(&of->all, (built - created) / of->count);
  check_program(device, program, of->count);
  BENCH_PI(device, piProgramRelease, program);
}

static void print_times(bench_summary times, int digits, double smallest) {
  printf("   %8.*f %7.*f %7.*f %6.2f", digits, times.median, digits, times.min, digits, times.max,
         times.min / smallest);
}

static json_t *print_trial(const trial *of, const trial *first) {
  const bench_summary set = bench_summarize(&of->set), all = bench_summarize(&of->all);
  printf("  %9u", of->count);
  print_times(set, 1, bench_summarize(&first->set).min);
  print_times(all, 0, bench_summarize(&first->all).min);
  printf("\n");
  return json_pack("{s:i, s:o, s:o, s:o, s:o}", "constants", (int)of->count, "create",
                   bench_summary_json(bench_summarize(&of->create)), "set", bench_summary_json(set),
                   "build", bench_summary_json(bench_summarize(&of->build)), "set_and_build",
                   bench_summary_json(all));
}

/* Adds a point of the chart, in milliseconds of all constants; the table has times per constant. */
static void add_point(json_t *series, const trial *of, const bench_series *times) {
  const bench_summary summary = bench_summarize(times);
  const double scale = (double)of->count / 1e6;
  bench_chart_point(series, of->count, summary.median * scale, summary.min * scale,
                    summary.max * scale);
}

static void draw_chart(const trial *trials, size_t count, const bench_device *device,
                       const char *file) {
  json_t *set = bench_chart_series("set all"), *build = bench_chart_series("build");
  for (size_t i = 0; i < count; i++) {
    add_point(set, &trials[i], &trials[i].set);
    add_point(build, &trials[i], &trials[i].build);
  }
  char title[256];
  snprintf(title, sizeof title, "Setting constants and building, %s", device->name);
  json_t *chart = json_pack(
      "{s:s, s:s, s:{s:s, s:b, s:i, s:i}, s:{s:s, s:b}, s:[o, o]}", "kind", "lines", "title", title,
      "x", "label", "constants in the program", "log", 1, "from", 512, "to", 32768, "y", "label",
      "milliseconds (median, fastest, slowest)", "log", 1, "series", set, build);
  if (bench_chart_draw(chart, file))
    printf("  chart: %s\n", file);
  json_decref(chart);
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 3 : 21;
  bench_device device = bench_device_open();
  printf(
      "Many constants in one program: nanoseconds per constant, median of %u rounds. The ratio\n"
      "is that of the fastest round to the fastest one of the smallest program: 1 is linear.\n\n",
      rounds);
  bench_device_print(&device);

#define TRIAL(constants) {.count = constants, many_##constants##_begin, many_##constants##_end},
  static trial trials[] = {COUNTS(TRIAL)};
#undef TRIAL
  const size_t count = sizeof trials / sizeof trials[0];
  for (unsigned round = 0; round < rounds; round++)
    for (size_t i = 0; i < count; i++)
      measure_trial(&device, &trials[i]);

  json_t *rows = json_array();
  printf("  %9s   %8s %7s %7s %6s   %8s %7s %7s %6s\n", "constants", "set", "min", "max", "ratio",
         "and build", "min", "max", "ratio");
  for (size_t i = 0; i < count; i++)
    json_array_append_new(rows, print_trial(&trials[i], &trials[0]));
  printf("\n  Every value has arrived in the kernel.\n");
  if (options.chart)
    draw_chart(trials, count, &device, options.chart);
  bench_write_json(options.json,
                   json_pack("{s:s, s:s, s:o, s:i, s:o}", "bench", "many", "unit",
                             "nanoseconds per constant", "device", bench_device_json(&device),
                             "rounds", (int)rounds, "programs", rows));
  bench_device_close(&device);
  return 0;
}
