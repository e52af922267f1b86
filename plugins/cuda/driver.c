#include "driver.h"

#include "../base/error.h"
#include "../objects/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

cuda_driver cu;
int cuda_driver_version;
int cuda_device_count;

static char load_error[512];
static int load_code; /* PI_NOTE_DRIVER_.., or 0 */
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static const struct {
  const char *name;   /* for cuGetProcAddress */
  const char *symbol; /* for dlsym */
  int version;
  bool required;
  size_t offset;
} driver_symbols[] = {
#define CUDA_SYMBOL(name, symbol, version)                                                         \
  {"cu" #name, symbol, version, true, offsetof(cuda_driver, name)},
    CUDA_REQUIRED(CUDA_SYMBOL)
#undef CUDA_SYMBOL
#define CUDA_SYMBOL(name, symbol, version)                                                         \
  {"cu" #name, symbol, version, false, offsetof(cuda_driver, name)},
        CUDA_OPTIONAL(CUDA_SYMBOL)
#undef CUDA_SYMBOL
};

/* C has no conversion between object and function pointers; copying the bytes is POSIX's way. */
static void store_function(void *function, void *address) {
  memcpy(function, &address, sizeof address);
}

/*
 * The form of a function that a version of CUDA had. dlsym serves drivers without cuGetProcAddress,
 * and names that it does not know.
 */
static void *find(void *library, PFN_cuGetProcAddress_v11030 get, const char *name,
                  const char *symbol, int version) {
  void *address = NULL;
  if (get && get(name, &address, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM) == CUDA_SUCCESS &&
      address)
    return address;
  return dlsym(library, symbol);
}

static bool load_symbols(void *library) {
  PFN_cuGetProcAddress_v11030 get;
  store_function(&get, dlsym(library, "cuGetProcAddress"));
  cuda_driver loaded = {0};
  for (size_t i = 0; i < sizeof driver_symbols / sizeof driver_symbols[0]; i++) {
    void *address = find(library, get, driver_symbols[i].name, driver_symbols[i].symbol,
                         driver_symbols[i].version);
    if (!address && driver_symbols[i].required) {
      load_code = PI_NOTE_DRIVER_OLD;
      snprintf(load_error, sizeof load_error, "libcuda.so.1 has no %s", driver_symbols[i].symbol);
      return false;
    }
    store_function((char *)&loaded + driver_symbols[i].offset, address);
  }
  cu = loaded;
  return true;
}

static bool succeeded(CUresult code, const char *call) {
  if (code == CUDA_SUCCESS)
    return true;
  const char *name = NULL;
  const bool named = cu.GetErrorName(code, &name) == CUDA_SUCCESS && name;
  snprintf(load_error, sizeof load_error, "libcuda.so.1 does not work: %s failed with %s (%d)",
           call, named ? name : "an unknown error", (int)code);
  return false;
}

static void load_devices(void) {
  int version = 0, count = 0;
  /* The version first: the function works without cuInit, and an old driver is the reason to tell.
   */
  if (!succeeded(cu.DriverGetVersion(&version), "cuDriverGetVersion"))
    return;
  if (version < CUDA_DRIVER_MINIMUM) {
    load_code = PI_NOTE_DRIVER_OLD;
    snprintf(load_error, sizeof load_error,
             "libcuda.so.1 is of CUDA %d.%d; %d.%d or later is needed", version / 1000,
             version % 1000 / 10, CUDA_DRIVER_MINIMUM / 1000, CUDA_DRIVER_MINIMUM % 1000 / 10);
    return;
  }
  if (!succeeded(cu.Init(0), "cuInit") || !succeeded(cu.DeviceGetCount(&count), "cuDeviceGetCount"))
    return;
  if (count == 0)
    snprintf(load_error, sizeof load_error, "libcuda.so.1 knows no device");
  cuda_driver_version = version;
  cuda_device_count = count;
}

static void load(void) {
  /* Never closed: the driver keeps threads and thread-local data that must not lose their code. */
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    load_code = PI_NOTE_DRIVER_ABSENT;
    snprintf(load_error, sizeof load_error, "libcuda.so.1 could not be loaded: %s", dlerror());
    return;
  }
  if (load_symbols(library))
    load_devices();
}

bool driver_load(void) {
  pthread_once(&load_once, load);
  return cuda_device_count != 0;
}

const char *cuda_load_error(void) {
  driver_load();
  return load_error;
}

pi_result cuda_load_code(void) {
  driver_load();
  return (pi_result)load_code;
}
