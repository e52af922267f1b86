/*
 * Measures the benefit of specialization constants. It compares a kernel whose constants are typed
 * into the source, set with PI before the build, or read from a buffer at run time.
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: bench-constants [--quick] [--json FILE]\n"
    "Compares kernels whose constants are typed into the source, set with PI before the\n"
    "build, and read from a buffer. Exits with 1 when a result is wrong.\n";

static const char *const variant_texts[] = {
#define BENCH_VARIANT(NAME, json, text) text,
    BENCH_VARIANTS(BENCH_VARIANT)
#undef BENCH_VARIANT
};
static const char *const variant_keys[] = {
#define BENCH_VARIANT(NAME, json, text) #json,
    BENCH_VARIANTS(BENCH_VARIANT)
#undef BENCH_VARIANT
};

/* A workload with its three kernels and their times, in milliseconds per launch. */
typedef struct trial {
  bench_workload workload;
  pi_kernel kernels[BENCH_VARIANT_COUNT];
  pi_mem output, values;
  bench_series times[BENCH_VARIANT_COUNT];
} trial;

static void launch_trial(const bench_device *device, const trial *of, bench_variant variant) {
  BENCH_PI(device, piEnqueueKernelLaunch, device->queue, of->kernels[variant], 2, NULL,
           of->workload.global, of->workload.local, 0, NULL, NULL);
}

static pi_kernel make_kernel(const bench_device *device, const bench_workload *workload,
                             bench_variant variant) {
  const bench_module *module = &workload->modules[variant];
  const pi_program program = bench_program(device, module->begin, module->end);
  const char *constants = workload->constants;
  for (pi_uint32 id = 0; variant == BENCH_SET && id < workload->constant_count; id++)
    BENCH_PI(device, piextProgramSetSpecializationConstant, program, id, 4, constants + 4 * id);
  return bench_kernel(device, program, workload->kernel);
}

/* Fills the output with a wrong value, launches a variant, and checks every element. */
static void check_trial(const bench_device *device, const trial *of, bench_variant variant) {
  const size_t size = of->workload.result_count * sizeof(float);
  const float nothing = -12345.0f;
  BENCH_PI(device, piEnqueueMemBufferFill, device->queue, of->output, &nothing, sizeof nothing, 0,
           size, 0, NULL, NULL);
  launch_trial(device, of, variant);
  float *results = malloc(size);
  if (!results)
    bench_die("no memory for %zu bytes of results", size);
  bench_read(device, of->output, size, results);
  for (size_t i = 0; i < of->workload.result_count; i++)
    if (results[i] != of->workload.expected[i])
      bench_die("%s, constants %s: element %zu is %g, expected %g", of->workload.name,
                variant_texts[variant], i, (double)results[i], (double)of->workload.expected[i]);
  free(results);
}

static void open_trial(const bench_device *device, trial *made) {
  const bench_workload *workload = &made->workload;
  made->output = bench_buffer(device, workload->result_count * sizeof(float), NULL);
  made->values = bench_buffer(device, workload->constant_count * 4, workload->constants);
  for (bench_variant variant = 0; variant < BENCH_VARIANT_COUNT; variant++) {
    made->kernels[variant] = make_kernel(device, workload, variant);
    workload->set_arguments(device, workload, made->kernels[variant], made->output, made->values);
    check_trial(device, made, variant);
  }
}

static void close_trial(const bench_device *device, trial *of) {
  for (bench_variant variant = 0; variant < BENCH_VARIANT_COUNT; variant++)
    BENCH_PI(device, piKernelRelease, of->kernels[variant]);
  BENCH_PI(device, piMemRelease, of->output);
  BENCH_PI(device, piMemRelease, of->values);
  bench_workload_close(device, &of->workload);
}

/* Measures each variant; a different one comes first in each round. */
static void measure_trial(const bench_device *device, trial *of, unsigned round,
                          unsigned launches) {
  for (unsigned turn = 0; turn < BENCH_VARIANT_COUNT; turn++) {
    const bench_variant variant = (bench_variant)((round + turn) % BENCH_VARIANT_COUNT);
    const double start = bench_now();
    for (unsigned i = 0; i < launches; i++)
      launch_trial(device, of, variant);
    BENCH_PI(device, piQueueFinish, device->queue);
    bench_add(&of->times[variant], (bench_now() - start) / launches / 1e6);
  }
}

static json_t *print_trial(const trial *of) {
  const bench_series *typed = &of->times[BENCH_TYPED];
  json_t *variants = json_object();
  printf("  %s: %s\n", of->workload.name, of->workload.text);
  printf("    %-22s %8s %8s %8s    %6s  %s\n", "constants", "ms", "fastest", "slowest", "ratio",
         "of fastest");
  for (bench_variant variant = 0; variant < BENCH_VARIANT_COUNT; variant++) {
    const bench_summary time = bench_summarize(&of->times[variant]);
    const bench_summary ratio = bench_ratio(&of->times[variant], typed);
    const double ratio_of_min = time.min / bench_summarize(typed).min;
    printf("    %-22s %8.3f %8.3f %8.3f    %6.3f  %10.3f\n", variant_texts[variant], time.median,
           time.min, time.max, ratio.median, ratio_of_min);
    json_object_set_new(variants, variant_keys[variant],
                        json_pack("{s:o, s:o, s:f}", "milliseconds", bench_summary_json(time),
                                  "ratio", bench_summary_json(ratio), "ratio_of_min",
                                  ratio_of_min));
  }
  printf("\n");
  return json_pack("{s:s, s:s, s:o}", "name", of->workload.name, "sizes", of->workload.text,
                   "variants", variants);
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 150 : 500;
  const unsigned launches = 2;
  bench_device device = bench_device_open();
  printf("The same kernel with its constants typed into the source, set with PI before the build,\n"
         "and read from a buffer: milliseconds of a launch, median of %u rounds, and the ratio to "
         "the first.\n\n",
         rounds);
  bench_device_print(&device);

  static trial trials[2];
  trials[0].workload = bench_convolution(&device);
  trials[1].workload = bench_matrix(&device, options.quick);
  json_t *kernels = json_array();
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
    open_trial(&device, &trials[i]);
    for (unsigned round = 0; round < rounds; round++)
      measure_trial(&device, &trials[i], round, launches);
    for (bench_variant variant = 0; variant < BENCH_VARIANT_COUNT; variant++)
      check_trial(&device, &trials[i], variant);
    json_array_append_new(kernels, print_trial(&trials[i]));
    close_trial(&device, &trials[i]);
  }
  printf("  All results of the three variants are equal to those computed by the host.\n");
  bench_write_json(options.json, json_pack("{s:s, s:o, s:i, s:o}", "bench", "constants", "device",
                                           bench_device_json(&device), "rounds", (int)rounds,
                                           "kernels", kernels));
  bench_device_close(&device);
  return 0;
}
