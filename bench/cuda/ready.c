/*
 * From new values to kernels that can be launched: three kernels in one module. The plugin sets the
 * constants of PTX that is there and builds it; NVRTC compiles the same kernels from source for
 * this GPU with the values as -D, and the driver loads that; and libspecpi gives kernels of values
 * that it has built before, from memory and from its folder.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "bench.h"
#include "driver.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNELS = 3, NUMBERS = 256, MOST_OPTIONS = 24, SETS = 4 };

static const char *const kernels[KERNELS] = {"product_run", "filter_run", "map_run"};

typedef struct filter_weights {
  float weights[9], factor;
} filter_weights;

typedef struct map_steps {
  bool square, bend, turn, limit;
  float a, b, c;
} map_steps;

/* X(member, type): every constant of ready.cl, by its name. */
#define CONSTANTS(X)                                                                               \
  X(block, int)                                                                                    \
  X(size, int)                                                                                     \
  X(filter, filter_weights)                                                                        \
  X(width, int)                                                                                    \
  X(map, map_steps)                                                                                \
  X(count, int)

typedef struct settings {
#define MEMBER(member, type) type member;
  CONSTANTS(MEMBER)
#undef MEMBER
} settings;

enum {
#define COUNTED(member, type) CONSTANT_##member,
  CONSTANTS(COUNTED)
#undef COUNTED
      CONSTANT_COUNT
};

/* Values that differ from round to round, so that nothing was built before. */
static settings make_settings(unsigned set) {
  const float step = (float)set / 1024;
  return (settings){.block = 16,
                    .size = 256 + 16 * (int)set,
                    .filter = {{1, 0, -1, 2, 0, -2, 1, 0, -1 - step}, 0.125f},
                    .width = 1024 + (int)set,
                    .map = {true, false, false, true, 0.75f, 0.125f + step, 1.5f},
                    .count = 64 + (int)(set % 64)};
}

typedef struct state {
  const cuda_bench *bench;
  int architecture;
  gpu_image image;
  pi_program program;
  char *source; /* of ready.cu; NULL without NVRTC */
  specpi_bundle bundle;
  char folder[32]; /* of the cache */
  float input[NUMBERS];
} state;

/* X(NAME, word, text): the ways to a kernel; word is what the chart calls it. */
#define READY_WAYS(X)                                                                              \
  X(PATCH, "patched PTX", "set in PTX that is there, built by the driver")                         \
  X(NVRTC, "NVRTC with -D", "compiled from source by NVRTC with -D, loaded")                       \
  X(FOLDER, "cache, folder", "from libspecpi's cache in a folder")                                 \
  X(MEMORY, "cache, memory", "from libspecpi's cache in memory")

typedef enum ready_way {
#define WAY(name, word, text) READY_##name,
  READY_WAYS(WAY)
#undef WAY
      READY_WAY_COUNT
} ready_way;

static const char *const way_texts[] = {
#define TEXT(name, word, text) text,
    READY_WAYS(TEXT)
#undef TEXT
};

static const char *const way_words[] = {
#define WORD(name, word, text) word,
    READY_WAYS(WORD)
#undef WORD
};

static void must(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    bench_die("%s: %s", specpiResultGetName(result), specpiGetLastError());
}

/* ---- The plugin ---- */

static void set_all(const state *on, const settings *with) {
#define SET(member, type)                                                                          \
  cuda_set(on->bench, on->program, &on->image, #member, &with->member, sizeof with->member);
  CONSTANTS(SET)
#undef SET
}

/* Milliseconds; the kernels are the caller's. */
static double time_patch(const state *on, const settings *with, pi_kernel made[KERNELS]) {
  const bench_device *device = &on->bench->device;
  const double start = bench_now();
  set_all(on, with);
  BENCH_PI(device, piProgramBuild, on->program, 1, &device->device, "", NULL, NULL);
  for (size_t i = 0; i < KERNELS; i++)
    BENCH_PI(device, piKernelCreate, on->program, kernels[i], &made[i]);
  return (bench_now() - start) / 1e6;
}

static void run_plugin(const state *on, pi_kernel kernel, float *results) {
  const bench_device *device = &on->bench->device;
  const pi_mem in = bench_buffer(device, sizeof on->input, on->input);
  const pi_mem out = bench_buffer(device, sizeof on->input, on->input);
  bench_set_buffer(device, kernel, 0, out);
  bench_set_buffer(device, kernel, 1, in);
  const size_t numbers = NUMBERS;
  BENCH_PI(device, piEnqueueKernelLaunch, device->queue, kernel, 1, NULL, &numbers, &numbers, 0,
           NULL, NULL);
  bench_read(device, out, sizeof on->input, results);
  BENCH_PI(device, piMemRelease, in);
  BENCH_PI(device, piMemRelease, out);
}

/* ---- NVRTC ---- */

static char *read_source(const cuda_bench *bench) {
  char path[4200];
  snprintf(path, sizeof path, "%s/ready.cu", bench->images);
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 16);
  if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0)
    bench_die("%s cannot be read", path);
  fclose(file);
  return text;
}

typedef struct options {
  int count;
  const char *all[MOST_OPTIONS];
  char texts[MOST_OPTIONS][160];
} options;

#define ADD_OPTION(to, ...)                                                                        \
  do {                                                                                             \
    snprintf((to)->texts[(to)->count], sizeof(to)->texts[0], __VA_ARGS__);                         \
    (to)->all[(to)->count] = (to)->texts[(to)->count];                                             \
    (to)->count++;                                                                                 \
  } while (0)

/* A float with all its bits, as C has it. */
#define EXACT "%af"

static void fill_options(const state *on, const settings *with, options *to) {
  to->count = 0;
  const float *w = with->filter.weights;
  ADD_OPTION(to, "--gpu-architecture=sm_%d", on->architecture);
  ADD_OPTION(to, "--std=c++17"); /* which has hexadecimal floats */
  ADD_OPTION(to, "-DBLOCK=%d", with->block);
  ADD_OPTION(to, "-DSIZE=%d", with->size);
  ADD_OPTION(to,
             "-DWEIGHTS=" EXACT "," EXACT "," EXACT "," EXACT "," EXACT "," EXACT "," EXACT
             "," EXACT "," EXACT,
             (double)w[0], (double)w[1], (double)w[2], (double)w[3], (double)w[4], (double)w[5],
             (double)w[6], (double)w[7], (double)w[8]);
  ADD_OPTION(to, "-DFACTOR=" EXACT, (double)with->filter.factor);
  ADD_OPTION(to, "-DWIDTH=%d", with->width);
  ADD_OPTION(to, "-DSQUARE=%d", with->map.square);
  ADD_OPTION(to, "-DBEND=%d", with->map.bend);
  ADD_OPTION(to, "-DTURN=%d", with->map.turn);
  ADD_OPTION(to, "-DLIMIT=%d", with->map.limit);
  ADD_OPTION(to, "-DA=" EXACT, (double)with->map.a);
  ADD_OPTION(to, "-DB=" EXACT, (double)with->map.b);
  ADD_OPTION(to, "-DC=" EXACT, (double)with->map.c);
  ADD_OPTION(to, "-DCOUNT=%d", with->count);
}

static double time_nvrtc(const state *on, const settings *with, CUmodule *module,
                         CUfunction made[KERNELS]) {
  static options options;
  const double start = bench_now();
  fill_options(on, with, &options);
  void *binary = nvrtc_build(on->source, options.count, options.all);
  BARE(ModuleLoadData, module, binary);
  for (size_t i = 0; i < KERNELS; i++)
    BARE(ModuleGetFunction, &made[i], *module, kernels[i]);
  const double time = (bench_now() - start) / 1e6;
  free(binary);
  return time;
}

static void run_driver(const state *on, CUfunction function, float *results) {
  CUdeviceptr in, out;
  BARE(MemAlloc, &in, sizeof on->input);
  BARE(MemAlloc, &out, sizeof on->input);
  BARE(MemcpyHtoD, in, on->input, sizeof on->input);
  void *arguments[] = {&out, &in};
  BARE(LaunchKernel, function, 1, 1, 1, NUMBERS, 1, 1, 0, NULL, arguments, NULL);
  BARE(MemcpyDtoH, results, out, sizeof on->input);
  BARE(MemFree, in);
  BARE(MemFree, out);
}

/* ---- libspecpi ---- */

static double time_cache(const state *on, const settings *with) {
  const specpi_value values[] = {
#define VALUE(member, type) {#member, sizeof with->member, &with->member},
      CONSTANTS(VALUE)
#undef VALUE
  };
  specpi_kernel made[KERNELS];
  const double start = bench_now();
  for (size_t i = 0; i < KERNELS; i++)
    must(specpiBundleGetKernel(on->bundle, kernels[i], NULL, CONSTANT_COUNT, values, &made[i]));
  const double time = (bench_now() - start) / 1e6;
  for (size_t i = 0; i < KERNELS; i++)
    specpiKernelRelease(made[i]);
  return time;
}

/* ---- All of them ---- */

static void open_state(const cuda_bench *bench, state *on) {
  *on = (state){.bench = bench, .architecture = driver_architecture()};
  on->image = gpu_image_open(bench->images, "ready.patch.ptx");
  on->program = cuda_program(bench, &on->image);
  if (nvrtc_open())
    on->source = read_source(bench);
  char library[4200];
  snprintf(library, sizeof library, "%s/ready.so", bench->images);
  if (!dlopen(library, RTLD_NOW | RTLD_NODELETE)) /* registers its images */
    bench_die("%s", dlerror());
  must(specpiBundleCreateForKernel(bench->device.specpi, "map_run", &on->bundle));
  memcpy(on->folder, "/tmp/specpi-bench-XXXXXX", sizeof "/tmp/specpi-bench-XXXXXX");
  if (!mkdtemp(on->folder))
    bench_die("no folder can be made in /tmp");
  must(specpiCacheSetFolder(on->folder));
  for (size_t i = 0; i < NUMBERS; i++)
    on->input[i] = (float)i / NUMBERS;
}

static void close_state(state *on) {
  must(specpiCacheClear());
  must(specpiCacheClearFolder());
  must(specpiCacheSetFolder(NULL));
  rmdir(on->folder);
  specpiBundleRelease(on->bundle);
  BENCH_PI(&on->bench->device, piProgramRelease, on->program);
  gpu_image_close(&on->image);
  free(on->source);
}

/* That the values have arrived: the map's numbers of both, which count in its 64 and more steps. */
static void compare_outputs(const float *plugin, const float *driver) {
  for (size_t i = 0; i < NUMBERS; i++)
    if (!(fabsf(plugin[i] - driver[i]) <= 1e-4f * fmaxf(1.0f, fabsf(driver[i]))))
      bench_die("the map's number %zu is %g, from NVRTC it is %g", i, (double)plugin[i],
                (double)driver[i]);
}

static void measure_builds(const state *on, unsigned round, bench_series times[READY_WAY_COUNT]) {
  const settings with = make_settings(round);
  pi_kernel kernel[KERNELS];
  CUfunction function[KERNELS];
  CUmodule module;
  float plugin[NUMBERS], driver[NUMBERS];
  const bool nvrtc_first = on->source && round % 2 != 0;
  double nvrtc_time = nvrtc_first ? time_nvrtc(on, &with, &module, function) : 0;
  const double patch_time = time_patch(on, &with, kernel);
  if (on->source && !nvrtc_first)
    nvrtc_time = time_nvrtc(on, &with, &module, function);
  run_plugin(on, kernel[KERNELS - 1], plugin);
  for (size_t i = 0; i < KERNELS; i++)
    BENCH_PI(&on->bench->device, piKernelRelease, kernel[i]);
  if (on->source) {
    run_driver(on, function[KERNELS - 1], driver);
    compare_outputs(plugin, driver);
    BARE(ModuleUnload, module);
  }
  if (round == 0) /* warms up */
    return;
  bench_add(&times[READY_PATCH], patch_time);
  if (on->source)
    bench_add(&times[READY_NVRTC], nvrtc_time);
}

static void measure_cache(const state *on, unsigned round, bench_series times[READY_WAY_COUNT]) {
  const settings with = make_settings(round % SETS);
  time_cache(on, &with); /* builds and writes, the first time */
  bench_add(&times[READY_MEMORY], time_cache(on, &with));
  must(specpiCacheClear());
  bench_add(&times[READY_FOLDER], time_cache(on, &with));
}

json_t *bench_cuda_ready(const cuda_bench *bench) {
  static state on;
  static bench_series times[READY_WAY_COUNT];
  open_state(bench, &on);
  for (unsigned round = 0; round <= bench->rounds; round++)
    measure_builds(&on, round, times);
  for (unsigned round = 0; round < bench->rounds; round++)
    measure_cache(&on, round, times);
  json_t *rows = json_array();
  printf("from new values to three kernels of one module: milliseconds\n  %-50s %9s %9s %9s %7s\n",
         "", "ms", "fastest", "slowest", "ratio");
  for (unsigned way = 0; way < READY_WAY_COUNT; way++) {
    if (times[way].count == 0) {
      printf("  %-50s there is no NVRTC\n", way_texts[way]);
      continue;
    }
    const bench_summary time = bench_summarize(&times[way]);
    const bench_summary base = bench_summarize(&times[READY_PATCH]);
    printf("  %-50s %9.3f %9.3f %9.3f %7.3f\n", way_texts[way], time.median, time.min, time.max,
           time.median / base.median);
    json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "name", way_words[way], "way",
                                          way_texts[way], "ms", bench_summary_json(time)));
  }
  printf("\n");
  close_state(&on);
  return rows;
}

json_t *bench_cuda_ready_chart(const cuda_bench *bench, const json_t *ready) {
  char title[256];
  snprintf(title, sizeof title, "From new values to three kernels, %s", bench->device.name);
  json_t *names = json_array(), *values = json_array();
  for (size_t i = 0; i < json_array_size(ready); i++) {
    const json_t *row = json_array_get(ready, i);
    json_array_append(names, json_object_get(row, "name"));
    json_array_append(values, json_object_get(json_object_get(row, "ms"), "median"));
  }
  return json_pack("{s:s, s:s, s:{s:s, s:b, s:f}, s:o, s:[{s:s, s:o}]}", "kind", "bars", "title",
                   title, "y", "label", "milliseconds (median)", "log", 1, "from", 0.0001,
                   "categories", names, "series", "name", "milliseconds", "values", values);
}
