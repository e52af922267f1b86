/*
 * Measures the compiler pass: does the time per constant stay the same? For each count it lowers a
 * module with as many constants, each used once, in every mode.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "support/chart.h"
#include "support/report.h"

#include <specpi/compiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "Usage: bench-pass [--quick] [--json FILE] [--chart FILE]\n"
                            "Lowers modules with 10 to 10000 constants in every mode. Exits with 1 "
                            "when a constant is lost.\n";

static const unsigned counts[] = {10, 30, 100, 300, 1000, 3000, 10000};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* One module in one mode; times in nanoseconds per constant. */
typedef struct trial {
  bench_series times[SPECPI_COMPILER_MODE_COUNT];
  specpi_compiler compiler;
  specpi_compiler_module module;
} trial;

static void must(specpi_compiler_result result) {
  if (result != SPECPI_COMPILER_SUCCESS)
    bench_die("%s", specpiCompilerGetLastError());
}

/* Writes a module. Every fourth constant is a structure, the others are integers; each function
 * uses ten constants. */
static void write_module(FILE *to, unsigned count) {
  fprintf(to, "%%pair = type { float, i8 }\n%%id.i32 = type { i32 }\n%%id.pair = type { %%pair }\n"
              "declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1), "
              "ptr addrspace(1), ptr addrspace(1))\n"
              "declare %%pair @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_("
              "ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))\n");
  for (unsigned i = 0; i < count; i++) {
    fprintf(to,
            "@n%u = private unnamed_addr addrspace(1) constant [16 x i8] c\"constant%07u\\00\"\n",
            i, i);
    if (i % 4 == 3)
      fprintf(to,
              "@d%u = internal addrspace(1) constant %%id.pair { %%pair { float %u.0, i8 1 } }\n",
              i, i);
    else
      fprintf(to, "@d%u = internal addrspace(1) constant %%id.i32 { i32 %u }\n", i, i);
  }
  for (unsigned i = 0; i < count; i++) {
    if (i % 10 == 0)
      fprintf(to, "define void @f%u(ptr addrspace(1) %%out, ptr addrspace(1) %%buffer) {\n",
              i / 10);
    const bool pair = i % 4 == 3;
    fprintf(to,
            "  %%v%u = call %s @_Z%sSpecConstantValueI%sET_(ptr addrspace(1) @n%u, ptr "
            "addrspace(1) @d%u, ptr addrspace(1) %%buffer)\n  store %s %%v%u, ptr addrspace(1) "
            "%%out\n",
            i, pair ? "%pair" : "i32",
            pair ? "40__sycl_getComposite2020" : "37__sycl_getScalar2020", pair ? "4pair" : "i", i,
            i, pair ? "%pair" : "i32", i);
    if (i % 10 == 9 || i + 1 == count)
      fprintf(to, "  ret void\n}\n");
  }
}

static void open_trial(trial *made, unsigned count) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    bench_die("no memory for a module of %u constants", count);
  write_module(to, count);
  if (fclose(to) != 0)
    bench_die("no memory for a module of %u constants", count);
  must(specpiCompilerCreate(&made->compiler));
  must(specpiCompilerModuleRead(made->compiler, "bench", text, size, &made->module));
  free(text);
}

static void close_trial(trial *of) {
  specpiCompilerModuleRelease(of->module);
  specpiCompilerRelease(of->compiler);
}

/* Checks that the output has all constants, and the last integer's default; in mode default none.
 */
static void check_output(specpi_compiler_output output, specpi_compiler_mode mode, unsigned count) {
  const size_t found = specpiCompilerOutputGetConstantCount(output);
  if (found != (mode == SPECPI_COMPILER_MODE_DEFAULT ? 0 : count))
    bench_die("mode %s: of %u constants %zu are there", specpiCompilerModeGetName(mode), count,
              found);
  if (found == 0)
    return;
  const unsigned last = count - 1 - (count % 4 == 0);
  const specpi_compiler_constant *constant = specpiCompilerOutputGetConstant(output, last);
  unsigned value = 0;
  if (constant->size == sizeof value)
    memcpy(&value, constant->default_data, sizeof value);
  if (value != last)
    bench_die("mode %s: constant %u has the default %u", specpiCompilerModeGetName(mode), last,
              value);
}

static void measure_mode(trial *of, specpi_compiler_mode mode, unsigned count) {
  const specpi_compiler_options options = {
      .mode = mode, .target = mode == SPECPI_COMPILER_MODE_PATCH ? "nvptx64" : "spir64"};
  specpi_compiler_output output;
  /* Lowers small modules several times, so that the clock's own time is negligible. */
  const unsigned times = count < 1000 ? 1000 / count : 1;
  double total = 0;
  for (unsigned i = 0; i < times; i++) {
    const double start = bench_thread_time();
    must(specpiCompilerLower(of->module, &options, &output));
    total += bench_thread_time() - start;
    check_output(output, mode, count);
    specpiCompilerOutputRelease(output);
  }
  bench_add(&of->times[mode], total / times / count);
}

static json_t *print_trials(trial *trials, json_t *chart) {
  json_t *modes = json_array();
  for (unsigned m = 0; m < SPECPI_COMPILER_MODE_COUNT; m++) {
    const char *name = specpiCompilerModeGetName((specpi_compiler_mode)m);
    json_t *rows = json_array();
    json_t *line = bench_chart_series(name);
    double smallest = 0;
    for (unsigned i = 0; i < COUNTS; i++) {
      const bench_summary time = bench_summarize(&trials[i].times[m]);
      smallest = counts[i] == 100 ? time.min : smallest;
      printf("  %-8s %9u   %8.0f %8.0f %8.0f", i ? "" : name, counts[i], time.median, time.min,
             time.max);
      if (smallest > 0)
        printf(" %8.2f", time.min / smallest);
      printf("\n");
      json_array_append_new(rows, json_pack("{s:i, s:o}", "constants", (int)counts[i],
                                            "nanoseconds_per_constant", bench_summary_json(time)));
      bench_chart_point(line, counts[i], time.median / 1000.0, time.min / 1000.0,
                        time.max / 1000.0);
    }
    printf("\n");
    json_array_append_new(modes, json_pack("{s:s, s:o}", "mode", name, "counts", rows));
    json_array_append_new(json_object_get(chart, "series"), line);
  }
  return modes;
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 2 : 15;
  printf("The pass over modules with more and more constants: nanoseconds of processor time "
         "per\nconstant, median of "
         "%u rounds, and the fastest round's ratio to that of 100 constants.\n\n"
         "  %-8s %9s   %8s %8s %8s %8s\n",
         rounds, "mode", "constants", "median", "fastest", "slowest", "ratio");
  static trial trials[COUNTS];
  for (unsigned i = 0; i < COUNTS; i++)
    open_trial(&trials[i], counts[i]);
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < COUNTS; i++)
      for (unsigned m = 0; m < SPECPI_COMPILER_MODE_COUNT; m++)
        measure_mode(&trials[i], (specpi_compiler_mode)((round + m) % SPECPI_COMPILER_MODE_COUNT),
                     counts[i]);
  for (unsigned i = 0; i < COUNTS; i++)
    close_trial(&trials[i]);
  json_t *chart =
      json_pack("{s:s, s:s, s:{s:s, s:b, s:i, s:i}, s:{s:s}, s:[]}", "kind", "lines", "title",
                "Time of the pass by the size of the module", "x", "label",
                "constants in the module", "log", 1, "from", 5, "to", 20000, "y", "label",
                "processor time in µs per constant (median, fastest, slowest)", "series");
  json_t *modes = print_trials(trials, chart);
  if (options.chart && bench_chart_draw(chart, options.chart))
    printf("  chart: %s\n", options.chart);
  json_decref(chart);
  bench_write_json(options.json, json_pack("{s:s, s:i, s:o}", "bench", "pass", "rounds",
                                           (int)rounds, "modes", modes));
  return 0;
}
