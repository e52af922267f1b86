/* Multiple edges between the same two blocks. */
#ifndef COMPILER_PHI_EDGES_H
#define COMPILER_PHI_EDGES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * If several edges (e.g. cases of a switch) lead from one block to the same block with phis,
 * inserts a block on these edges. LLVM's phis have an entry for each edge, SPIR-V's one for each
 * block. OUT_OF_MEMORY.
 */
specpi_compiler_result phi_edges(LLVMValueRef function);

#endif
