/*
 * DPC++'s device compiler as libsycl's wheel has it: the library that libsycl loads to compile SYCL
 * while a program runs. Nothing of it is linked.
 */
#ifndef SYCL_JIT_LIBRARY_H
#define SYCL_JIT_LIBRARY_H

#include <specpi/compiler.h>

#include <stddef.h>
#include <stdint.h>

/*
 * X(name): the libraries whose function has these layouts, newest first: those of the wheels
 * intel-sycl-rt 2026.0 to 2026.2. The name changes with the layouts, so another one is not tried.
 */
#define JIT_LIBRARIES(X)                                                                           \
  X("libsycl-jit.so.23.1")                                                                         \
  X("libsycl-jit.so.22.1")

/*
 * Its function's arguments and result, in the layout of sycl-jit's headers (intel/llvm,
 * sycl-jit/common/include). All of it belongs to the library, and stays until the process ends.
 */
typedef struct jit_bytes {
  const unsigned char *data;
  size_t size;
} jit_bytes;

typedef struct jit_property {
  const char *name;
  bool is_number;
  uint32_t number;
  jit_bytes bytes; /* with the length in bits before the rest */
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
  const char *const *kernels; /* names */
  size_t kernel_count;
  const jit_set *sets;
  size_t set_count;
} jit_image;

typedef struct jit_result {
  uint32_t error; /* 0: none */
  const jit_image *images;
  size_t image_count;
  const char *build_options;
  jit_bytes ir;
  const char *log; /* what clang says; NULL or "" for nothing */
} jit_result;

/* A source, and the options with which it is compiled. */
typedef struct jit_source {
  const char *path;
  const char *text;
  const char *const *options; /* clang's */
  size_t option_count;
} jit_source;

/*
 * Opens such a library by its path, and compiles a source to images of SPIR-V. FILE: it cannot be
 * opened. INTERNAL: it lacks the function. Errors of the source are in *ret, with SUCCESS.
 */
specpi_compiler_result jit_compile(const char *path, const jit_source *source, jit_result *ret);

#endif
