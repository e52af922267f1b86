/* Launches with the plugin's piEnqueueKernelLaunch. */
#include "launch.h"
#include "bench.h"

typedef struct plugin_side {
  const cuda_bench *bench;
  pi_kernel kernel;
  pi_mem buffer;
} plugin_side;

static void set_arguments(const plugin_side *on) {
  bench_set_buffer(&on->bench->device, on->kernel, 0, on->buffer);
  for (pi_uint32 i = 1; i < LAUNCH_ARGUMENT_COUNT; i++)
    bench_set_int(&on->bench->device, on->kernel, i, LAUNCH_NUMBER);
}

static double time_plugin(const void *ours, launch_kind kind) {
  const plugin_side *on = ours;
  const pi_function_table *pi = on->bench->device.pi;
  const pi_queue queue = on->bench->device.queue;
  const size_t one = 1;
  pi_result result = PI_SUCCESS;
  const double start = bench_now();
  for (unsigned i = 0; i < LAUNCH_BURST; i++) {
    pi_event event;
    if (kind == LAUNCH_ARGUMENTS)
      set_arguments(on);
    result |= pi->piEnqueueKernelLaunch(queue, on->kernel, 1, NULL, &one, &one, 0, NULL,
                                        kind == LAUNCH_EVENT ? &event : NULL);
    if (kind == LAUNCH_EVENT)
      result |= pi->piEventRelease(event);
  }
  const double time = (bench_now() - start) / LAUNCH_BURST;
  bench_check(pi, result, "piEnqueueKernelLaunch");
  BENCH_PI(&on->bench->device, piQueueFinish, queue);
  return time;
}

static int count_plugin(const void *ours) {
  const plugin_side *on = ours;
  int counted = 0;
  bench_read(&on->bench->device, on->buffer, sizeof counted, &counted);
  return counted;
}

json_t *bench_cuda_launches(const cuda_bench *bench) {
  plugin_side on = {.bench = bench};
  gpu_image image = gpu_image_open(bench->images, "launch.ptx");
  on.kernel = bench_kernel(&bench->device, cuda_program(bench, &image), "add");
  gpu_image_close(&image);
  const int zero = 0;
  on.buffer = bench_buffer(&bench->device, sizeof zero, &zero);
  set_arguments(&on);
  json_t *rows =
      launch_compare("plugin", bench->images, bench->rounds, &on, time_plugin, count_plugin);
  BENCH_PI(&bench->device, piKernelRelease, on.kernel);
  BENCH_PI(&bench->device, piMemRelease, on.buffer);
  return rows;
}
