/* Hints for loops, e.g. to unroll them, as far as SPIR-V allows. */
#ifndef COMPILER_LOOP_HINTS_H
#define COMPILER_LOOP_HINTS_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Removes llvm.loop from loops for which the translator would write an invalid OpLoopMerge: loops
 * of one block, loops whose end it does not find, and loops whose branch back can also leave the
 * loop, unless it is the function's only loop. With -O1, clang gives each loop a hint. Call this
 * after block_order. OUT_OF_MEMORY.
 */
specpi_compiler_result loop_hints_check(LLVMModuleRef module);

/*
 * Returns whether a branch is the end of a loop with a hint; kind is the metadata kind of
 * "llvm.loop" in the branch's context.
 */
bool loop_hints_has(LLVMValueRef branch, unsigned kind);

#endif
