/* Types of LLVM that SPIR-V for kernels does not have. */
#ifndef COMPILER_ODD_TYPES_H
#define COMPILER_ODD_TYPES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces odd types by scalars that SPIR-V has: integers of other widths than 1, 8, 16, 32 and 64,
 * and vectors of other sizes than 2, 3, 4, 8 and 16. LLVM's optimiser makes such types from
 * ordinary code. Call this after block_order.
 *
 * INVALID_MODULE: an integer of another width remains, because it is a parameter, in a structure,
 * or in an operation that has no replacement; the message has the function and the instruction.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result odd_types_replace(LLVMModuleRef module);

#endif
