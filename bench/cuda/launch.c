/*
 * Launches: the plugin's piEnqueueKernelLaunch beside the driver's calls that a launch has to make,
 * cuLaunchKernel, and cuEventRecord where an event is wanted. A round is a burst that the GPU's
 * queue has room for, so that the time is the caller's, and a wait behind it.
 */
#include "bench.h"
#include "driver.h"

#include <stdio.h>

enum { BURST = 256, ARGUMENTS = 5 };

/* X(name, text): the kernel's launches. */
#define LAUNCH_KINDS(X)                                                                            \
  X(PLAIN, "launch")                                                                               \
  X(EVENT, "launch with an event, released")                                                       \
  X(ARGUMENTS, "5 arguments set, launch")

typedef enum launch_kind {
#define KIND(name, text) LAUNCH_##name,
  LAUNCH_KINDS(KIND)
#undef KIND
      LAUNCH_KIND_COUNT
} launch_kind;

static const char *const kind_texts[] = {
#define TEXT(name, text) text,
    LAUNCH_KINDS(TEXT)
#undef TEXT
};

typedef struct sides {
  const cuda_bench *bench;
  /* the plugin's */
  pi_kernel kernel;
  pi_mem buffer;
  /* the driver's */
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CUevent event;
  CUdeviceptr memory;
} sides;

static const int number = 1;

static void set_arguments(const sides *on) {
  bench_set_buffer(&on->bench->device, on->kernel, 0, on->buffer);
  for (pi_uint32 i = 1; i < ARGUMENTS; i++)
    bench_set_int(&on->bench->device, on->kernel, i, number);
}

/* Nanoseconds of a launch. */
static double time_plugin(const sides *on, launch_kind kind) {
  const pi_function_table *pi = on->bench->device.pi;
  const pi_queue queue = on->bench->device.queue;
  const size_t one = 1;
  pi_result result = PI_SUCCESS;
  const double start = bench_now();
  for (unsigned i = 0; i < BURST; i++) {
    pi_event event;
    if (kind == LAUNCH_ARGUMENTS)
      set_arguments(on);
    result |= pi->piEnqueueKernelLaunch(queue, on->kernel, 1, NULL, &one, &one, 0, NULL,
                                        kind == LAUNCH_EVENT ? &event : NULL);
    if (kind == LAUNCH_EVENT)
      result |= pi->piEventRelease(event);
  }
  const double time = (bench_now() - start) / BURST;
  bench_check(pi, result, "piEnqueueKernelLaunch");
  BENCH_PI(&on->bench->device, piQueueFinish, queue);
  return time;
}

static double time_driver(const sides *on, launch_kind kind) {
  CUdeviceptr memory = on->memory;
  int numbers[ARGUMENTS];
  void *arguments[ARGUMENTS] = {&memory, &numbers[1], &numbers[2], &numbers[3], &numbers[4]};
  for (unsigned i = 1; i < ARGUMENTS; i++)
    numbers[i] = number;
  CUresult result = CUDA_SUCCESS;
  const double start = bench_now();
  for (unsigned i = 0; i < BURST; i++) {
    result |= bare.LaunchKernel(on->function, 1, 1, 1, 1, 1, 1, 0, on->stream, arguments, NULL);
    if (kind == LAUNCH_EVENT)
      result |= bare.EventRecord(on->event, on->stream);
  }
  const double time = (bench_now() - start) / BURST;
  driver_check(result, "cuLaunchKernel or cuEventRecord");
  BARE(StreamSynchronize, on->stream);
  return time;
}

static sides open_sides(const cuda_bench *bench) {
  sides on = {.bench = bench};
  gpu_image image = gpu_image_open(bench->images, "launch.ptx");
  on.kernel = bench_kernel(&bench->device, cuda_program(bench, &image), "add");
  BARE(ModuleLoadData, &on.module, image.text);
  gpu_image_close(&image);
  const int zero = 0;
  on.buffer = bench_buffer(&bench->device, sizeof zero, &zero);
  set_arguments(&on);
  BARE(ModuleGetFunction, &on.function, on.module, "add");
  BARE(StreamCreate, &on.stream, CU_STREAM_NON_BLOCKING);
  BARE(EventCreate, &on.event, CU_EVENT_DISABLE_TIMING);
  BARE(MemAlloc, &on.memory, sizeof zero);
  BARE(MemcpyHtoD, on.memory, &zero, sizeof zero);
  return on;
}

/* The kernel counts, so that a launch which does nothing is noticed. */
static void close_sides(sides *on, unsigned launches) {
  int plugin = 0, driver = 0;
  const int expected = (int)(launches * BURST) * (ARGUMENTS - 1);
  bench_read(&on->bench->device, on->buffer, sizeof plugin, &plugin);
  BARE(MemcpyDtoH, &driver, on->memory, sizeof driver);
  if (plugin != expected || driver != expected)
    bench_die("the kernel counted to %d and %d, expected %d", plugin, driver, expected);
  BENCH_PI(&on->bench->device, piKernelRelease, on->kernel);
  BENCH_PI(&on->bench->device, piMemRelease, on->buffer);
  BARE(MemFree, on->memory);
  BARE(EventDestroy, on->event);
  BARE(StreamDestroy, on->stream);
  BARE(ModuleUnload, on->module);
}

json_t *bench_cuda_launches(const cuda_bench *bench) {
  static bench_series plugin[LAUNCH_KIND_COUNT], driver[LAUNCH_KIND_COUNT];
  sides on = open_sides(bench);
  for (unsigned round = 0; round <= bench->rounds; round++)
    for (unsigned turn = 0; turn < LAUNCH_KIND_COUNT; turn++) {
      const launch_kind kind = (launch_kind)((round + turn) % LAUNCH_KIND_COUNT);
      const bool plugin_first = round % 2 != 0;
      const double first = plugin_first ? time_plugin(&on, kind) : time_driver(&on, kind);
      const double second = plugin_first ? time_driver(&on, kind) : time_plugin(&on, kind);
      if (round == 0) /* warms up */
        continue;
      bench_add(&plugin[kind], plugin_first ? first : second);
      bench_add(&driver[kind], plugin_first ? second : first);
    }
  close_sides(&on, (bench->rounds + 1) * LAUNCH_KIND_COUNT);
  json_t *rows = json_array();
  printf(
      "launches: nanoseconds of the caller, and launches a second\n  %-36s %9s %9s %11s %9s %9s\n",
      "", "plugin", "driver", "difference", "plugin/s", "driver/s");
  for (unsigned kind = 0; kind < LAUNCH_KIND_COUNT; kind++) {
    const bench_summary ours = bench_summarize(&plugin[kind]);
    const bench_summary theirs = bench_summarize(&driver[kind]);
    const bench_summary more = bench_difference(&plugin[kind], &driver[kind]);
    printf("  %-36s %9.0f %9.0f %11.0f %9.0f %9.0f\n", kind_texts[kind], ours.median, theirs.median,
           more.median, 1e9 / ours.median, 1e9 / theirs.median);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:o}", "launch", kind_texts[kind],
                                          "plugin_ns", bench_summary_json(ours), "driver_ns",
                                          bench_summary_json(theirs), "difference_ns",
                                          bench_summary_json(more)));
  }
  printf("\n");
  return rows;
}
