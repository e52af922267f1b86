/*
 * One side of bench-launch: a SYCL program by dpctl's C library. It launches kernels through
 * the libsycl and the plugin that it finds, on orders from its standard input, one per line, and
 * answers each with a line on its standard output:
 *   (at the start)   "ready <device>\t<plugin file>"
 *   wait N           N times: an empty kernel, and the wait for it
 *   flood N          N empty kernels, then one wait for all of them
 *   arguments N      N times: a kernel with five arguments, and the wait for it
 * An answer is two numbers of nanoseconds: the time that has passed, and the time that this
 * thread has spent on a processor, without the time in which it waited for one.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "support/measure.h"
#include "support/report.h"

#include "../test/support/embed.h"

#include <dpctl_sycl_context_interface.h>
#include <dpctl_sycl_device_interface.h>
#include <dpctl_sycl_event_interface.h>
#include <dpctl_sycl_kernel_bundle_interface.h>
#include <dpctl_sycl_kernel_interface.h>
#include <dpctl_sycl_queue_interface.h>
#include <dpctl_sycl_usm_interface.h>
#include <dpctl_utils.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SPECPI_EMBED(empty_module, "launch.spv")

typedef struct session {
  DPCTLSyclDeviceRef device;
  DPCTLSyclContextRef context;
  DPCTLSyclQueueRef queue;
  DPCTLSyclKernelRef empty, arguments;
  int *memory;
} session;

/* The one libpi_opencl.so in this process, as the kernel has it mapped. */
static char *mapped_plugin(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4096], *found = NULL;
  while (maps && fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    const char *name = path ? strrchr(path, '/') : NULL;
    if (!name || strcmp(name, "/libpi_opencl.so") != 0)
      continue;
    if (found && strcmp(found, path) != 0)
      bench_die("two plugins are mapped, %s and %s", found, path);
    if (!found)
      found = strdup(path);
  }
  if (maps)
    fclose(maps);
  if (!found)
    bench_die("no libpi_opencl.so is mapped");
  return found;
}

static void *required(void *result, const char *call) {
  if (!result)
    bench_die("%s failed", call);
  return result;
}

static session open_session(void) {
  session made;
  made.device = required(DPCTLDevice_Create(), "DPCTLDevice_Create");
  made.context = required(DPCTLContext_Create(made.device, NULL, 0), "DPCTLContext_Create");
  made.queue = required(DPCTLQueue_Create(made.context, made.device, NULL, 0), "DPCTLQueue_Create");
  DPCTLSyclKernelBundleRef bundle =
      required(DPCTLKernelBundle_CreateFromSpirv(made.context, made.device, empty_module_begin,
                                                 SPECPI_EMBED_SIZE(empty_module), ""),
               "DPCTLKernelBundle_CreateFromSpirv");
  made.empty =
      required(DPCTLKernelBundle_GetKernel(bundle, "empty"), "DPCTLKernelBundle_GetKernel");
  made.arguments = required(DPCTLKernelBundle_GetKernel(bundle, "five_arguments"),
                            "DPCTLKernelBundle_GetKernel");
  DPCTLKernelBundle_Delete(bundle);
  made.memory = required(DPCTLmalloc_shared(64 * sizeof(int), made.queue), "DPCTLmalloc_shared");
  memset(made.memory, 0, 64 * sizeof(int));
  return made;
}

static void close_session(const session *of) {
  DPCTLfree_with_queue((DPCTLSyclUSMRef)of->memory, of->queue);
  DPCTLKernel_Delete(of->arguments);
  DPCTLKernel_Delete(of->empty);
  DPCTLQueue_Delete(of->queue);
  DPCTLContext_Delete(of->context);
  DPCTLDevice_Delete(of->device);
}

/* dpctl takes three sizes, whatever the number of dimensions. */
static const size_t one[3] = {1, 1, 1};

static DPCTLSyclEventRef submit_empty(const session *on) {
  return required(DPCTLQueue_SubmitRange(on->empty, on->queue, NULL, NULL, 0, one, 1, NULL, 0),
                  "DPCTLQueue_SubmitRange");
}

static DPCTLSyclEventRef submit_arguments(const session *on, int number) {
  int pair[2] = {number, 1};
  float fraction = 0.5f;
  void *values[] = {on->memory, on->memory + 1, &pair[0], &pair[1], &fraction};
  const DPCTLKernelArgType types[] = {DPCTL_VOID_PTR, DPCTL_VOID_PTR, DPCTL_INT32_T, DPCTL_INT32_T,
                                      DPCTL_FLOAT32_T};
  return required(
      DPCTLQueue_SubmitRange(on->arguments, on->queue, values, types, 5, one, 1, NULL, 0),
      "DPCTLQueue_SubmitRange");
}

static void finish(DPCTLSyclEventRef event) {
  DPCTLEvent_Wait(event);
  DPCTLEvent_Delete(event);
}

static void wait_each(const session *on, int count) {
  for (int i = 0; i < count; i++)
    finish(submit_empty(on));
}

static void flood(const session *on, int count) {
  for (int i = 0; i < count; i++)
    DPCTLEvent_Delete(submit_empty(on));
  DPCTLQueue_Wait(on->queue);
}

/* The kernel adds number to memory[0], so that a launch that does nothing is noticed. */
static void arguments_each(const session *on, int count) {
  int expected = on->memory[0];
  for (int i = 0; i < count; i++) {
    finish(submit_arguments(on, i));
    expected += i;
  }
  if (on->memory[0] != expected)
    bench_die("the kernel made %d, expected %d", on->memory[0], expected);
}

static void obey(const session *on, const char *order, int count) {
  const double start = bench_now(), thread_start = bench_thread_time();
  if (strcmp(order, "wait") == 0)
    wait_each(on, count);
  else if (strcmp(order, "flood") == 0)
    flood(on, count);
  else if (strcmp(order, "arguments") == 0)
    arguments_each(on, count);
  else
    bench_die("%s is not an order", order);
  const double elapsed = bench_now() - start;
  printf("%.0f %.0f\n", elapsed, bench_thread_time() - thread_start);
}

int main(void) {
  const session on = open_session();
  const char *name = DPCTLDevice_GetName(on.device);
  char *plugin = mapped_plugin();
  printf("ready %s\t%s\n", name, plugin);
  fflush(stdout);
  free(plugin);
  DPCTLCString_Delete(name);

  for (char order[64]; fgets(order, sizeof order, stdin);) {
    char *blank = strchr(order, ' ');
    if (!blank)
      bench_die("an order has no number: %s", order);
    *blank = '\0';
    obey(&on, order, (int)strtol(blank + 1, NULL, 10));
    fflush(stdout);
  }
  close_session(&on);
  return 0;
}
