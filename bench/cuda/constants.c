/*
 * Measures kernels in five variants. KERNEL.nvcc.cubin is compiled by nvcc and KERNEL.typed.ptx by
 * specpi-cc, both with the values in the source. KERNEL.native.spv has SPIR-V constants, and
 * specpi-codegen compiles it with the values. The plugin writes the values into the text of
 * KERNEL.patch.ptx, and passes them to KERNEL.emulate.ptx in a buffer. The variants take turns, and
 * a different one comes first in each round. The baseline is nvcc's variant, or without it the
 * typed one. Without a code generator there is no native variant.
 */
#include "bench.h"
#include "workloads.h"

#include "../../test/gpu/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NVCC, TYPED, NATIVE, PATCH, VARIANTS = 5 };

static const struct {
  const char *name, *suffix, *text;
} variants[VARIANTS] = {{"nvcc", "cubin", "typed in, nvcc -O3"},
                        {"typed", "ptx", "typed in, specpi-cc"},
                        {"native", "spv", "set, SPIR-V"},
                        {"patch", "ptx", "patched into the PTX"},
                        {"emulate", "ptx", "read from a buffer"}};

typedef struct variant {
  pi_kernel kernel;
  float *results;
  bench_series times; /* milliseconds per launch */
} variant;

/* The buffers of a workload, and a queue with profiling. */
typedef struct data {
  pi_queue queue;
  pi_mem result;
  pi_mem inputs[2];
} data;

static gpu_image open_image(const cuda_bench *bench, const workload *work, size_t index,
                            bool has_trailer) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s.%s", work->name, variants[index].name, variants[index].suffix);
  return has_trailer ? gpu_image_open(bench->images, name) : gpu_image_read(bench->images, name);
}

/* Returns whether a variant can run. Only nvcc's and the native one may be missing. */
static bool has_variant(const cuda_bench *bench, const workload *work, size_t index) {
  char path[512];
  pi_program program;
  snprintf(path, sizeof path, "%s/%s.%s.%s", bench->images, work->name, variants[index].name,
           variants[index].suffix);
  if (index == NVCC)
    return access(path, R_OK) == 0;
  if (index != NATIVE)
    return true;
  gpu_image image = open_image(bench, work, index, false);
  const bool is_taken = bench->device.pi->piProgramCreate(bench->device.context, image.text,
                                                          image.size, &program) == PI_SUCCESS;
  if (is_taken)
    BENCH_PI(&bench->device, piProgramRelease, program);
  gpu_image_close(&image);
  return is_taken;
}

static pi_kernel open_variant(const cuda_bench *bench, const workload *work, size_t index,
                              const data *on) {
  gpu_image image = open_image(bench, work, index, index != NVCC && index != NATIVE);
  const pi_program program = cuda_program(bench, &image);
  /* The native variant has the same ids as PTX; the patch image has their names. */
  gpu_image named = open_image(bench, work, index == NATIVE ? PATCH : index, index != NVCC);
  if (named.info && named.info->constant_count)
    for (const value *value = work->values; value < work->values + VALUES && value->name; value++)
      cuda_set(bench, program, &named, value->name, value->bytes, value->size);
  gpu_image_close(&named);
  const pi_kernel kernel = bench_kernel(&bench->device, program, "run");
  gpu_image_close(&image);
  pi_uint32 argument = 0;
  bench_set_buffer(&bench->device, kernel, argument++, on->result);
  for (unsigned i = 0; i < work->inputs; i++)
    bench_set_buffer(&bench->device, kernel, argument++, on->inputs[i]);
  return kernel;
}

static void launch_variant(const cuda_bench *bench, const workload *work, const data *on,
                           pi_kernel kernel, pi_event *event) {
  BENCH_PI(&bench->device, piEnqueueKernelLaunch, on->queue, kernel, 2, NULL, work->global,
           work->local, 0, NULL, event);
}

static pi_uint64 event_time(const cuda_bench *bench, pi_event event, pi_profiling_info what) {
  pi_uint64 time;
  BENCH_PI(&bench->device, piEventGetProfilingInfo, event, what, sizeof time, &time, NULL);
  return time;
}

/* Returns milliseconds per launch, from the start of the first to the end of the last. */
static double time_launches(const cuda_bench *bench, const workload *work, const data *on,
                            pi_kernel kernel) {
  pi_event first, last;
  launch_variant(bench, work, on, kernel, &first);
  for (unsigned i = 2; i < work->launches; i++)
    launch_variant(bench, work, on, kernel, NULL);
  launch_variant(bench, work, on, kernel, &last);
  BENCH_PI(&bench->device, piEventsWait, 1, &last);
  const pi_uint64 time = event_time(bench, last, PI_PROFILING_INFO_COMMAND_END) -
                         event_time(bench, first, PI_PROFILING_INFO_COMMAND_START);
  BENCH_PI(&bench->device, piEventRelease, first);
  BENCH_PI(&bench->device, piEventRelease, last);
  return (double)time / work->launches / 1e6;
}

static void compute(const cuda_bench *bench, const workload *work, const data *on,
                    variant *variant) {
  const size_t size = work->results * sizeof(float);
  const unsigned char pattern = 0xff;
  variant->results = malloc(size);
  if (!variant->results)
    bench_die("no memory for %zu bytes", size);
  BENCH_PI(&bench->device, piEnqueueMemBufferFill, on->queue, on->result, &pattern, 1, 0, size, 0,
           NULL, NULL);
  launch_variant(bench, work, on, variant->kernel, NULL);
  BENCH_PI(&bench->device, piEnqueueMemBufferRead, on->queue, on->result, PI_TRUE, 0, size,
           variant->results, 0, NULL, NULL);
}

/* Creates the buffers and the queue. The inputs are multiples of 1/64 from -1 to 1. */
static data open_data(const cuda_bench *bench, const workload *work) {
  const size_t size = work->numbers * sizeof(float);
  float *numbers = malloc(size);
  if (!numbers)
    bench_die("no memory for %zu bytes", size);
  uint32_t state = 1;
  data made = {.result = bench_buffer(&bench->device, work->results * sizeof(float), NULL)};
  for (unsigned i = 0; i < work->inputs; i++) {
    for (size_t j = 0; j < work->numbers; j++)
      numbers[j] = ((float)(gpu_random(&state) % 129) - 64) / 64;
    made.inputs[i] = bench_buffer(&bench->device, size, numbers);
  }
  free(numbers);
  pi_queue_properties profiling[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, 0};
  BENCH_PI(&bench->device, piextQueueCreate, bench->device.context, bench->device.device, profiling,
           &made.queue);
  return made;
}

static void close_data(const cuda_bench *bench, const workload *work, data *on) {
  BENCH_PI(&bench->device, piMemRelease, on->result);
  for (unsigned i = 0; i < work->inputs; i++)
    BENCH_PI(&bench->device, piMemRelease, on->inputs[i]);
  BENCH_PI(&bench->device, piQueueRelease, on->queue);
}

/* Ends the program if a variant's results differ from the typed variant's. */
static void compare_variants(const workload *work, const variant *all) {
  for (size_t index = 0; index < VARIANTS; index++)
    for (size_t i = 0; i < work->results && all[index].kernel; i++) {
      const float expected = all[TYPED].results[i], got = all[index].results[i];
      if (!(fabsf(got - expected) <= 1e-4f * fmaxf(1.0f, fabsf(expected))))
        bench_die("%s, %s: number %zu is %g, expected %g", work->name, variants[index].text, i,
                  (double)got, (double)expected);
    }
}

static pi_uint32 group_info(const cuda_bench *bench, pi_kernel kernel, pi_kernel_group_info what) {
  pi_uint32 answer = 0;
  BENCH_PI(&bench->device, piKernelGetGroupInfo, kernel, bench->device.device, what, sizeof answer,
           &answer, NULL);
  return answer;
}

static json_t *report_workload(const cuda_bench *bench, const workload *work, const variant *all) {
  json_t *rows = json_array();
  printf("%s\n  %-24s %10s %9s %9s %7s %10s\n", work->text, "constants", "ms", "fastest", "slowest",
         "ratio", "registers");
  const variant *first = all[NVCC].kernel ? &all[NVCC] : &all[TYPED];
  for (size_t i = 0; i < VARIANTS; i++) {
    if (!all[i].kernel)
      continue;
    const bench_summary time = bench_summarize(&all[i].times);
    const bench_summary ratio = bench_ratio(&all[i].times, &first->times);
    const pi_uint32 registers = group_info(bench, all[i].kernel, PI_KERNEL_GROUP_INFO_NUM_REGS);
    printf("  %-24s %10.4f %9.4f %9.4f %7.3f %10u\n", variants[i].text, time.median, time.min,
           time.max, ratio.median, registers);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:i}", "constants", variants[i].name,
                                          "ms", bench_summary_json(time), "ratio",
                                          bench_summary_json(ratio), "registers", (int)registers));
  }
  printf("\n");
  return json_pack("{s:s, s:s, s:s, s:o}", "kernel", work->name, "title", work->title, "text",
                   work->text, "variants", rows);
}

static json_t *measure_workload(const cuda_bench *bench, const workload *work) {
  static variant all[VARIANTS];
  data on = open_data(bench, work);
  for (size_t i = 0; i < VARIANTS; i++) {
    all[i] = (variant){.kernel = NULL};
    if (!has_variant(bench, work, i))
      continue;
    all[i].kernel = open_variant(bench, work, i, &on);
    compute(bench, work, &on, &all[i]);
    time_launches(bench, work, &on, all[i].kernel);
  }
  compare_variants(work, all);
  for (size_t round = 0; round < bench->rounds; round++)
    for (size_t i = 0; i < VARIANTS; i++) {
      variant *variant = &all[(round + i) % VARIANTS];
      if (variant->kernel)
        bench_add(&variant->times, time_launches(bench, work, &on, variant->kernel));
    }
  json_t *row = report_workload(bench, work, all);
  for (size_t i = 0; i < VARIANTS; i++) {
    if (all[i].kernel)
      BENCH_PI(&bench->device, piKernelRelease, all[i].kernel);
    free(all[i].results);
  }
  close_data(bench, work, &on);
  return row;
}

json_t *bench_cuda_constants(const cuda_bench *bench) {
  json_t *rows = json_array();
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
    json_array_append_new(rows, measure_workload(bench, &workloads[i]));
  return rows;
}

/* Returns the median ratio of a variant from a workload's row; NULL if the variant did not run. */
static json_t *variant_ratio(const json_t *work, const char *name) {
  size_t at;
  json_t *value;
  json_array_foreach(
      json_object_get(work, "variants"), at,
      value) if (strcmp(json_string_value(json_object_get(value, "constants")), name) ==
                 0) return json_object_get(json_object_get(value, "ratio"), "median");
  return NULL;
}

/* The first variant is the baseline: it is a line at 1, and the others are bars. */
json_t *bench_cuda_constants_chart(const cuda_bench *bench, const json_t *constants) {
  char title[256], label[64];
  const json_t *any = json_array_get(constants, 0);
  const size_t first = variant_ratio(any, variants[NVCC].name) ? NVCC : TYPED;
  snprintf(title, sizeof title, "Time of a kernel by where its constants are, %s",
           bench->device.name);
  snprintf(label, sizeof label, "time, %s = 1 (shorter is better)", variants[first].text);
  json_t *names = json_array(), *series = json_array();
  for (size_t row = 0; row < json_array_size(constants); row++)
    json_array_append(names, json_object_get(json_array_get(constants, row), "title"));
  for (size_t i = first + 1; i < VARIANTS; i++) {
    json_t *values = json_array();
    for (size_t row = 0; row < json_array_size(constants); row++)
      json_array_append(values, variant_ratio(json_array_get(constants, row), variants[i].name));
    if (variant_ratio(any, variants[i].name))
      json_array_append_new(series,
                            json_pack("{s:s, s:O}", "name", variants[i].text, "values", values));
    json_decref(values);
  }
  return json_pack("{s:s, s:s, s:{s:s, s:i}, s:{s:s, s:i}, s:o, s:o}", "kind", "bars", "title",
                   title, "axis", "label", label, "to", 5, "line", "name", variants[first].text,
                   "at", 1, "categories", names, "series", series);
}
