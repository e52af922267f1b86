#define _GNU_SOURCE /* dlopen's flags */
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values from CUDA's driver interface. */
enum {
  CAPABILITY_MAJOR = 75,
  CAPABILITY_MINOR = 76,
  OPTION_ERROR_LOG = 5,
  OPTION_ERROR_LOG_SIZE = 6,
};

cuda_functions cuda;
static void *library;
static cuda_device device;

static const struct {
  const char *symbol;
  size_t offset;
} symbols[] = {
#define CUDA_FUNCTION(name, symbol, arguments) {symbol, offsetof(cuda_functions, name)},
    CUDA_FUNCTIONS(CUDA_FUNCTION)
#undef CUDA_FUNCTION
};

static const char *name_of(cuda_result result) {
  const char *name = NULL;
  cuda.error_name(result, &name);
  return name ? name : "an unknown error";
}

void cuda_require(cuda_result result, const char *call) {
  if (result == 0)
    return;
  fprintf(stderr, "%s: %s (%d)\n", call, name_of(result), result);
  exit(1);
}

static bool resolve(void) {
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *address = dlsym(library, symbols[i].symbol);
    if (!address) {
      printf("libcuda has no %s\n", symbols[i].symbol);
      return false;
    }
    memcpy((char *)&cuda + symbols[i].offset, &address, sizeof address);
  }
  return true;
}

bool cuda_open(void) {
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("no libcuda: %s\n", dlerror());
    return false;
  }
  if (!resolve())
    return false;
  const cuda_result result = cuda.init(0);
  if (result != 0 || cuda.device_get(&device, 0) != 0) {
    printf("no device: cuInit gives %s\n", name_of(result));
    return false;
  }
  char name[128] = "";
  int version = 0;
  int major = 0;
  int minor = 0;
  CUDA_CALL(cuda.driver_version(&version));
  CUDA_CALL(cuda.device_name(name, sizeof name, device));
  CUDA_CALL(cuda.device_attribute(&major, CAPABILITY_MAJOR, device));
  CUDA_CALL(cuda.device_attribute(&minor, CAPABILITY_MINOR, device));
  printf("device: %s, sm_%d%d, CUDA %d.%d\n", name, major, minor, version / 1000,
         version % 1000 / 10);
  cuda_context context;
  CUDA_CALL(cuda.primary_retain(&context, device));
  CUDA_CALL(cuda.set_current(context));
  return true;
}

void cuda_close(void) {
  CUDA_CALL(cuda.primary_release(device));
}

/* Loads the text again to print the compiler's log. */
static void explain(const char *text) {
  static char log[4096];
  int options[] = {OPTION_ERROR_LOG, OPTION_ERROR_LOG_SIZE};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  cuda_module module;
  if (cuda.module_load_options(&module, text, 2, options, values) == 0)
    cuda.module_unload(module);
  fprintf(stderr, "%.*s\n", (int)sizeof log, log);
}

cuda_module cuda_load(const char *text, const char *what) {
  cuda_module module = NULL;
  const cuda_result result = cuda.module_load(&module, text);
  if (result == 0)
    return module;
  fprintf(stderr, "%s: cuModuleLoadData: %s\n", what, name_of(result));
  explain(text);
  return NULL;
}
