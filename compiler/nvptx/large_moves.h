/* Copies, moves and fills of large objects. */
#ifndef COMPILER_LARGE_MOVES_H
#define COMPILER_LARGE_MOVES_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Replaces the calls of llvm.memcpy, llvm.memmove and llvm.memset for which LLVM 15 would write a
 * loop: of 128 bytes or more, and moves of unknown length. LLVM's loops have single bytes, and that
 * of llvm.memmove takes the destination for an address of the source's memory. Here memory is
 * accessed in units of its alignment. OUT_OF_MEMORY, INTERNAL: LLVM fails.
 */
specpi_compiler_result large_moves_lower(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
