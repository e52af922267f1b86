/* The order of functions' blocks, and of the variables in the first block. */
#ifndef COMPILER_BLOCK_ORDER_H
#define COMPILER_BLOCK_ORDER_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Moves each block before the blocks that it dominates, and unreachable blocks to the end. Moves
 * the variables of a function's first block (allocas of constant size) to its start. SPIR-V
 * requires both orders, but LLVM's optimiser does not keep them, and the translator does not
 * restore them. OUT_OF_MEMORY.
 */
specpi_compiler_result block_order(LLVMModuleRef module);

#endif
