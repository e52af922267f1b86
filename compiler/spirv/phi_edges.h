/* Blocks to which several edges lead from one block. */
#ifndef COMPILER_PHI_EDGES_H
#define COMPILER_PHI_EDGES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Puts a block on edges that lead from one block to the same other one, as cases of a switch do,
 * where the other one has phis: LLVM's have an entry for each edge, SPIR-V's one for each block.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result phi_edges(LLVMValueRef function);

#endif
