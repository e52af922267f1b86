/* Hints against unrolling loops that are not worth it. */
#ifndef NVPTX_UNROLL_HINTS_H
#define NVPTX_UNROLL_HINTS_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Forbids unrolling of loops around barriers that would become long. Code between two barriers
 * cannot move across them, so a copy for each iteration enables no optimisation. Loops whose
 * counter indexes a private array are left alone, because unrolling turns the array into registers;
 * so are loops with a hint. In modules with barriers, it first promotes variables to registers.
 * Errors are OUT_OF_MEMORY and those of passes_run.
 */
specpi_compiler_result unroll_hints_write(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
