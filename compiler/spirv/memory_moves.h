/* Moves of memory whose source and destination may overlap. */
#ifndef COMPILER_MEMORY_MOVES_H
#define COMPILER_MEMORY_MOVES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces llvm.memmove, which SPIR-V does not have: by two copies over a variable of the function
 * where it is short, and by a call of a function with a loop otherwise. The translator would make
 * the variable where the move stands, which is no place for one, and refuses lengths that are not
 * constant. OUT_OF_MEMORY.
 */
specpi_compiler_result memory_moves(LLVMModuleRef module);

#endif
