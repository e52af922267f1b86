/*
 * The compiler object: an LLVM context whose errors are returned to the caller.
 */
#ifndef COMPILER_CONTEXT_H
#define COMPILER_CONTEXT_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct specpi_compiler_object {
  LLVMContextRef llvm;
  bool broken;           /* LLVM had a fatal error: the context can be neither used nor freed */
  char diagnostic[1024]; /* the latest error that LLVM's handler received, or "" */
};

/*
 * Runs body(data). A fatal error inside LLVM returns from here as SPECPI_COMPILER_ERROR_INTERNAL,
 * with LLVM's reason, and the compiler is broken afterwards. All LLVM objects that body uses must
 * belong to this compiler. Calls do not nest. Also returns INTERNAL if the compiler is already
 * broken.
 */
specpi_compiler_result context_run(specpi_compiler compiler,
                                   specpi_compiler_result (*body)(void *data), void *data);

/*
 * Creates another LLVM context, whose errors go to this compiler's diagnostic; LLVM's default
 * handler would end the process. The caller disposes of the context.
 */
LLVMContextRef context_new_llvm(specpi_compiler compiler);

#endif
