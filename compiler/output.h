/* The output object: a lowered module and what is known about its constants. */
#ifndef COMPILER_OUTPUT_H
#define COMPILER_OUTPUT_H

#include "context.h"
#include "vector.h"

struct specpi_compiler_output_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm;
  specpi_compiler_mode mode;
  VECTOR(specpi_compiler_constant) constants; /* each owns its name and descriptors */
  bool replaced; /* there were constants, and each use is its default now */
  unsigned char *defaults;
  size_t default_size;
  VECTOR(specpi_compiler_kernel) kernels; /* each owns its name */
  VECTOR(char *) warnings;
  VECTOR(char *) codes; /* what was generated from it */
  struct {
    char *bytes; /* NULL until somebody asks */
    size_t size;
  } forms[SPECPI_COMPILER_FORM_COUNT];
};

/* The constants as JSON, as docs/compiler.md says; the caller frees *ret. INVALID_NAME,
 * OUT_OF_MEMORY. */
specpi_compiler_result output_json(specpi_compiler_output output, char **ret, size_t *size);

#endif
