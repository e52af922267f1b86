/* OpenCL's printf, which is CUDA's vprintf. */
#ifndef CODEGEN_PRINT_H
#define CODEGEN_PRINT_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes each call of printf one of vprintf, with the arguments in a structure of the function's
 * own, and a format that CUDA knows: a vector's elements one by one, lengths as the arguments have
 * them. Pointers have no types, and the module is for spir64. INVALID_MODULE: the format and the
 * arguments do not fit each other, there are more than CUDA prints, or a vector goes with a format
 * that is known only when the kernel runs. OUT_OF_MEMORY.
 */
specpi_compiler_result print_replace(LLVMModuleRef module);

#endif
