/* Sub-group sizes of kernels. Code for NVPTX calls __specpi_sub_group_size to read them. */
#ifndef COMPILER_SUB_GROUP_SIZES_H
#define COMPILER_SUB_GROUP_SIZES_H

#include "../output.h"

#include <llvm-c/TargetMachine.h>

/*
 * Declares that function in a module whose libraries call it. The module's kernels may then require
 * sub-groups of 8 and 16, which are segments of a warp. In other modules, sub-groups are warps.
 */
void sub_group_sizes_allow(LLVMModuleRef module);

/* Checks the kernels' required sizes. INVALID_KERNEL: a kernel requires an unsupported size. */
specpi_compiler_result sub_group_sizes_check(LLVMModuleRef module, specpi_compiler_output output);

/*
 * Makes the function return each kernel's size: the required one, or 32. If kernels have different
 * sizes, functions that ask for the size are inlined into the kernels, and other modules cannot
 * call them. Call this after the module was linked with its libraries. INVALID_KERNEL: such a
 * function cannot be inlined. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result sub_group_sizes_write(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                             specpi_compiler_output output);

#endif
