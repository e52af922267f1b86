/* The module object. */
#ifndef COMPILER_INPUT_H
#define COMPILER_INPUT_H

#include "context.h"

struct specpi_compiler_module_object {
  specpi_compiler compiler;
  LLVMModuleRef llvm; /* valid: the verifier has seen it, and no symbol has a NUL in its name */
};

/*
 * Refuses a module with a NUL in a symbol's name, as bitcode may have it: SPIR-V, PTX and property
 * sets end the name there, and so do we. where is what was read, for the message.
 */
specpi_compiler_result input_check_names(LLVMModuleRef module, const char *where);

#endif
