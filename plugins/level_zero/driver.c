#include "driver.h"

#include "../base/error.h"
#include "../objects/driver.h"
#include "probe.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

level_zero_driver ze;

static char load_error[1024];
static int load_code; /* PI_NOTE_DRIVER_.., or 0 */
static bool is_loaded;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static const struct {
  const char *symbol;
  bool required;
  size_t offset;
} driver_symbols[] = {
#define LEVEL_ZERO_SYMBOL(name) {"ze" #name, true, offsetof(level_zero_driver, name)},
    LEVEL_ZERO_REQUIRED(LEVEL_ZERO_SYMBOL)
#undef LEVEL_ZERO_SYMBOL
#define LEVEL_ZERO_SYMBOL(name) {"ze" #name, false, offsetof(level_zero_driver, name)},
        LEVEL_ZERO_OPTIONAL(LEVEL_ZERO_SYMBOL)
#undef LEVEL_ZERO_SYMBOL
#define LEVEL_ZERO_SYMBOL(name, parameters) {"ze" #name, false, offsetof(level_zero_driver, name)},
            LEVEL_ZERO_NEWER(LEVEL_ZERO_SYMBOL)
#undef LEVEL_ZERO_SYMBOL
};

static bool load_symbols(void *library) {
  level_zero_driver loaded = {0};
  for (size_t i = 0; i < sizeof driver_symbols / sizeof driver_symbols[0]; i++) {
    void *address = dlsym(library, driver_symbols[i].symbol);
    if (!address && driver_symbols[i].required) {
      load_code = PI_NOTE_DRIVER_OLD;
      snprintf(load_error, sizeof load_error, "libze_loader.so.1 has no %s",
               driver_symbols[i].symbol);
      return false;
    }
    /* C has no conversion between object and function pointers; copying the bytes is POSIX's way.
     */
    memcpy((char *)&loaded + driver_symbols[i].offset, &address, sizeof address);
  }
  ze = loaded;
  return true;
}

static void load(void) {
  /* Never closed: drivers keep threads and thread-local data that must not lose their code. */
  void *library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    load_code = PI_NOTE_DRIVER_ABSENT;
    snprintf(load_error, sizeof load_error, "libze_loader.so.1 could not be loaded: %s", dlerror());
    return;
  }
  if (!load_symbols(library))
    return;
  probe_answer answer;
  probe_ask(&ze, &answer);
  if (!probe_allows(&answer, load_error, sizeof load_error)) {
    load_code = answer.outcome == PROBE_WORKS ? PI_SUCCESS : PI_NOTE_DRIVER_BROKEN;
    return;
  }
  const ze_result_t result = ze.Init(0);
  if (result != ZE_RESULT_SUCCESS) {
    snprintf(load_error, sizeof load_error, "zeInit failed with 0x%x", (unsigned)result);
    return;
  }
  is_loaded = true;
}

void level_zero_find_extensions(ze_driver_handle_t driver, level_zero_extensions *ret) {
  static const struct {
    const char *symbol;
    size_t offset;
  } symbols[] = {
#define LEVEL_ZERO_SYMBOL(name, symbol, parameters) {symbol, offsetof(level_zero_extensions, name)},
      LEVEL_ZERO_EXTENSIONS(LEVEL_ZERO_SYMBOL)
#undef LEVEL_ZERO_SYMBOL
  };
  *ret = (level_zero_extensions){0};
  if (!ze.DriverGetExtensionFunctionAddress)
    return;
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *address = NULL;
    if (ze.DriverGetExtensionFunctionAddress(driver, symbols[i].symbol, &address) ==
        ZE_RESULT_SUCCESS)
      memcpy((char *)ret + symbols[i].offset, &address, sizeof address);
  }
}

bool driver_load(void) {
  pthread_once(&load_once, load);
  return is_loaded;
}

const char *level_zero_load_error(void) {
  driver_load();
  return load_error;
}

pi_result level_zero_load_code(void) {
  driver_load();
  return (pi_result)load_code;
}
