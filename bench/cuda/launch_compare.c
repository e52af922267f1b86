#include "launch.h"

#include "../../test/gpu/image.h"

#include <stdio.h>

static const char *const kind_texts[] = {
#define TEXT(name, text) text,
    LAUNCH_KINDS(TEXT)
#undef TEXT
};

typedef struct driver_side {
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CUevent event;
  CUdeviceptr memory;
} driver_side;

static double time_driver(const driver_side *on, launch_kind kind) {
  CUdeviceptr memory = on->memory;
  int numbers[LAUNCH_ARGUMENT_COUNT];
  void *arguments[LAUNCH_ARGUMENT_COUNT] = {&memory, &numbers[1], &numbers[2], &numbers[3],
                                            &numbers[4]};
  for (unsigned i = 1; i < LAUNCH_ARGUMENT_COUNT; i++)
    numbers[i] = LAUNCH_NUMBER;
  CUresult result = CUDA_SUCCESS;
  const double start = bench_now();
  for (unsigned i = 0; i < LAUNCH_BURST; i++) {
    result |= bare.LaunchKernel(on->function, 1, 1, 1, 1, 1, 1, 0, on->stream, arguments, NULL);
    if (kind == LAUNCH_EVENT)
      result |= bare.EventRecord(on->event, on->stream);
  }
  const double time = (bench_now() - start) / LAUNCH_BURST;
  driver_check(result, "cuLaunchKernel or cuEventRecord");
  BARE(StreamSynchronize, on->stream);
  return time;
}

static driver_side open_driver_side(const char *images) {
  driver_side on;
  gpu_image image = gpu_image_open(images, "launch.ptx");
  BARE(ModuleLoadData, &on.module, image.text);
  gpu_image_close(&image);
  const int zero = 0;
  BARE(ModuleGetFunction, &on.function, on.module, "add");
  BARE(StreamCreate, &on.stream, CU_STREAM_NON_BLOCKING);
  BARE(EventCreate, &on.event, CU_EVENT_DISABLE_TIMING);
  BARE(MemAlloc, &on.memory, sizeof zero);
  BARE(MemcpyHtoD, on.memory, &zero, sizeof zero);
  return on;
}

static int close_driver_side(driver_side *on) {
  int counted = 0;
  BARE(MemcpyDtoH, &counted, on->memory, sizeof counted);
  BARE(MemFree, on->memory);
  BARE(EventDestroy, on->event);
  BARE(StreamDestroy, on->stream);
  BARE(ModuleUnload, on->module);
  return counted;
}

json_t *launch_compare(const char *side, const char *images, unsigned rounds, const void *ours,
                       launch_time_fn *time_ours, launch_count_fn *count) {
  static bench_series mine[LAUNCH_KIND_COUNT], driver[LAUNCH_KIND_COUNT];
  driver_side on = open_driver_side(images);
  for (unsigned round = 0; round <= rounds; round++)
    for (unsigned turn = 0; turn < LAUNCH_KIND_COUNT; turn++) {
      const launch_kind kind = (launch_kind)((round + turn) % LAUNCH_KIND_COUNT);
      const bool first = round % 2 != 0;
      double own = first ? time_ours(ours, kind) : 0;
      const double bare_time = time_driver(&on, kind);
      own = first ? own : time_ours(ours, kind);
      if (round == 0) /* the warm-up */
        continue;
      bench_add(&mine[kind], own);
      bench_add(&driver[kind], bare_time);
    }
  const int launches = (int)((rounds + 1) * LAUNCH_KIND_COUNT * LAUNCH_BURST);
  const int expected = launches * (LAUNCH_ARGUMENT_COUNT - 1) * LAUNCH_NUMBER;
  const int counted = count(ours), driver_counted = close_driver_side(&on);
  if (counted != expected || driver_counted != expected)
    bench_die("the kernel counted to %d and %d, expected %d", counted, driver_counted, expected);
  json_t *rows = json_array();
  printf("launches: nanoseconds of the caller, the difference with the interval in which its true "
         "median lies\nat a confidence of 95%%, and launches a second\n"
         "  %-36s %9s %9s %11s %15s %7s/s %9s\n",
         "", side, "driver", "difference", "interval", side, "driver/s");
  for (unsigned kind = 0; kind < LAUNCH_KIND_COUNT; kind++) {
    const bench_summary own = bench_summarize(&mine[kind]);
    const bench_summary theirs = bench_summarize(&driver[kind]);
    const bench_summary more = bench_difference(&mine[kind], &driver[kind]);
    printf("  %-36s %9.0f %9.0f %11.0f %6.0f to %5.0f %9.0f %9.0f\n", kind_texts[kind], own.median,
           theirs.median, more.median, more.low, more.high, 1e9 / own.median, 1e9 / theirs.median);
    json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:o}", "launch", kind_texts[kind],
                                          "plugin_ns", bench_summary_json(own), "driver_ns",
                                          bench_summary_json(theirs), "difference_ns",
                                          bench_summary_json(more)));
  }
  printf("\n");
  return rows;
}
