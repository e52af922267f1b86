/* The module object. */
#ifndef COMPILER_INPUT_H
#define COMPILER_INPUT_H

#include "context.h"

struct specpi_compiler_module_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm; /* valid: the verifier has seen it */
};

#endif
