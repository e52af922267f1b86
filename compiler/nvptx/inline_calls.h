/* Inlines the calls that LLVM's inliner has left in a module for NVPTX. */
#ifndef SPECPI_COMPILER_INLINE_CALLS_H
#define SPECPI_COMPILER_INLINE_CALLS_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/*
 * Inlines every call of a function that the module defines, whatever the function's size. Functions
 * that forbid inlining or call themselves are left. So are all others once the module would exceed
 * a few times its size, because nested calls can multiply it. *ret_changed is set if any call was
 * inlined.
 *
 * The reason: NVIDIA's compiler assumes that a warp's lanes have converged after the call of a
 * function in the same PTX. On an H200 they had not, if a loop in the function had several exits: a
 * barrier did not wait for all lanes, and a shared counter was incremented twice (ptxas 12.4, 12.9,
 * 13.0, 13.2 and 13.5; not 12.0, and not if the PTX goes through the driver's linker).
 */
specpi_compiler_result inline_calls(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                    bool *ret_changed);

#endif
