/*
 * Three kernels in three variants each: KERNEL.typed.ptx has the values in its source,
 * KERNEL.patch.ptx gets them written into its text, KERNEL.emulate.ptx reads them from the buffer
 * that the plugin passes. The variants take turns, and the first one changes from round to round.
 */
#include "bench.h"

#include "../../test/gpu/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3, VALUES = 2 };

static const char *const variants[VARIANTS] = {"typed", "patch", "emulate"};
static const char *const variant_texts[VARIANTS] = {"typed into the source", "patched into the PTX",
                                                    "read from a buffer"};

/* A constant's value, as it is in the source of the typed variant. */
typedef struct value {
  const char *name;
  const void *bytes;
  size_t size;
} value;

/* Arguments: the result, inputs, pieces of local memory; numbers are floats. */
typedef struct workload {
  const char *name;
  const char *text;
  size_t global[2], local[2];
  size_t results;
  size_t numbers; /* of each input */
  unsigned inputs;
  unsigned locals;   /* pieces of local memory */
  size_t local_size; /* bytes of each */
  unsigned launches; /* in a round */
  value values[VALUES];
} workload;

static const int product_values[2] = {16, 2048};
static const struct {
  float weights[9], factor;
} filter_value = {{1, 0, -1, 2, 0, -2, 1, 0, -1}, 0.125f};
static const int filter_width = 8192;
static const struct {
  bool square, bend, turn, limit;
  float a, b, c;
} map_value = {true, false, false, true, 0.75f, 0.125f, 1.5f};
static const int map_count = 256;

static const workload workloads[] = {
    {.name = "product",
     .text = "blocked matrix product, 2048 x 2048, blocks of 16 x 16",
     .global = {2048, 2048},
     .local = {16, 16},
     .results = 2048 * 2048,
     .numbers = 2048 * 2048,
     .inputs = 2,
     .locals = 2,
     .local_size = 1024,
     .launches = 4,
     .values = {{"block", &product_values[0], 4}, {"size", &product_values[1], 4}}},
    {.name = "filter",
     .text = "3x3 Sobel filter, 8192 x 8192 pixels",
     .global = {8192, 8192},
     .local = {32, 8},
     .results = 8192 * 8192,
     .numbers = 8194 * 8194,
     .inputs = 1,
     .launches = 8,
     .values = {{"filter", &filter_value, sizeof filter_value}, {"width", &filter_width, 4}}},
    {.name = "map",
     .text = "256 steps of an iterated map with 2 of 4 flags, 2^24 numbers",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {{"map", &map_value, sizeof map_value}, {"count", &map_count, 4}}},
    {.name = "clamped",
     .text = "the same map, its limit by the clamp of libclc",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {{"map", &map_value, sizeof map_value}, {"count", &map_count, 4}}},
};

typedef struct variant {
  pi_kernel kernel;
  float *results;
  bench_series times; /* milliseconds of a launch */
} variant;

/* The buffers of a workload, and the queue that measures. */
typedef struct data {
  pi_queue queue;
  pi_mem result;
  pi_mem inputs[2];
} data;

static pi_kernel open_variant(const cuda_bench *bench, const workload *work, size_t index,
                              const data *on) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s.ptx", work->name, variants[index]);
  gpu_image image = gpu_image_open(bench->images, name);
  const pi_program program = cuda_program(bench, &image);
  for (size_t i = 0; i < VALUES && image.info->constant_count; i++)
    cuda_set(bench, program, &image, work->values[i].name, work->values[i].bytes,
             work->values[i].size);
  const pi_kernel kernel = bench_kernel(&bench->device, program, "run");
  gpu_image_close(&image);
  pi_uint32 argument = 0;
  bench_set_buffer(&bench->device, kernel, argument++, on->result);
  for (unsigned i = 0; i < work->inputs; i++)
    bench_set_buffer(&bench->device, kernel, argument++, on->inputs[i]);
  for (unsigned i = 0; i < work->locals; i++)
    BENCH_PI(&bench->device, piKernelSetArg, kernel, argument++, work->local_size, NULL);
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

/* Milliseconds of a launch: from the start of the first to the end of the last. */
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

static void compute(const cuda_bench *bench, const workload *work, const data *on, variant *it) {
  const size_t size = work->results * sizeof(float);
  const unsigned char pattern = 0xff;
  it->results = malloc(size);
  if (!it->results)
    bench_die("no memory for %zu bytes", size);
  BENCH_PI(&bench->device, piEnqueueMemBufferFill, on->queue, on->result, &pattern, 1, 0, size, 0,
           NULL, NULL);
  launch_variant(bench, work, on, it->kernel, NULL);
  BENCH_PI(&bench->device, piEnqueueMemBufferRead, on->queue, on->result, PI_TRUE, 0, size,
           it->results, 0, NULL, NULL);
}

/* Inputs are numbers between -1 and 1 that are multiples of 1/64. */
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

/* Ends the program when a variant computed something else than the first. */
static void compare_variants(const workload *work, const variant *all) {
  for (size_t index = 1; index < VARIANTS; index++)
    for (size_t i = 0; i < work->results; i++) {
      const float expected = all[0].results[i], got = all[index].results[i];
      if (!(fabsf(got - expected) <= 1e-4f * fmaxf(1.0f, fabsf(expected))))
        bench_die("%s, %s: number %zu is %g, expected %g", work->name, variant_texts[index], i,
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
  for (size_t i = 0; i < VARIANTS; i++) {
    const bench_summary time = bench_summarize(&all[i].times);
    const bench_summary ratio = bench_ratio(&all[i].times, &all[0].times);
    const pi_uint32 registers = group_info(bench, all[i].kernel, PI_KERNEL_GROUP_INFO_NUM_REGS);
    printf("  %-24s %10.4f %9.4f %9.4f %7.3f %10u\n", variant_texts[i], time.median, time.min,
           time.max, ratio.median, registers);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:i}", "constants", variants[i], "ms",
                                          bench_summary_json(time), "ratio",
                                          bench_summary_json(ratio), "registers", (int)registers));
  }
  printf("\n");
  return json_pack("{s:s, s:s, s:o}", "kernel", work->name, "text", work->text, "variants", rows);
}

static json_t *measure_workload(const cuda_bench *bench, const workload *work) {
  static variant all[VARIANTS];
  data on = open_data(bench, work);
  for (size_t i = 0; i < VARIANTS; i++) {
    all[i] = (variant){.kernel = open_variant(bench, work, i, &on)};
    compute(bench, work, &on, &all[i]);
    time_launches(bench, work, &on, all[i].kernel);
  }
  compare_variants(work, all);
  for (size_t round = 0; round < bench->rounds; round++)
    for (size_t i = 0; i < VARIANTS; i++) {
      variant *it = &all[(round + i) % VARIANTS];
      bench_add(&it->times, time_launches(bench, work, &on, it->kernel));
    }
  json_t *row = report_workload(bench, work, all);
  for (size_t i = 0; i < VARIANTS; i++) {
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

json_t *bench_cuda_constants_chart(const cuda_bench *bench, const json_t *constants) {
  char title[256];
  snprintf(title, sizeof title, "Time of a kernel by where its constants are, %s",
           bench->device.name);
  json_t *names = json_array(), *series = json_array();
  for (size_t i = 0; i < VARIANTS; i++) {
    json_t *values = json_array();
    for (size_t row = 0; row < json_array_size(constants); row++) {
      const json_t *work = json_array_get(constants, row);
      const json_t *it = json_array_get(json_object_get(work, "variants"), i);
      if (i == 0)
        json_array_append(names, json_object_get(work, "kernel"));
      json_array_append(values, json_object_get(json_object_get(it, "ratio"), "median"));
    }
    json_array_append_new(series,
                          json_pack("{s:s, s:o}", "name", variant_texts[i], "values", values));
  }
  return json_pack("{s:s, s:s, s:{s:s}, s:o, s:o}", "kind", "bars", "title", title, "y", "label",
                   "time, typed into the source = 1", "categories", names, "series", series);
}
