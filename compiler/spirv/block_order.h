/* The order in which the blocks of functions stand, and what the first one begins with. */
#ifndef COMPILER_BLOCK_ORDER_H
#define COMPILER_BLOCK_ORDER_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Moves blocks so that each stands before those that it dominates: SPIR-V requires it, LLVM's
 * optimiser does not keep it, and the translator leaves blocks where they are. Blocks that
 * cannot be reached come last. For the same reason the variables of a function's first block,
 * which are its allocas of constant size, come before all else there. OUT_OF_MEMORY.
 */
specpi_compiler_result block_order(LLVMModuleRef module);

#endif
