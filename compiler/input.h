/* The module object. */
#ifndef COMPILER_INPUT_H
#define COMPILER_INPUT_H

#include "context.h"

struct specpi_compiler_module_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm; /* passed LLVM's verifier, and no symbol has a NUL in its name */
};

/*
 * Refuses a module with a NUL in a symbol's name, which bitcode allows. SPIR-V, PTX, property sets
 * and this code would end the name there. where is the module's path or name, for the message.
 */
specpi_compiler_result input_check_names(LLVMModuleRef module, const char *where);

#endif
