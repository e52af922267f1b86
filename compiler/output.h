/* The output object: a lowered module and what is known about its constants. */
#ifndef COMPILER_OUTPUT_H
#define COMPILER_OUTPUT_H

#include "context.h"
#include "vector.h"

/* Which arguments of a kernel's source its function does not have any more. */
typedef struct output_mask {
  size_t kernel; /* index */
  uint32_t count;
  unsigned char *bits; /* from the least significant one up; 1: it does not */
} output_mask;

/* A kernel, or a function that other images may call, and a constant that it uses. */
typedef struct output_user {
  const char *constant;
  const char *name;
} output_user;

/* Names, each of which is the list's. */
typedef VECTOR(char *) output_names;

struct specpi_compiler_output_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm;
  specpi_compiler_mode mode;
  VECTOR(specpi_compiler_constant) constants; /* each owns its name and descriptors */
  bool replaced; /* there were constants, and each use is its default now */
  unsigned char *defaults;
  size_t default_size;
  VECTOR(specpi_compiler_kernel) kernels; /* each owns its name */
  VECTOR(output_mask) masks;              /* each owns its bits; of kernels that tell */
  VECTOR(uint32_t) aspects; /* numbers of SYCL's aspects that the module needs, ascending */
  specpi_compiler_optimization optimization;
  char *unit_id;                      /* of a C++ unit; NULL for other modules */
  output_names required;              /* constants without a default */
  VECTOR(output_user) required_users; /* of these; names are those of the other lists */
  output_names exported;              /* functions that other images of units may call */
  output_names imported;              /* functions that these define */
  output_names calls; /* of each, how a person finds the call of it; "" where that is unknown */
  output_names imported_constants; /* those of which another unit has the default */
  output_names objects;            /* kernels, each before what its function object has in it */
  VECTOR(char *) warnings;
  VECTOR(char *) codes; /* what was generated from it */
  struct {
    char *bytes; /* NULL until somebody asks */
    size_t size;
  } forms[SPECPI_COMPILER_FORM_COUNT];
};

/* Returns whether a list of names has one. */
bool output_has(const output_names *names, const char *name);

/* Adds a name, which is malloc's and may be NULL for want of memory, on failure too. OUT_OF_MEMORY.
 */
specpi_compiler_result output_add(output_names *names, char *name);

/* The constants as JSON, as docs/internals/compiler.md says; the caller frees *ret. INVALID_NAME,
 * OUT_OF_MEMORY. */
specpi_compiler_result output_json(specpi_compiler_output output, char **ret, size_t *size);

#endif
