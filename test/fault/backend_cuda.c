/* The CUDA plugin over the fake driver, libcuda.so.1 of fakes/cuda. */
#include "backend.h"

#include "../../fakes/cuda/fake_cuda.h"
#include "../../plugins/cuda/driver.h"
#include "../../plugins/objects/driver.h"
#include "../support/embed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

SPECPI_EMBED(patch, "probe.patch.ptx")
SPECPI_EMBED(emulate, "probe.emulate.ptx")

/*
 * If a query fails, the plugin assumes that the driver does not know it. If a wait for an event
 * fails, the event's command has failed. Releases make a context current, and go on without one.
 */
static const backend_call hints[] = {
    {"*", "cuCtxGetCurrent"},
    {"*", "cuCtxSetCurrent"},
    {"*", "cuDeviceGetAttribute"},
    {"*", "cuPointerGetAttribute"},
    {"*", "cuPointerGetAttributes"},
    {"*", "cuMemGetAddressRange"},
    {"*", "cuEventSynchronize"},
    {"piEnqueueMemBufferMap", "cuMemHostAlloc"},
    {"first_map", "cuMemHostAlloc"},
    {"piEventGetInfo", "cuEventQuery"},
    {"piEventGetProfilingInfo", "cuEventQuery"},
    {"piextUSMFree", "cuCtxSynchronize"},
    {"buffer_of_used_memory", "cuMemHostRegister"},
    {"write_behind_a_gate", "cuStreamQuery"},
    {"read_behind_a_gate", "cuStreamQuery"},
    {NULL, NULL},
};

/* Calls after a command that is already in a stream, which cannot take it back. */
static const char *const late[] = {"cuCtxGetCurrent", "cuEventRecord", "cuEventSynchronize",
                                   "cuStreamSynchronize", NULL};

/* These keep a build's log only if there is memory for it. */
static const char *const modest[] = {"piProgramBuild", "piProgramCompile", "piProgramLink", NULL};

/* Other releases ignore the driver's failure: the handle is gone. */
static const backend_call releases[] = {{"piextUSMFree", "cuMemFree"}, {NULL, NULL}};

const backend_info backend = {
    .bindless_images = true,
    .bindless_samplers = true,
    .mipmaps = true,
    .external_memory = true,
    .external_semaphores = true,
    .peers = true,
    .usm_import = true,
    .stages_transfers = true,
    .empty_queues = true,
    .odd_slices = true,
    .failures = {{CUDA_ERROR_OUT_OF_MEMORY, PI_ERROR_OUT_OF_RESOURCES},
                 {CUDA_ERROR_UNKNOWN, PI_ERROR_UNKNOWN}},
    .partition = {PI_DEVICE_PARTITION_EQUALLY, 2, 0},
    .hints = hints,
    .late = late,
    .modest = modest,
    .native_programs = true,
    .releases = releases,
    .replay = "cuGraphLaunch",
};

const void *backend_code(void) {
  return patch_begin;
}

size_t backend_code_size(void) {
  return SPECPI_EMBED_SIZE(patch);
}

/* A program with constants in a buffer, which a build has to allocate. */
const void *backend_other_code(void) {
  return emulate_begin;
}

size_t backend_other_code_size(void) {
  return SPECPI_EMBED_SIZE(emulate);
}

void driver_fail(const char *call, unsigned long nth, int code) {
  fake_cuda_fail(call, nth, (CUresult)code);
}

/* The fake driver returns a symbol; the plugin's messages have its name without the version. */
const char *driver_unfail(void) {
  static char name[64];
  const char *symbol = fake_cuda_unfail();
  if (!symbol)
    return NULL;
  snprintf(name, sizeof name, "%s", symbol);
  char *version = strstr(name, "_v");
  if (version && isdigit((unsigned char)version[2]))
    *version = '\0';
  return name;
}

unsigned long driver_calls(const char *call) {
  return fake_cuda_calls(call);
}

/* Leaves out streams, events and pinned memory, which live in pools of a queue or context. */
size_t driver_live(void) {
  return fake_cuda_live_all() - fake_cuda_live(FAKE_STREAM) - fake_cuda_live(FAKE_EVENT) -
         fake_cuda_live(FAKE_HOST);
}

size_t driver_list(char *text, size_t size) {
  return fake_cuda_list(text, size);
}

bool backend_load(void) {
  return driver_load();
}

const char *const backend_needed_calls[] = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount",
                                            NULL};
const char *const backend_helpful_calls[] = {NULL};
const char *const backend_repeated_calls[] = {"cuDeviceGet", "cuDeviceGetAttribute", NULL};
