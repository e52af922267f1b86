/* Loops that are not worth their unrolling. */
#ifndef NVPTX_UNROLL_HINTS_H
#define NVPTX_UNROLL_HINTS_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Forbids to unroll loops around barriers whose code would be long: what lies between two barriers
 * is not moved across them, so that a copy of it for each step gives the compiler nothing to do. A
 * loop that counts through an array in private memory is left alone, because the array becomes
 * registers where it is unrolled; and so is one for which somebody has given a hint. In a module
 * with barriers variables become registers first. OUT_OF_MEMORY, or as passes_run.
 */
specpi_compiler_result unroll_hints_write(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
