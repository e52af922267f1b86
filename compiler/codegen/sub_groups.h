/* The size of sub-groups, which the device library reads from a function of the module. */
#ifndef CODEGEN_SUB_GROUPS_H
#define CODEGEN_SUB_GROUPS_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Defines that function: the size that the module's kernels require, or 32, of which sizes of 8 and
 * 16 are segments. That they require it is taken off them. INVALID_KERNEL: they require sizes that
 * differ, or others. OUT_OF_MEMORY.
 */
specpi_compiler_result sub_groups_settle(LLVMModuleRef module);

#endif
