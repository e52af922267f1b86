/* The calls between functions that inlining leaves in a module for NVPTX. */
#ifndef SPECPI_COMPILER_INLINE_CALLS_H
#define SPECPI_COMPILER_INLINE_CALLS_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/*
 * Inlines every call of a function that the module defines, whatever the function's size; but none
 * of a function that forbids it or calls itself, and no more than a few times what the module has,
 * for calls of calls grow with their powers. ret_changed: whether there were any.
 *
 * NVIDIA's compiler takes a warp's lanes for together after the call of a function in the same PTX.
 * On an H200 they were not, where the function's loops had several ends: a barrier did not wait for
 * all, and what the lanes count in common was counted twice (ptxas 12.4, 12.9, 13.0, 13.2 and 13.5;
 * not 12.0, and not where the PTX goes through the driver's linker).
 */
specpi_compiler_result inline_calls(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                    bool *ret_changed);

#endif
