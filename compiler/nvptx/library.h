/* Libraries of bitcode that a module is linked with. */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Returns whether a function that is declared is one for a library to define: not LLVM's own, nor
 * what a CUDA driver provides.
 */
bool library_may_define(LLVMValueRef function);

/*
 * Links what the module uses, and does not define, of the bitcode file at path; a module that uses
 * nothing of the kind needs no library, and then only a file is looked for. diagnostic is where the
 * context's handler leaves LLVM's errors, "" before.
 * FILE: it cannot be read. INVALID_MODULE: LLVM cannot read it, or not link it.
 */
specpi_compiler_result library_link(LLVMModuleRef module, const char *path, const char *diagnostic);

#endif
