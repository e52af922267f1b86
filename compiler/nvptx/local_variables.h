/* Variables in local memory, of which PTX allows a kernel 48 KiB, and GPUs several times as much.
 */
#ifndef SPECPI_COMPILER_LOCAL_VARIABLES_H
#define SPECPI_COMPILER_LOCAL_VARIABLES_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/*
 * Moves all local variables of a kernel that has more than 48 KiB of them to the start of the
 * dynamic shared memory, where the launch has to put them before the local memory of arguments: the
 * kernel's local_memory says how much. Variables that no kernel has in common may have the same
 * place.
 *
 * In a module that compares a local pointer with NULL no variable lies at address 0, which is where
 * a group's memory begins before sm_90, and kernels that do so have no argument there either.
 *
 * Comes after optimisation. LIMIT, OUT_OF_MEMORY.
 */
specpi_compiler_result local_variables_place(LLVMModuleRef module, LLVMTargetDataRef layout,
                                             specpi_compiler_output output);

#endif
