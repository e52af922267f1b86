/* OpenCL's printf, which is CUDA's vprintf. */
#ifndef COMPILER_PRINT_H
#define COMPILER_PRINT_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes each call of printf one of vprintf, with the arguments in a structure of the function's
 * own, and a format that CUDA knows: a vector's elements one by one, lengths as the arguments have
 * them. The module is for NVPTX, and its pointers have no types. INVALID_MODULE: the format and the
 * arguments do not fit each other, there are more than CUDA prints, or a vector goes with a format
 * that is known only when the kernel runs. OUT_OF_MEMORY.
 */
specpi_compiler_result print_replace(LLVMModuleRef module);

#endif
