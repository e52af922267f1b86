/* The CUDA plugin over the test driver, libcuda.so.1 of test/drivers/cuda. */
#include "backend.h"

#include "../../plugins/cuda/driver.h"
#include "../drivers/cuda/fake_cuda.h"
#include "../support/embed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

SPECPI_EMBED(patch, "probe.patch.ptx")
SPECPI_EMBED(emulate, "probe.emulate.ptx")

static const backend_call hints[] = {{NULL, NULL}};

static const backend_call releases[] = {{NULL, NULL}};

const backend_info backend = {
    .bindless_images = true,
    .external_memory = true,
    .peers = true,
    .usm_import = true,
    .failures = {{CUDA_ERROR_OUT_OF_MEMORY, PI_ERROR_OUT_OF_RESOURCES},
                 {CUDA_ERROR_UNKNOWN, PI_ERROR_UNKNOWN}},
    .hints = hints,
    .releases = releases,
    .replay = "cuGraphLaunch",
};

const void *backend_code(void) {
  return patch_begin;
}

size_t backend_code_size(void) {
  return SPECPI_EMBED_SIZE(patch);
}

/* Constants in a buffer, which a build has to allocate. */
const void *backend_other_code(void) {
  return emulate_begin;
}

size_t backend_other_code_size(void) {
  return SPECPI_EMBED_SIZE(emulate);
}

void driver_fail(const char *call, unsigned long nth, int code) {
  fake_cuda_fail(call, nth, (CUresult)code);
}

/* The driver tells symbols, the plugin the names without their versions. */
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

/* Streams and events go back to the pools of their queue, and live as long as it. */
size_t driver_live(void) {
  return fake_cuda_live_all() - fake_cuda_live(FAKE_STREAM) - fake_cuda_live(FAKE_EVENT);
}

size_t driver_list(char *text, size_t size) {
  return fake_cuda_list(text, size);
}

bool backend_load(void) {
  return cuda_load();
}

const char *backend_load_error(void) {
  return cuda_load_error();
}

const char *const backend_needed_calls[] = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount",
                                            "cuDeviceGet", NULL};
const char *const backend_helpful_calls[] = {NULL};
