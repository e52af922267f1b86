#include "sycl_unit.h"

#include <stdlib.h>
#include <string.h>

/* A function of the C++ runtime, which LLVM needs, too. The caller frees the text. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* Returns a mangled name's readable form, or a copy of otherwise if it is not mangled. */
static char *demangle(const char *mangled, const char *otherwise) {
  int status = 0;
  char *text = __cxa_demangle(mangled, NULL, NULL, &status);
  return text != NULL ? text : strdup(otherwise);
}

char *sycl_readable_kernel(const char *name) {
  static const char type[] = "_ZTS";
  const size_t size = sizeof type - 1;
  return strncmp(name, type, size) == 0 ? demangle(name + size, name) : strdup(name);
}

char *sycl_readable_text(const char *name) {
  return strncmp(name, "_Z", 2) == 0 && strncmp(name, "_ZTS", 4) != 0 ? demangle(name, name)
                                                                      : sycl_readable_kernel(name);
}

char *sycl_readable_name(LLVMValueRef value) {
  size_t length;
  return sycl_readable_text(LLVMGetValueName2(value, &length));
}
