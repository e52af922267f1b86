#include "libclang.h"

#include "error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

libclang_table libclang;

/* X(file): what to open, in this order: what the build found, and the names that systems give it.
 */
#define LIBCLANG_FILES(X)                                                                          \
  X(SPECPI_LIBCLANG_FILE)                                                                          \
  X("libclang-15.so.15")                                                                           \
  X("libclang-15.so.1")                                                                            \
  X("libclang.so.15")

static const struct {
  const char *name;
  size_t offset;
} functions[] = {
#define LIBCLANG_FUNCTION(name) {"clang_" #name, offsetof(libclang_table, name)},
    LIBCLANG_FUNCTIONS(LIBCLANG_FUNCTION)
#undef LIBCLANG_FUNCTION
};

/* Message of the failed load, for every thread; NULL when the table is filled. */
static const char *failure;

static void *open_library(void) {
#define LIBCLANG_FILE(file) file,
  static const char *const files[] = {LIBCLANG_FILES(LIBCLANG_FILE)};
#undef LIBCLANG_FILE
  void *library = NULL;
  for (size_t i = 0; i < sizeof files / sizeof files[0] && library == NULL; i++)
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void load_library(void) {
  void *library = open_library();
  if (library == NULL) {
#define LIBCLANG_NAME(file) " " file
    failure =
        "the host's side of C++ is read with libclang 15 (on Debian the package libclang1-15), "
        "which cannot be opened; these were tried:" LIBCLANG_FILES(LIBCLANG_NAME);
#undef LIBCLANG_NAME
    return;
  }
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *address = dlsym(library, functions[i].name);
    if (address == NULL)
      failure = "the libclang of this machine is not version 15: it lacks a function";
    memcpy((char *)&libclang + functions[i].offset, &address, sizeof address);
  }
}

host_result libclang_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_library);
  HOST_REQUIRE(failure == NULL, HOST_ERROR_NO_LIBCLANG, "%s", failure);
  return HOST_SUCCESS;
}
