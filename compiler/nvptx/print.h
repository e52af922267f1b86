/* OpenCL's printf, implemented with CUDA's vprintf. */
#ifndef COMPILER_PRINT_H
#define COMPILER_PRINT_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces each call of printf by one of vprintf. The arguments go into a private structure. The
 * format is rewritten for CUDA: it prints a vector's elements one by one, and its lengths are those
 * of the arguments. The module is for NVPTX and has opaque pointers. INVALID_MODULE: format and
 * arguments do not match, there are more arguments than CUDA prints, or a vector is printed with a
 * format that is known only when the kernel runs. OUT_OF_MEMORY.
 */
specpi_compiler_result print_replace(LLVMModuleRef module);

#endif
