#include "driver.h"

#include "../base/error.h"
#include "../base/load.h"
#include "../objects/driver.h"

#include <dlfcn.h>
#include <pthread.h>

cuda_driver cu;
int cuda_driver_version;
int cuda_device_count;

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

static const char library_name[] = "libcuda.so.1";

/*
 * Finds a function in the form that it had in a version of CUDA. Falls back to dlsym if the driver
 * has no cuGetProcAddress, or if that does not know the name.
 */
static void *find_function(void *library, PFN_cuGetProcAddress_v11030 get, const char *name,
                           const char *symbol, int version) {
  void *address = NULL;
  if (get && get(name, &address, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM) == CUDA_SUCCESS &&
      address)
    return address;
  return dlsym(library, symbol);
}

static bool load_symbols(void *library) {
  PFN_cuGetProcAddress_v11030 get;
  load_store(&get, 0, dlsym(library, "cuGetProcAddress"));
  cuda_driver loaded = {0};
  for (size_t i = 0; i < sizeof driver_symbols / sizeof driver_symbols[0]; i++) {
    void *address = find_function(library, get, driver_symbols[i].name, driver_symbols[i].symbol,
                                  driver_symbols[i].version);
    if (!address && driver_symbols[i].required)
      return load_refuse_symbol(library_name, driver_symbols[i].symbol);
    load_store(&loaded, driver_symbols[i].offset, address);
  }
  cu = loaded;
  return true;
}

static bool check_call(CUresult code, const char *call) {
  if (code == CUDA_SUCCESS)
    return true;
  const char *name = NULL;
  const bool named = cu.GetErrorName(code, &name) == CUDA_SUCCESS && name;
  return load_refuse(PI_SUCCESS, "%s does not work: %s failed with %s (%d)", library_name, call,
                     named ? name : "an unknown error", (int)code);
}

static void load_devices(void) {
  int version = 0, count = 0;
  /* Checks the version before cuInit: if the driver is old, that is the more useful message. */
  if (!check_call(cu.DriverGetVersion(&version), "cuDriverGetVersion"))
    return;
  if (version < CUDA_DRIVER_MINIMUM) {
    load_refuse(PI_NOTE_DRIVER_OLD, "%s is of CUDA %d.%d; %d.%d or later is needed", library_name,
                version / 1000, version % 1000 / 10, CUDA_DRIVER_MINIMUM / 1000,
                CUDA_DRIVER_MINIMUM % 1000 / 10);
    return;
  }
  if (!check_call(cu.Init(0), "cuInit") ||
      !check_call(cu.DeviceGetCount(&count), "cuDeviceGetCount"))
    return;
  if (count == 0)
    load_refuse(PI_SUCCESS, "%s knows no device", library_name);
  cuda_driver_version = version;
  cuda_device_count = count;
}

static void load_driver(void) {
  void *library = load_library(library_name);
  if (library && load_symbols(library))
    load_devices();
}

bool driver_load(void) {
  pthread_once(&load_once, load_driver);
  return cuda_device_count != 0;
}
