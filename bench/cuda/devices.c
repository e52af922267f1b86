/*
 * bench-cuda-devices: compares a context of all GPUs with a context of the first one alone, and
 * measures transfers between two GPUs. docs/internals/bench.md explains the output.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "../support/device.h"
#include "../support/measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEVICES_MAX = 16, ELEMENT = 4 };

/* add(p): p[id] += 1.0f, in work-groups of 256. */
static const char text[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry add(.param .u64 p)\n"
    "{\n.reg .b32 %r<5>; .reg .f32 %f<3>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1;\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd3], %f2; ret;\n}\n";

/* A context with a queue for each of its devices, a kernel and a buffer. */
typedef struct side {
  const bench_device *on;
  pi_uint32 count;
  pi_context context;
  pi_queue queues[DEVICES_MAX];
  pi_kernel kernel;
  pi_mem buffer;
  size_t size;
} side;

static pi_mem new_buffer(const side *side) {
  pi_mem made = NULL;
  BENCH_PI(side->on, piMemBufferCreate, side->context, PI_MEM_FLAGS_ACCESS_RW, side->size, NULL,
           &made, NULL);
  return made;
}

static side open_side(const bench_device *on, pi_uint32 count, const pi_device *devices,
                      size_t size) {
  side side = {.on = on, .count = count, .size = size};
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_program program = NULL;
  BENCH_PI(on, piContextCreate, NULL, count, devices, NULL, NULL, &side.context);
  for (pi_uint32 i = 0; i < count; i++)
    BENCH_PI(on, piextQueueCreate, side.context, devices[i], in_order, &side.queues[i]);
  BENCH_PI(on, piProgramCreate, side.context, text, sizeof text, &program);
  BENCH_PI(on, piProgramBuild, program, count, devices, "", NULL, NULL);
  BENCH_PI(on, piKernelCreate, program, "add", &side.kernel);
  BENCH_PI(on, piProgramRelease, program);
  side.buffer = new_buffer(&side);
  return side;
}

static void close_side(const side *side) {
  BENCH_PI(side->on, piMemRelease, side->buffer);
  BENCH_PI(side->on, piKernelRelease, side->kernel);
  for (pi_uint32 i = 0; i < side->count; i++)
    BENCH_PI(side->on, piQueueRelease, side->queues[i]);
  BENCH_PI(side->on, piContextRelease, side->context);
}

/* Returns the nanoseconds of a launch over a buffer on a device, from the call to completion. */
static double time_add(const side *side, pi_uint32 device, pi_mem buffer) {
  const size_t offset = 0, global = side->size / ELEMENT, local = 256;
  BENCH_PI(side->on, piextKernelSetArgMemObj, side->kernel, 0, NULL, &buffer);
  const double start = bench_now();
  BENCH_PI(side->on, piEnqueueKernelLaunch, side->queues[device], side->kernel, 1, &offset, &global,
           &local, 0, NULL, NULL);
  BENCH_PI(side->on, piQueueFinish, side->queues[device]);
  return bench_now() - start;
}

static void clear_buffer(const side *side, pi_mem buffer) {
  const float zero = 0;
  BENCH_PI(side->on, piEnqueueMemBufferFill, side->queues[0], buffer, &zero, sizeof zero, 0,
           side->size, 0, NULL, NULL);
  BENCH_PI(side->on, piQueueFinish, side->queues[0]);
}

/* Ends the program unless every element of a buffer is wanted, the number of launches. */
static void check_buffer(const side *side, pi_mem buffer, float wanted) {
  float *got = malloc(side->size);
  if (!got)
    bench_die("no memory for %zu bytes", side->size);
  BENCH_PI(side->on, piEnqueueMemBufferRead, side->queues[0], buffer, PI_TRUE, 0, side->size, got,
           0, NULL, NULL);
  for (size_t i = 0; i < side->size / ELEMENT; i++)
    if (got[i] != wanted)
      bench_die("element %zu is %g, not %g", i, (double)got[i], (double)wanted);
  free(got);
}

static void print_time(const char *what, const bench_series *times, size_t size) {
  const bench_summary summary = bench_summarize(times);
  printf("%-58s %9.3f ms %9.1f GB/s\n", what, summary.median * 1e-6, (double)size / summary.median);
}

/* Returns the nanoseconds of the first launch on a new buffer, for which memory is allocated. */
static double time_first(const side *side) {
  const pi_mem fresh = new_buffer(side);
  const double took = time_add(side, 0, fresh);
  BENCH_PI(side->on, piMemRelease, fresh);
  return took;
}

static void measure_buffers(const side *one, const side *all, unsigned rounds) {
  bench_series alone = {0}, together = {0}, first_alone = {0}, first_together = {0}, moved = {0};
  const side *const sides[] = {one, all};
  for (int i = 0; i < 2; i++) {
    clear_buffer(sides[i], sides[i]->buffer);
    time_add(sides[i], 0, sides[i]->buffer);
  }
  for (unsigned i = 0; i < rounds; i++) {
    bench_add(&alone, time_add(one, 0, one->buffer));
    bench_add(&together, time_add(all, 0, all->buffer));
    bench_add(&first_alone, time_first(one));
    bench_add(&first_together, time_first(all));
  }
  for (int i = 0; i < 2; i++)
    check_buffer(sides[i], sides[i]->buffer, (float)(rounds + 1));
  print_time("a kernel on a buffer, context of one device", &alone, 2 * one->size);
  print_time("the same, context of all", &together, 2 * one->size);
  printf("%-58s %9.2f\n", "  ratio", bench_ratio(&together, &alone).median);
  print_time("the first kernel on a new buffer, context of one device", &first_alone,
             2 * one->size);
  print_time("the same, context of all", &first_together, 2 * one->size);
  for (unsigned i = 0; i < rounds; i++)
    bench_add(&moved, time_add(all, 1 - i % 2, all->buffer));
  check_buffer(all, all->buffer, (float)(2 * rounds + 1));
  print_time("a kernel on a buffer that the other device used before", &moved, all->size);
}

static void measure_copies(const side *all, const pi_device *devices, unsigned rounds) {
  bench_series times = {0};
  void *memory[2] = {NULL};
  for (int i = 0; i < 2; i++)
    BENCH_PI(all->on, piextUSMDeviceAlloc, &memory[i], all->context, devices[i], NULL, all->size,
             0);
  for (unsigned i = 0; i < rounds; i++) {
    const double start = bench_now();
    BENCH_PI(all->on, piextUSMEnqueueMemcpy, all->queues[0], PI_TRUE, memory[1], memory[0],
             all->size, 0, NULL, NULL);
    bench_add(&times, bench_now() - start);
  }
  print_time("USM of one device to another", &times, all->size);
  for (int i = 0; i < 2; i++)
    BENCH_PI(all->on, piextUSMFree, all->context, memory[i]);
}

int main(int argc, char **argv) {
  const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 21;
  const size_t mib = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
  setenv("ONEAPI_DEVICE_SELECTOR", "cuda:gpu", 0);
  const bench_device on = bench_device_open();
  pi_platform platform = NULL;
  pi_device devices[DEVICES_MAX];
  pi_uint32 count = 0;
  BENCH_PI(&on, piDeviceGetInfo, on.device, PI_DEVICE_INFO_PLATFORM, sizeof platform, &platform,
           NULL);
  BENCH_PI(&on, piDevicesGet, platform, PI_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &count);
  if (count < 2 || rounds == 0 || rounds > BENCH_ROUNDS_MAX || mib == 0)
    bench_die(
        "%u devices, %u rounds, %zu MiB: two devices are needed at least, and up to %d rounds",
        count, rounds, mib, (int)BENCH_ROUNDS_MAX);
  count = count < DEVICES_MAX ? count : DEVICES_MAX;
  bench_device_print(&on);
  printf("%u devices, %zu MiB, medians of %u\n", count, mib, rounds);
  const side one = open_side(&on, 1, devices, mib << 20);
  const side all = open_side(&on, count, devices, mib << 20);
  measure_buffers(&one, &all, rounds);
  measure_copies(&all, devices, rounds);
  close_side(&all);
  close_side(&one);
  bench_device device = on;
  bench_device_close(&device);
  return 0;
}
