/* OpenCL 2.0's functions of generic pointers, which libclc lacks for NVPTX. */
#ifndef SPECPI_COMPILER_POINTER_KINDS_H
#define SPECPI_COMPILER_POINTER_KINDS_H

#include <llvm-c/Core.h>

/*
 * Defines to_global, to_local, to_private and get_fence with the GPU's address tests, if the module
 * declares them.
 */
void pointer_kinds_write(LLVMModuleRef module);

#endif
