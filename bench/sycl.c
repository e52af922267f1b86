/*
 * Compares a launch through include/sycl with the OpenCL calls that launch the same kernel without
 * SYCL, and with libspecpi's launch, in turns in one process.
 */
#include "sycl_launch.h"

#include "support/opencl.h"
#include "support/report.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: bench-sycl [--quick] [--json FILE]\n"
    "Compares launches through include/sycl with the OpenCL calls of a program without SYCL.\n";

static bench_sycl_kernel kernel;
static specpi_queue queue; /* in order; for the ways without SYCL */

static void launch_specpi(unsigned n) {
  const specpi_range range = {1, {1}, {0}, {0}};
  const specpi_argument argument = specpiArgumentValue(kernel.size, kernel.bytes);
  for (unsigned i = 0; i < n; i++) {
    specpi_event event;
    if (specpiKernelLaunch(kernel.kernel, queue, &range, 1, &argument, 0, NULL, &event) !=
        SPECPI_SUCCESS)
      bench_die("specpiKernelLaunch: %s", specpiGetLastError());
    specpiEventRelease(event);
  }
}

static void check_opencl(cl_int code) {
  if (code != CL_SUCCESS)
    bench_die("a call of OpenCL failed with %d", (int)code);
}

/* Launches with OpenCL calls. The plugin's handles are OpenCL's. */
static void launch_opencl(unsigned n) {
  const cl_kernel of = (cl_kernel)specpiKernelGetHandle(kernel.kernel);
  const cl_command_queue on = (cl_command_queue)specpiQueueGetHandle(queue);
  const size_t one = 1;
  for (unsigned i = 0; i < n; i++) {
    cl_event event;
    check_opencl(opencl.SetKernelArg(of, 0, kernel.size, kernel.bytes));
    check_opencl(opencl.EnqueueNDRangeKernel(on, of, 1, NULL, &one, NULL, 0, NULL, &event));
    check_opencl(opencl.ReleaseEvent(event));
  }
}

/* A way to launch. The first one, OpenCL calls, is the baseline. */
typedef struct way {
  const char *name, *text;
  void (*launch)(unsigned n);
  bench_series times; /* the launching thread's processor time, in nanoseconds per launch */
} way;
static way ways[] = {{"opencl", "OpenCL's calls, 4 pointers", launch_opencl, {0}},
                     {"specpi", "specpiKernelLaunch, 4 pointers", launch_specpi, {0}},
#define WAY(name, text) {#name, "SYCL: " text, bench_sycl_launch_##name, {0}},
                     BENCH_SYCL_GROUPS(WAY)
#undef WAY
};
enum { WAY_COUNT = sizeof ways / sizeof ways[0] };

static void finish_queue(void) {
  bench_sycl_wait();
  if (specpiQueueFinish(queue) != SPECPI_SUCCESS)
    bench_die("specpiQueueFinish: %s", specpiGetLastError());
}

/* Measures each way; a different one comes first in each round. */
static void measure_round(unsigned round, unsigned n) {
  for (unsigned turn = 0; turn < WAY_COUNT; turn++) {
    way *of = &ways[(round + turn) % WAY_COUNT];
    const double start = bench_thread_time();
    of->launch(n);
    bench_add(&of->times, (bench_thread_time() - start) / n);
    finish_queue();
  }
}

static json_t *print_medians(void) {
  json_t *list = json_array();
  printf("  %-36s %10s   %8s %8s %8s   %10s\n", "nanoseconds of the thread for one", "", "ratio",
         "min", "max", "of fastest");
  const double fastest = bench_summarize(&ways[0].times).min;
  for (size_t i = 0; i < WAY_COUNT; i++) {
    const bench_summary times = bench_summarize(&ways[i].times);
    const bench_summary ratio = bench_ratio(&ways[i].times, &ways[0].times);
    printf("  %-36s %10.0f   %8.2f %8.2f %8.2f   %10.2f\n", ways[i].text, times.median,
           ratio.median, ratio.min, ratio.max, times.min / fastest);
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o, s:f}", "way", ways[i].name, "nanoseconds",
                                    bench_summary_json(times), "ratio", bench_summary_json(ratio),
                                    "ratio_of_fastest", times.min / fastest));
  }
  return list;
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 11 : 201;
  const unsigned launches = 200;
  kernel = bench_sycl_open();
  if (!kernel.device || specpiDeviceGetBackend(kernel.device) != SPECPI_BACKEND_OPENCL)
    bench_die("there is no device of OpenCL");
  if (specpiQueueCreate(kernel.device, 0, &queue) != SPECPI_SUCCESS)
    bench_die("specpiQueueCreate: %s", specpiGetLastError());
  bench_load_opencl();
  /* The warm-up, which creates all objects that are created once. */
  for (size_t i = 0; i < WAY_COUNT; i++)
    ways[i].launch(launches);
  finish_queue();

  printf(
      "Launches through include/sycl and without: time of the launching thread, and its ratio to\n"
      "that of OpenCL's calls; median of %u rounds.\n\n  device  %s\n\n",
      rounds, specpiDeviceGetName(kernel.device));
  for (unsigned round = 0; round < rounds; round++)
    measure_round(round, launches);
  const unsigned long expected = (unsigned long)(rounds + 1) * launches * WAY_COUNT;
  if (bench_sycl_count() != expected)
    bench_die("%lu kernels ran, expected %lu", bench_sycl_count(), expected);
  json_t *list = print_medians();
  bench_write_json(options.json, json_pack("{s:s, s:s, s:s, s:i, s:o}", "bench", "sycl", "unit",
                                           "nanoseconds of the launching thread for one launch",
                                           "device", specpiDeviceGetName(kernel.device), "rounds",
                                           (int)rounds, "ways", list));
  specpiQueueRelease(queue);
  bench_sycl_close();
  return 0;
}
