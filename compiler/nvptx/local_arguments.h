/* Kernel arguments that are local memory, which the launch provides. */
#ifndef COMPILER_LOCAL_ARGUMENTS_H
#define COMPILER_LOCAL_ARGUMENTS_H

#include "../error.h"

#include <llvm-c/Core.h>

/* Where the offsets begin, and what the largest type of OpenCL needs: 16 numbers of 64 bits. */
#define LOCAL_ARGUMENTS_ALIGNMENT 128

/* The dynamic shared memory: a declaration without a size, made when it is first asked for. */
LLVMValueRef local_arguments_memory(LLVMModuleRef module);

/*
 * Replaces the kernel's arguments that are pointers to local memory by offsets of 32 bits in
 * the dynamic shared memory of the launch, as NVPTX has one such memory only, and nobody but the
 * code knows where it begins. *ret is the kernel, or what replaces it. Pointers have no types.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result local_arguments_replace(LLVMModuleRef module, LLVMValueRef kernel,
                                               LLVMValueRef *ret);

#endif
