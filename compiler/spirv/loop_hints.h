/* Hints for loops, such as to unroll them, as far as SPIR-V can have them. */
#ifndef COMPILER_LOOP_HINTS_H
#define COMPILER_LOOP_HINTS_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Takes the note llvm.loop from loops for which the translator would write an OpLoopMerge that is
 * not valid: loops of one block, loops of which it does not find the end, and where the branch back
 * can also leave the loop, unless it is the function's only one. Clang gives a hint to each loop
 * with -O1. Blocks stand in the order of block_order. OUT_OF_MEMORY.
 */
specpi_compiler_result loop_hints_check(LLVMModuleRef module);

/*
 * Returns true for a branch that ends a loop for which somebody has given a hint; kind is that of
 * "llvm.loop" in the branch's context.
 */
bool loop_hints_has(LLVMValueRef branch, unsigned kind);

#endif
