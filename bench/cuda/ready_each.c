/*
 * Measures the time to one kernel, kernel by kernel. The plugin builds it from SPIR-V with values
 * for its constants; NVRTC compiles the same source with the values typed in. No cache has a build:
 * in each round another number is in a word of the module's header that has no meaning.
 */
#include "bench.h"
#include "driver.h"
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 21, GENERATOR_AT = 8, OPTIONS = 5 };

/* A kernel as SPIR-V, and as source for NVRTC. */
typedef struct code {
  gpu_image module;
  gpu_image named; /* has the names of the constants */
  gpu_image source;
} code;

static gpu_image open_file(const cuda_bench *bench, const char *name, const char *suffix,
                           bool has_trailer) {
  char file[64];
  snprintf(file, sizeof file, "%s.%s", name, suffix);
  return has_trailer ? gpu_image_open(bench->images, file) : gpu_image_read(bench->images, file);
}

static bool is_clamped(const workload *work) {
  return strcmp(work->name, "clamped") == 0;
}

static double time_set(const cuda_bench *bench, const workload *work, code *code, unsigned round) {
  const bench_device *device = &bench->device;
  const pi_uint32 number = round;
  pi_kernel kernel;
  memcpy(code->module.text + GENERATOR_AT, &number, sizeof number);
  const double start = bench_now();
  const pi_program program = cuda_program(bench, &code->module);
  for (const value *value = work->values; value < work->values + VALUES && value->name; value++)
    cuda_set(bench, program, &code->named, value->name, value->bytes, value->size);
  BENCH_PI(device, piProgramBuild, program, 1, &device->device, "", NULL, NULL);
  BENCH_PI(device, piKernelCreate, program, "run", &kernel);
  const double time = (bench_now() - start) / 1e6;
  BENCH_PI(device, piKernelRelease, kernel);
  BENCH_PI(device, piProgramRelease, program);
  return time;
}

static double time_typed(const cuda_bench *bench, const workload *work, const code *code) {
  char architecture[32], include[4200];
  const char *options[OPTIONS] = {architecture, include, "--std=c++17", "-DTYPED", "-DCLAMP"};
  CUmodule module;
  CUfunction function;
  snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", driver_architecture());
  snprintf(include, sizeof include, "--include-path=%s", bench->images);
  const double start = bench_now();
  void *cubin = nvrtc_build(code->source.text, OPTIONS - !is_clamped(work), options);
  BARE(ModuleLoadData, &module, cubin);
  BARE(ModuleGetFunction, &function, module, "run");
  const double time = (bench_now() - start) / 1e6;
  BARE(ModuleUnload, module);
  free(cubin);
  return time;
}

static json_t *measure_kernel(const cuda_bench *bench, const workload *work) {
  bench_series *times = calloc(2, sizeof *times); /* set, typed in */
  if (!times)
    bench_die("no memory for times");
  code code = {.module = open_file(bench, work->name, "native.spv", false),
               .named = open_file(bench, work->name, "patch.ptx", true),
               .source = open_file(bench, is_clamped(work) ? "map" : work->name, "cl", false)};
  for (unsigned round = 0; round <= bench->rounds && round <= MOST_ROUNDS; round++) {
    const double set = time_set(bench, work, &code, round), typed = time_typed(bench, work, &code);
    if (round == 0) /* the warm-up */
      continue;
    bench_add(&times[0], set);
    bench_add(&times[1], typed);
  }
  const bench_summary set = bench_summarize(&times[0]), typed = bench_summarize(&times[1]);
  const bench_summary ratio = bench_ratio(&times[0], &times[1]);
  printf("  %-36s %9.2f %9.2f %9.3f   %.3f to %.3f\n", work->title, set.median, typed.median,
         ratio.median, ratio.low, ratio.high);
  gpu_image_close(&code.module);
  gpu_image_close(&code.named);
  gpu_image_close(&code.source);
  free(times);
  return json_pack("{s:s, s:o, s:o, s:o}", "kernel", work->name, "set", bench_summary_json(set),
                   "nvrtc", bench_summary_json(typed), "ratio", bench_summary_json(ratio));
}

json_t *bench_cuda_ready_each(const cuda_bench *bench) {
  json_t *rows = json_array();
  if (!nvrtc_open()) {
    printf("from new values to one kernel: there is no NVRTC to compare with\n\n");
    return rows;
  }
  printf("from new values to one kernel: milliseconds\n  %-36s %9s %9s %9s   %s\n", "", "set",
         "NVRTC", "ratio", "95% interval");
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
    json_array_append_new(rows, measure_kernel(bench, &workloads[i]));
  printf("\n");
  return rows;
}
