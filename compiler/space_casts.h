/* Casts of pointers between address spaces. */
#ifndef SPECPI_COMPILER_SPACE_CASTS_H
#define SPECPI_COMPILER_SPACE_CASTS_H

#include <llvm-c/Core.h>

/* The address space of a pointer, or of the pointers in a vector. */
unsigned space_casts_of(LLVMValueRef value);

/*
 * Calls replacement for every such cast in a module's functions and initial values: instructions
 * and constant expressions, those inside others first. The value that it returns takes the place of
 * the cast; NULL leaves it.
 */
void space_casts_replace(LLVMModuleRef module, LLVMValueRef (*replacement)(LLVMValueRef cast));

/*
 * Makes NULL of what a module for NVPTX casts from one space that is not generic to another, for
 * which there is no instruction, and of NULL of every other space. OpenCL's to_global of a local
 * pointer is such a cast after optimisation.
 */
void space_casts_settle(LLVMModuleRef module);

#endif
