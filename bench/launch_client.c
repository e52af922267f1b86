/*
 * A client of bench-launch and bench-level_zero-launch: a SYCL program that uses dpctl's C library.
 * It launches kernels through the libsycl and the plugin that it finds, on these orders:
 *   wait N           N times: an empty kernel, and the wait for it
 *   flood N          N empty kernels, then one wait for all of them
 *   arguments N      N times: a kernel with five arguments, and the wait for it
 * The program's argument is the plugin's file name, by default libpi_opencl.so.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "support/orders.h"
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

/* Returns the path of the only mapped file with this name. Ends the program if there are others. */
static char *mapped_plugin(const char *plugin) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4096], *found = NULL;
  while (maps && fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/');
    line[strcspn(line, "\n")] = '\0';
    const char *name = path ? strrchr(path, '/') : NULL;
    if (!name || strcmp(name + 1, plugin) != 0)
      continue;
    if (found && strcmp(found, path) != 0)
      bench_die("two plugins are mapped, %s and %s", found, path);
    if (!found)
      found = strdup(path);
  }
  if (maps)
    fclose(maps);
  if (!found)
    bench_die("no %s is mapped", plugin);
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

/* dpctl always takes three sizes. */
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

static void finish_event(DPCTLSyclEventRef event) {
  DPCTLEvent_Wait(event);
  DPCTLEvent_Delete(event);
}

static void wait_each(void *session_of, int count) {
  const session *on = session_of;
  for (int i = 0; i < count; i++)
    finish_event(submit_empty(on));
}

static void flood(void *session_of, int count) {
  const session *on = session_of;
  for (int i = 0; i < count; i++)
    DPCTLEvent_Delete(submit_empty(on));
  DPCTLQueue_Wait(on->queue);
}

/* The kernel adds i to memory[0], so that a launch without effect is noticed. */
static void arguments_each(void *session_of, int count) {
  const session *on = session_of;
  int expected = on->memory[0];
  for (int i = 0; i < count; i++) {
    finish_event(submit_arguments(on, i));
    expected += i;
  }
  if (on->memory[0] != expected)
    bench_die("the kernel made %d, expected %d", on->memory[0], expected);
}

int main(int argc, char **argv) {
  static const bench_order orders[] = {
      {"wait", wait_each}, {"flood", flood}, {"arguments", arguments_each}, {0}};
  session on = open_session();
  const char *name = DPCTLDevice_GetName(on.device);
  char *plugin = mapped_plugin(argc > 1 ? argv[1] : "libpi_opencl.so");
  bench_obey(name, plugin, orders, &on);
  free(plugin);
  DPCTLCString_Delete(name);
  close_session(&on);
  return 0;
}
