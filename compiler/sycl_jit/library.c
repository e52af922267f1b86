#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "library.h"

#include "../error.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const known[] = {
#define NAME(name) name,
    JIT_LIBRARIES(NAME)
#undef NAME
};

/* What the C++ of its header is in C, on x86-64. */
typedef struct memory_file {
  const char *path;
  const char *contents;
} memory_file;
typedef struct view {
  const void *begin;
  size_t count;
} view;
enum { FORMAT_SPIRV = 2 };
typedef jit_result compile_sycl(memory_file source, view include_files, view options, view cached,
                                bool saves_ir, uint32_t format);

/* The names of other libraries in the folder, or nothing. */
static void list_others(const char *folder, char *ret, size_t size) {
  char pattern[PATH_MAX];
  glob_t found = {0};
  ret[0] = '\0';
  snprintf(pattern, sizeof pattern, "%s/libsycl-jit.so.*", folder);
  if (glob(pattern, 0, NULL, &found) == 0)
    snprintf(ret, size, "%s", strrchr(found.gl_pathv[found.gl_pathc - 1], '/') + 1);
  globfree(&found);
}

static specpi_compiler_result find_library(const char *folder, char *ret, size_t size) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    snprintf(ret, size, "%s/%s", folder, known[i]);
    if (access(ret, R_OK) == 0)
      return SPECPI_COMPILER_SUCCESS;
  }
  char other[NAME_MAX + 1];
  list_others(folder, other, sizeof other);
  compiler_error(SPECPI_COMPILER_ERROR_FILE,
                 "%s has no compiler for SYCL that is known here (%s%s); those of the wheels "
                 "intel-sycl-rt 2026.0 to 2026.2 are: pip install intel-sycl-rt==2026.2.0",
                 folder, other[0] ? "it has " : "there is no libsycl-jit.so", other);
  return SPECPI_COMPILER_ERROR_FILE;
}

specpi_compiler_result jit_compile(const char *folder, const jit_source *source, jit_result *ret) {
  char path[PATH_MAX];
  COMPILER_TRY(find_library(folder, path, sizeof path));
  /* It stays open: what it has made does. */
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  COMPILER_REQUIRE(library, SPECPI_COMPILER_ERROR_FILE, "%s", dlerror());
  compile_sycl *compile = NULL;
  void *symbol = dlsym(library, "compileSYCL");
  COMPILER_REQUIRE(symbol, SPECPI_COMPILER_ERROR_INTERNAL, "%s has no function compileSYCL", path);
  memcpy(&compile, &symbol, sizeof symbol);
  *ret =
      compile((memory_file){source->path, source->text}, (view){NULL, 0},
              (view){source->options, source->option_count}, (view){NULL, 0}, false, FORMAT_SPIRV);
  return SPECPI_COMPILER_SUCCESS;
}
