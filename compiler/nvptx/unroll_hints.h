/* Hints against unrolling loops that are not worth it. */
#ifndef NVPTX_UNROLL_HINTS_H
#define NVPTX_UNROLL_HINTS_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Forbids unrolling of loops that would become long, after promoting variables to registers. Loops
 * whose counter indexes a private array are left alone, because unrolling turns the array into
 * registers; so are loops with a hint. Loops around barriers stay forbidden: code between two
 * barriers cannot move across them, so a copy for each iteration enables no optimisation. Errors
 * are OUT_OF_MEMORY and those of passes_run. At levels above 2 only loops around barriers get
 * hints.
 */
specpi_compiler_result unroll_hints_write(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                          unsigned level);

/*
 * Allows as many copies of the other loops' bodies as are short, or all iterations, now that the
 * bodies are simplified. Call this before the passes that unroll by hints. At other levels than 2
 * there are no such loops. OUT_OF_MEMORY.
 */
specpi_compiler_result unroll_hints_settle(LLVMModuleRef module);

#endif
