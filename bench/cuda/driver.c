#include "driver.h"

#include "../support/report.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bare_driver bare;
nvrtc_functions nvrtc;
static CUdevice device;

typedef struct symbol {
  const char *name;
  size_t offset;
} symbol;

static const symbol driver_symbols[] = {
#define DRIVER_SYMBOL(name, symbol, version) {symbol, offsetof(bare_driver, name)},
    DRIVER_FUNCTIONS(DRIVER_SYMBOL)
#undef DRIVER_SYMBOL
};

static const symbol nvrtc_symbols[] = {
#define NVRTC_SYMBOL(name, symbol, parameters) {symbol, offsetof(nvrtc_functions, name)},
    NVRTC_FUNCTIONS(NVRTC_SYMBOL)
#undef NVRTC_SYMBOL
};

/* Resolves symbols. Returns the name of one that the library lacks, or NULL. */
static const char *resolve_symbols(void *library, const symbol *symbols, size_t count,
                                   void *table) {
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address)
      return symbols[i].name;
    memcpy((char *)table + symbols[i].offset, &address, sizeof address);
  }
  return NULL;
}
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

void driver_check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = NULL;
  bare.GetErrorName(result, &name);
  bench_die("%s failed: %s (%d)", call, name ? name : "an unknown error", (int)result);
}

void driver_open(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    bench_die("%s", dlerror());
  const char *missing = resolve_symbols(library, driver_symbols, COUNT(driver_symbols), &bare);
  if (missing)
    bench_die("libcuda.so.1 has no %s", missing);
  CUcontext context;
  BARE(Init, 0);
  BARE(DeviceGet, &device, 0);
  BARE(DevicePrimaryCtxRetain, &context, device);
  BARE(CtxSetCurrent, context);
}

void driver_close(void) {
  BARE(DevicePrimaryCtxRelease, device);
}

int driver_architecture(void) {
  int major, minor;
  BARE(DeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  BARE(DeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  return major * 10 + minor;
}

bool nvrtc_open(void) {
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "libnvrtc.so.11.2"};
  void *library = NULL;
  for (size_t i = 0; i < COUNT(names) && !library; i++)
    library = dlopen(names[i], RTLD_NOW);
  return library && !resolve_symbols(library, nvrtc_symbols, COUNT(nvrtc_symbols), &nvrtc);
}

void *nvrtc_build(const char *source, int option_count, const char *const *options) {
  nvrtc_program program;
  size_t size = 0;
  if (nvrtc.create(&program, source, "kernel.cu", 0, NULL, NULL) != 0)
    bench_die("nvrtcCreateProgram failed");
  if (nvrtc.compile(program, option_count, options) != 0) {
    nvrtc.log_size(program, &size);
    char *log = calloc(size + 1, 1);
    if (log)
      nvrtc.log(program, log);
    bench_die("NVRTC refuses the source: %s", log ? log : "");
  }
  void *binary = NULL;
  if (nvrtc.binary_size(program, &size) == 0)
    binary = malloc(size);
  if (!binary || nvrtc.binary(program, binary) != 0)
    bench_die("NVRTC gives no cubin");
  nvrtc.destroy(&program);
  return binary;
}
