/*
 * DPC++'s device compiler in libsycl's wheel: the library that libsycl loads to compile SYCL at run
 * time. It is opened at run time, and not linked.
 */
#ifndef SYCL_JIT_LIBRARY_H
#define SYCL_JIT_LIBRARY_H

#include <specpi/compiler.h>

#include <stddef.h>
#include <stdint.h>

/*
 * X(name): the libraries whose function has the layouts below, newest first. The wheels
 * intel-sycl-rt 2026.0 to 2026.2 have them. The name changes with the layouts, so no other names
 * are tried.
 */
#define JIT_LIBRARIES(X)                                                                           \
  X("libsycl-jit.so.23.1")                                                                         \
  X("libsycl-jit.so.22.1")

/*
 * Arguments and result of the library's function, in the layout of sycl-jit's headers (intel/llvm,
 * sycl-jit/common/include). The library owns the result, which stays until the process ends.
 */
typedef struct jit_bytes {
  const unsigned char *data;
  size_t size;
} jit_bytes;

typedef struct jit_property {
  const char *name;
  bool is_number;
  uint32_t number;
  jit_bytes bytes; /* the value, after its length in bits */
} jit_property;

typedef struct jit_set {
  const char *name;
  const jit_property *properties;
  size_t count;
} jit_set;

typedef struct jit_image {
  uint32_t format;
  uint64_t address_bits;
  jit_bytes code;
  const char *const *kernels; /* names of the kernels */
  size_t kernel_count;
  const jit_set *sets;
  size_t set_count;
} jit_image;

typedef struct jit_result {
  uint32_t error; /* 0 if there is none */
  const jit_image *images;
  size_t image_count;
  const char *build_options;
  jit_bytes ir;
  const char *log; /* clang's messages; NULL or "" if there are none */
} jit_result;

/* A source with its compiler options. */
typedef struct jit_source {
  const char *path;
  const char *text;
  const char *const *options; /* options of clang */
  size_t option_count;
} jit_source;

/*
 * Opens such a library by its path, and compiles a source to SPIR-V images. FILE: the library
 * cannot be opened. INTERNAL: the library lacks the function. For errors in the source it returns
 * SUCCESS, and *ret has the errors.
 */
specpi_compiler_result jit_compile(const char *path, const jit_source *source, jit_result *ret);

#endif
