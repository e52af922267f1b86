/*
 * Measures the time that our plugin adds to the OpenCL calls of a launch. It compares each PI call
 * with the OpenCL calls that the plugin has to make for it, in turns in one process.
 *
 * It uses the libOpenCL.so.1 that the environment selects. With a real one the times include the
 * driver's, with its noise. The one of empty_opencl/ does nothing, so its times are the plugin's.
 */
#include "support/device.h"
#include "support/opencl.h"

#include "../test/support/embed.h"

#include <specpi/specpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SPECPI_EMBED(empty_module, "empty.spv")

static const char usage[] =
    "Usage: bench-calls [--quick] [--json FILE]\n"
    "Compares PI calls of our plugin with the OpenCL calls after them, on the libOpenCL.so.1\n"
    "that the environment leads to.\n";

static clSetKernelArgMemPointerINTEL_fn set_pointer;

/* The objects of the calls. The plugin's handles are OpenCL's, so both sides use them. */
typedef struct objects {
  const pi_function_table *pi;
  void *device, *queue, *program, *kernel, *empty, *mem, *sampler, *event;
  void *pointer; /* USM */
} objects;

/* Repeats a call n times, through PI or directly. Returns 0 if all calls succeeded. */
typedef int repeat(const objects *on, unsigned n);

static const size_t one[1] = {1};
static const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL,
                                           PI_ACCESS_READ_WRITE};
static const int number = 7;

/*
 * X(name, text, calls, PI, OpenCL): one row of the table. calls is its number of PI calls. PI and
 * OpenCL are expressions that are 0 on success; they may use the variables of LOOP.
 */
#define ROWS(X)                                                                                    \
  X(arg_value, "piKernelSetArg, value", 1,                                                         \
    on->pi->piKernelSetArg(on->kernel, 2, sizeof number, &number),                                 \
    opencl.SetKernelArg(on->kernel, 2, sizeof number, &number))                                    \
  X(arg_mem, "piKernelSetArg, memory object", 1,                                                   \
    on->pi->piKernelSetArg(on->kernel, 1, sizeof on->mem, &on->mem),                               \
    opencl.SetKernelArg(on->kernel, 1, sizeof on->mem, &on->mem))                                  \
  X(arg_local, "piKernelSetArg, local memory", 1, on->pi->piKernelSetArg(on->kernel, 4, 64, NULL), \
    opencl.SetKernelArg(on->kernel, 4, 64, NULL))                                                  \
  X(arg_mem_obj, "piextKernelSetArgMemObj", 1,                                                     \
    on->pi->piextKernelSetArgMemObj(on->kernel, 1, &access, (const pi_mem *)&on->mem),             \
    opencl.SetKernelArg(on->kernel, 1, sizeof on->mem, &on->mem))                                  \
  X(arg_sampler, "piextKernelSetArgSampler", 1,                                                    \
    on->pi->piextKernelSetArgSampler(on->kernel, 5, (const pi_sampler *)&on->sampler),             \
    opencl.SetKernelArg(on->kernel, 5, sizeof on->sampler, &on->sampler))                          \
  X(arg_pointer, "piextKernelSetArgPointer", 1,                                                    \
    on->pi->piextKernelSetArgPointer(on->kernel, 0, sizeof on->pointer, &on->pointer),             \
    set_pointer(on->kernel, 0, on->pointer))                                                       \
  X(group_info, "piKernelGetGroupInfo, local size", 1,                                             \
    on->pi->piKernelGetGroupInfo(on->kernel, on->device,                                           \
                                 PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof sizes,       \
                                 sizes, NULL),                                                     \
    opencl.GetKernelWorkGroupInfo(on->kernel, on->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,       \
                                  sizeof sizes, sizes, NULL))                                      \
  X(kernel_references, "piKernelRetain, piKernelRelease", 2,                                       \
    on->pi->piKernelRetain(on->kernel) | on->pi->piKernelRelease(on->kernel),                      \
    opencl.RetainKernel(on->kernel) | opencl.ReleaseKernel(on->kernel))                            \
  X(program_references, "piProgramRetain, piProgramRelease", 2,                                    \
    on->pi->piProgramRetain(on->program) | on->pi->piProgramRelease(on->program),                  \
    opencl.RetainProgram(on->program) | opencl.ReleaseProgram(on->program))                        \
  X(event_references, "piEventRetain, piEventRelease", 2,                                          \
    on->pi->piEventRetain(on->event) | on->pi->piEventRelease(on->event),                          \
    opencl.RetainEvent(on->event) | opencl.ReleaseEvent(on->event))                                \
  X(event_info, "piEventGetInfo, status", 1,                                                       \
    on->pi->piEventGetInfo(on->event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status,       \
                           &status, NULL),                                                         \
    opencl.GetEventInfo(on->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,      \
                        NULL))                                                                     \
  X(events_wait, "piEventsWait, complete event", 1,                                                \
    on->pi->piEventsWait(1, (const pi_event *)&on->event),                                         \
    opencl.WaitForEvents(1, (const cl_event *)&on->event))                                         \
  X(launch, "piEnqueueKernelLaunch", 1,                                                            \
    on->pi->piEnqueueKernelLaunch(on->queue, on->empty, 1, NULL, one, one, 0, NULL, NULL),         \
    opencl.EnqueueNDRangeKernel(on->queue, on->empty, 1, NULL, one, one, 0, NULL, NULL))           \
  X(launch_event, "  with event, and its release", 2,                                              \
    on->pi->piEnqueueKernelLaunch(on->queue, on->empty, 1, NULL, one, one, 0, NULL,                \
                                  (pi_event *)&event) |                                            \
        on->pi->piEventRelease(event),                                                             \
    opencl.EnqueueNDRangeKernel(on->queue, on->empty, 1, NULL, one, one, 0, NULL,                  \
                                (cl_event *)&event) |                                              \
        opencl.ReleaseEvent(event))                                                                \
  X(launch_wait_list, "  with a wait list of 1", 1,                                                \
    on->pi->piEnqueueKernelLaunch(on->queue, on->empty, 1, NULL, one, one, 1,                      \
                                  (const pi_event *)&on->event, NULL),                             \
    opencl.EnqueueNDRangeKernel(on->queue, on->empty, 1, NULL, one, one, 1,                        \
                                (const cl_event *)&on->event, NULL))

/* Repeats an expression of ROWS, and declares the variables that it may use. */
#define LOOP(expression)                                                                           \
  int failed = 0;                                                                                  \
  size_t sizes[3];                                                                                 \
  int status;                                                                                      \
  void *event;                                                                                     \
  for (unsigned i = 0; i < n; i++)                                                                 \
    failed |= (expression);                                                                        \
  (void)sizes, (void)status, (void)event;                                                          \
  return failed

#define DEFINE(name, text, calls, through_pi, directly)                                            \
  static int by_pi_##name(const objects *on, unsigned n) { LOOP(through_pi); }                     \
  static int by_cl_##name(const objects *on, unsigned n) { LOOP(directly); }
ROWS(DEFINE)
#undef DEFINE

typedef struct row {
  const char *name, *text;
  unsigned calls;
  repeat *through_pi, *directly;
  bench_series pi_times, cl_times; /* nanoseconds per call */
} row;

static row rows[] = {
#define ROW(name, text, calls, through_pi, directly)                                               \
  {#name, text, calls, by_pi_##name, by_cl_##name, {0}, {0}},
    ROWS(ROW)
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void load_opencl(void) {
  bench_load_opencl();
  cl_platform_id platform;
  if (opencl.GetPlatformIDs(1, &platform, NULL) != CL_SUCCESS)
    bench_die("libOpenCL.so.1 has no platform");
  void *address =
      opencl.GetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgMemPointerINTEL");
  if (!address)
    bench_die("the driver has no clSetKernelArgMemPointerINTEL");
  memcpy(&set_pointer, &address, sizeof address);
}

/*
 * Makes objects for the empty OpenCL. It never uses its handles, so they may be any address. Only
 * the program must exist, because our plugin looks it up in a table.
 */
static objects make_empty_objects(const pi_function_table *pi) {
  static char any[64];
  objects made = {pi, any, any, NULL, any, any, any, any, any, any};
  const size_t size = SPECPI_EMBED_SIZE(empty_module);
  bench_check(pi,
              pi->piProgramCreate((pi_context)(void *)any, empty_module_begin, size,
                                  (pi_program *)&made.program),
              "piProgramCreate");
  return made;
}

static objects make_objects(const bench_device *device) {
  objects made = {.pi = device->pi, .device = device->device, .queue = device->queue};
  const pi_program program = bench_program(device, empty_module_begin, empty_module_end);
  BENCH_PI(device, piProgramRetain, program);
  made.program = program;
  made.kernel = bench_kernel(device, program, "arguments");
  BENCH_PI(device, piKernelCreate, program, "empty", (pi_kernel *)&made.empty);
  made.mem = bench_buffer(device, 64, NULL);
  const pi_sampler_properties properties[] = {0};
  BENCH_PI(device, piSamplerCreate, device->context, properties, (pi_sampler *)&made.sampler);
  BENCH_PI(device, piextUSMSharedAlloc, &made.pointer, device->context, device->device, NULL, 64,
           0);
  BENCH_PI(device, piEnqueueKernelLaunch, device->queue, made.empty, 1, NULL, one, one, 0, NULL,
           (pi_event *)&made.event);
  BENCH_PI(device, piEventsWait, 1, (pi_event *)&made.event);
  return made;
}

static void give_back_objects(const bench_device *device, const objects *made) {
  BENCH_PI(device, piextUSMFree, device->context, made->pointer);
  BENCH_PI(device, piEventRelease, made->event);
  BENCH_PI(device, piSamplerRelease, made->sampler);
  BENCH_PI(device, piMemRelease, made->mem);
  BENCH_PI(device, piKernelRelease, made->empty);
  BENCH_PI(device, piKernelRelease, made->kernel);
  BENCH_PI(device, piProgramRelease, made->program);
}

static double time_of(repeat *call, const char *text, const objects *on, unsigned n) {
  const double start = bench_now();
  const int failed = call(on, n);
  const double elapsed = bench_now() - start;
  if (failed)
    bench_die("%s failed", text);
  if (opencl.Finish(on->queue) != CL_SUCCESS)
    bench_die("clFinish after %s failed", text);
  return elapsed / n;
}

/* Measures every row both ways; the order changes from round to round. */
static void measure_round(const objects *on, unsigned round, unsigned n) {
  for (size_t i = 0; i < ROW_COUNT; i++) {
    row *of = &rows[i];
    for (unsigned turn = 0; turn < 2; turn++) {
      if ((round + turn) % 2 == 0)
        bench_add(&of->pi_times, time_of(of->through_pi, of->text, on, n) / of->calls);
      else
        bench_add(&of->cl_times, time_of(of->directly, of->text, on, n) / of->calls);
    }
  }
}

static json_t *print_medians(void) {
  json_t *list = json_array();
  printf("  %-36s %8s %8s   %8s %8s %8s   %8s\n", "nanoseconds per call", "PI", "OpenCL", "on top",
         "min", "max", "of minima");
  for (size_t i = 0; i < ROW_COUNT; i++) {
    const bench_summary pi = bench_summarize(&rows[i].pi_times);
    const bench_summary direct = bench_summarize(&rows[i].cl_times);
    const bench_summary on_top = bench_difference(&rows[i].pi_times, &rows[i].cl_times);
    printf("  %-36s %8.1f %8.1f   %8.1f %8.1f %8.1f   %8.1f\n", rows[i].text, pi.median,
           direct.median, on_top.median, on_top.min, on_top.max, pi.min - direct.min);
    json_array_append_new(
        list, json_pack("{s:s, s:o, s:o, s:o, s:f}", "call", rows[i].name, "pi",
                        bench_summary_json(pi), "opencl", bench_summary_json(direct), "on_top",
                        bench_summary_json(on_top), "on_top_of_minima", pi.min - direct.min));
  }
  return list;
}

/* Returns our plugin's functions if there is no device, as with the empty OpenCL; else NULL. */
static const pi_function_table *functions_without_device(void) {
  specpi_device device;
  size_t count = 0;
  specpi_plugin plugins[8];
  if (specpiDevicesGet("opencl:*", 1, &device, &count) != SPECPI_SUCCESS || count != 0)
    return NULL;
  if (specpiPluginsGet(SPECPI_BACKEND_OPENCL, 8, plugins, &count) != SPECPI_SUCCESS || count == 0)
    return NULL;
  return specpiPluginGetFunctions(plugins[count - 1]);
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 21 : 301;
  load_opencl();
  const pi_function_table *empty = functions_without_device();
  char platform[128] = "";
  cl_platform_id first;
  opencl.GetPlatformIDs(1, &first, NULL);
  opencl.GetPlatformInfo(first, CL_PLATFORM_NAME, sizeof platform, platform, NULL);
  if (empty && strcmp(platform, "Empty OpenCL for bench-calls") != 0)
    bench_die("%s has no device to measure", platform);

  printf("What a PI call takes on top of the OpenCL call after it; median of %u rounds.\n", rounds);
  json_t *device_json = NULL;
  if (empty) {
    printf(
        "OpenCL is an EMPTY library whose functions do nothing: what is left is the plugin.\n\n");
    const objects on = make_empty_objects(empty);
    for (unsigned round = 0; round < rounds; round++)
      measure_round(&on, round, options.quick ? 1000 : 20000);
    bench_check(empty, empty->piProgramRelease(on.program), "piProgramRelease");
    device_json = json_string(platform);
  } else {
    printf("OpenCL is the real one; its time and its noise are in both columns.\n\n");
    bench_device device = bench_device_open();
    bench_device_print(&device);
    const objects on = make_objects(&device);
    for (unsigned round = 0; round < rounds; round++)
      measure_round(&on, round, 200);
    give_back_objects(&device, &on);
    device_json = bench_device_json(&device);
    bench_device_close(&device);
  }
  bench_write_json(options.json, json_pack("{s:s, s:s, s:o, s:i, s:o}", "bench", "calls", "unit",
                                           "nanoseconds per call", "device", device_json, "rounds",
                                           (int)rounds, "calls", print_medians()));
  return 0;
}
