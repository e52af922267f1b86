/* Casts of pointers between address spaces. */
#ifndef SPECPI_COMPILER_SPACE_CASTS_H
#define SPECPI_COMPILER_SPACE_CASTS_H

#include <llvm-c/Core.h>

/* Returns the address space of a pointer, or of a vector of pointers. */
unsigned space_casts_of(LLVMValueRef value);

/*
 * Calls replacement for every such cast in a module's functions and initial values: instructions
 * and constant expressions, the innermost first. The returned value replaces the cast; if it is
 * NULL, the cast stays.
 */
void space_casts_replace(LLVMModuleRef module, LLVMValueRef (*replacement)(LLVMValueRef cast));

/*
 * Replaces two kinds of casts in a module for NVPTX by NULL: casts of NULL, and casts between two
 * address spaces neither of which is generic, because there is no instruction for them. OpenCL's
 * to_global of a local pointer becomes such a cast after optimisation.
 */
void space_casts_settle(LLVMModuleRef module);

#endif
