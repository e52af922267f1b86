/* Kernel arguments in local memory, which the launch allocates. */
#ifndef COMPILER_LOCAL_ARGUMENTS_H
#define COMPILER_LOCAL_ARGUMENTS_H

#include "../error.h"

#include <llvm-c/Core.h>

/* Alignment in bytes of the memory: that of OpenCL's largest type, 16 numbers of 64 bits. */
#define LOCAL_ARGUMENTS_ALIGNMENT 128

/* Returns the declaration of the dynamic shared memory, which has no size. The first call makes it.
 */
LLVMValueRef local_arguments_memory(LLVMModuleRef module);

/*
 * Replaces a kernel's pointer arguments to local memory by 32-bit offsets into the launch's dynamic
 * shared memory, because NVPTX has only one such memory, and only the code knows its address. *ret
 * is the kernel or its replacement. Expects opaque pointers. OUT_OF_MEMORY.
 */
specpi_compiler_result local_arguments_replace(LLVMModuleRef module, LLVMValueRef kernel,
                                               LLVMValueRef *ret);

#endif
