/* Variables in local memory. PTX allows a kernel 48 KiB of them; GPUs have several times as much.
 */
#ifndef SPECPI_COMPILER_LOCAL_VARIABLES_H
#define SPECPI_COMPILER_LOCAL_VARIABLES_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/*
 * Moves all local variables of kernels that have more than 48 KiB of them to the start of the
 * dynamic shared memory. The launch has to reserve the kernel's local_memory bytes there, before
 * the local memory of arguments. Variables that no kernel uses together may overlap.
 *
 * If a module compares a local pointer with NULL, no variable is placed at address 0, where a
 * work-group's memory starts before sm_90. Kernels that do such a comparison get no argument there
 * either.
 *
 * Call this after optimisation. LIMIT, OUT_OF_MEMORY.
 */
specpi_compiler_result local_variables_place(LLVMModuleRef module, LLVMTargetDataRef layout,
                                             specpi_compiler_output output);

#endif
