/*
 * The compiler object: an LLVM context whose errors come back to the caller.
 */
#ifndef COMPILER_CONTEXT_H
#define COMPILER_CONTEXT_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct specpi_compiler_object {
  LLVMContextRef llvm;
  bool broken;           /* after a fatal error inside LLVM nothing in it can be used or freed */
  char diagnostic[1024]; /* the latest error that LLVM reported through its handler, or "" */
};

/*
 * Runs body(data) so that a fatal error inside LLVM returns from here as
 * SPECPI_COMPILER_ERROR_INTERNAL, with LLVM's reason; the compiler is broken then. All
 * that body reaches of LLVM must belong to this compiler. Does not nest.
 * INTERNAL also when the compiler is broken already.
 */
specpi_compiler_result context_run(specpi_compiler compiler,
                                   specpi_compiler_result (*body)(void *data), void *data);

/*
 * Makes one more LLVM context, whose errors go to this compiler's diagnostic: LLVM's own way is to
 * end the process. The caller disposes of it.
 */
LLVMContextRef context_new_llvm(specpi_compiler compiler);

#endif
