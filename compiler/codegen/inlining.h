/* Removes the marks by which compilers forbid inlining. */
#ifndef CODEGEN_INLINING_H
#define CODEGEN_INLINING_H

#include <llvm-c/Core.h>

/*
 * Lets functions be inlined and optimised that a compiler only did not optimise itself: clang -O0
 * forbids it for all functions, for kernels too, where it means nothing. Else every array that goes
 * through a function stays in memory. What a program forbids for some of its functions stays.
 */
void inlining_settle(LLVMModuleRef module);

#endif
