/* The output object: a lowered module with facts about its constants and kernels. */
#ifndef COMPILER_OUTPUT_H
#define COMPILER_OUTPUT_H

#include "../plugins/base/vector.h"
#include "context.h"

/* The arguments of a kernel's source that its function lacks, because they were removed. */
typedef struct output_mask {
  size_t kernel;       /* index of the kernel */
  uint32_t count;      /* number of arguments in the source */
  unsigned char *bits; /* a bit for each, from the least significant one on; 1 if it was removed */
} output_mask;

/* A kernel, or a function that other images may call, and a constant that it uses. */
typedef struct output_user {
  const char *constant;
  const char *name;
} output_user;

/* A list that owns its names. */
typedef VECTOR(char *) output_names;

struct specpi_compiler_output_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm;
  LLVMContextRef context; /* of the module alone; NULL: it is in the compiler's */
  specpi_compiler_mode mode;
  VECTOR(specpi_compiler_constant) constants; /* each owns its name and descriptors */
  bool replaced; /* there were constants, and their defaults have replaced all uses */
  unsigned char *defaults;
  size_t default_size;
  VECTOR(specpi_compiler_kernel) kernels; /* each owns its name */
  VECTOR(output_mask) masks;              /* of kernels that have one; each owns its bits */
  VECTOR(uint32_t) aspects; /* numbers of SYCL's aspects that the module needs, ascending */
  specpi_compiler_optimization optimization;
  char *unit_id;                      /* id of a C++ unit; NULL for other modules */
  output_names required;              /* constants without a default */
  VECTOR(output_user) required_users; /* their users; the other lists own the names */
  output_names exported;              /* functions that other images may call */
  output_names imported;              /* functions that other images define */
  output_names calls; /* for each imported function, a text that locates its call, or "" */
  output_names imported_constants; /* constants whose default another unit has */
  output_names objects;            /* pairs: a kernel, and the description of its function object */
  VECTOR(char *) warnings;
  VECTOR(char *) codes; /* generated code */
  struct {
    char *bytes; /* NULL until it is requested */
    size_t size;
  } forms[SPECPI_COMPILER_FORM_COUNT];
};

/* Returns whether a list contains a name. */
bool output_has(const output_names *names, const char *name);

/* Adds a name that malloc has allocated, and takes ownership of it, also on failure. A NULL name
 * means that its allocation failed. OUT_OF_MEMORY. */
specpi_compiler_result output_add(output_names *names, char *name);

/* Writes the constants as JSON (docs/internals/compiler.md); the caller frees *ret. INVALID_NAME,
 * OUT_OF_MEMORY. */
specpi_compiler_result output_json(specpi_compiler_output output, char **ret, size_t *size);

#endif
