/* Memory moves whose source and destination may overlap. */
#ifndef COMPILER_MEMORY_MOVES_H
#define COMPILER_MEMORY_MOVES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces llvm.memmove, which SPIR-V does not have. A short move becomes two copies over a
 * variable of the function, a longer one a call of a function with a loop. The translator cannot do
 * this: it would make the variable at the move instead of at the function's start, and refuses
 * lengths that are not constant. OUT_OF_MEMORY.
 */
specpi_compiler_result memory_moves(LLVMModuleRef module);

#endif
