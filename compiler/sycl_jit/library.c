#include "library.h"

#include "../error.h"

#include <dlfcn.h>
#include <string.h>

/* The classes of the library's C++ header, as C structures with their layout on x86-64. */
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

specpi_compiler_result jit_compile(const char *path, const jit_source *source, jit_result *ret) {
  /* The library stays open, because the result belongs to it. */
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
