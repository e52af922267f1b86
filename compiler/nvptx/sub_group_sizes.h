/* The size of a kernel's sub-groups, which code for NVPTX reads from a function. */
#ifndef COMPILER_SUB_GROUP_SIZES_H
#define COMPILER_SUB_GROUP_SIZES_H

#include "../output.h"

#include <llvm-c/TargetMachine.h>

/*
 * Declares that function in a module whose libraries go by it: its kernels may require sub-groups
 * of 8 and 16, which are segments of a warp. The sub-groups of other modules are warps.
 */
void sub_group_sizes_allow(LLVMModuleRef module);

/* INVALID_KERNEL: a kernel of the output's requires sub-groups of a size that there is not. */
specpi_compiler_result sub_group_sizes_check(LLVMModuleRef module, specpi_compiler_output output);

/*
 * Makes the function each kernel's size: the one it requires, or 32. Where kernels have several
 * sizes, functions that ask for it are inlined into the kernels, and other modules cannot call
 * them. The module is linked with its libraries. INVALID_KERNEL: one of those functions cannot be
 * inlined. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result sub_group_sizes_write(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                             specpi_compiler_output output);

#endif
