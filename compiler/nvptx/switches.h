/* Conditions of switches. */
#ifndef COMPILER_SWITCHES_H
#define COMPILER_SWITCHES_H

#include <llvm-c/Core.h>

/*
 * Gives switches over small numbers conditions of 16 bits. Comparisons of 32 bits with consecutive
 * numbers become a table of branches in NVIDIA's compiler, also if nvcc would avoid it, and a warp
 * whose work-items take different cases was three times as slow with it on an H200.
 */
void switches_narrow(LLVMModuleRef module);

#endif
