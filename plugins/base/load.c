#include "load.h"

#include "error.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char load_error[1024];
static int load_code; /* PI_NOTE_DRIVER_.., or 0 */

bool load_refuse(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(load_error, sizeof load_error, format, arguments);
  va_end(arguments);
  load_code = code;
  return false;
}

bool load_refuse_symbol(const char *file, const char *symbol) {
  return load_refuse(PI_NOTE_DRIVER_OLD, "%s has no %s", file, symbol);
}

const char *load_reason(void) {
  return load_error;
}

void load_report(void) {
  plugin_error((pi_result)load_code, "%s", load_error);
}

/* Never closes a library, because drivers keep threads and thread-local data that need its code. */
void *load_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    load_refuse(PI_NOTE_DRIVER_ABSENT, "%s could not be loaded: %s", file, dlerror());
  return library;
}

/* Copies the bytes, because C has no conversion from object pointers to function pointers. */
void load_store(void *table, size_t offset, void *address) {
  memcpy((char *)table + offset, &address, sizeof address);
}

bool load_functions(void *library, const char *file, const load_symbol *symbols, size_t count,
                    void *table) {
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(library, symbols[i].symbol);
    if (!address && symbols[i].is_required)
      return load_refuse_symbol(file, symbols[i].symbol);
    load_store(table, symbols[i].offset, address);
  }
  return true;
}
