#include "driver.h"

#include "../base/error.h"
#include "../base/load.h"
#include "../objects/driver.h"
#include "probe.h"

#include <pthread.h>

level_zero_driver ze;

static bool is_loaded;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static const load_symbol driver_symbols[] = {
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

static const char library_name[] = "libze_loader.so.1";

static bool load_symbols(void *library) {
  level_zero_driver loaded = {0};
  if (!load_functions(library, library_name, driver_symbols,
                      sizeof driver_symbols / sizeof driver_symbols[0], &loaded))
    return false;
  ze = loaded;
  return true;
}

static bool init_driver(void) {
  char reason[1024];
  probe_answer answer;
  probe_ask(&ze, &answer);
  if (!probe_allows(&answer, reason, sizeof reason))
    return load_refuse(answer.outcome == PROBE_WORKS ? PI_SUCCESS : PI_NOTE_DRIVER_BROKEN, "%s",
                       reason);
  const ze_result_t result = ze.Init(0);
  return result == ZE_RESULT_SUCCESS ||
         load_refuse(PI_SUCCESS, "zeInit failed with 0x%x", (unsigned)result);
}

static void load_driver(void) {
  void *library = load_library(library_name);
  is_loaded = library && load_symbols(library) && init_driver();
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
      load_store(ret, symbols[i].offset, address);
  }
}

bool driver_load(void) {
  pthread_once(&load_once, load_driver);
  return is_loaded;
}
