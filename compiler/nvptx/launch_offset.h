/* Launches with an offset, which NVPTX does not know. */
#ifndef COMPILER_LAUNCH_OFFSET_H
#define COMPILER_LAUNCH_OFFSET_H

#include "../output.h"

#include <llvm-c/TargetMachine.h>

/* Suffix of a kernel's entry for launches with an offset. */
#define LAUNCH_OFFSET_SUFFIX "_with_offset"

/* A variable that both modules use, and the linkage that it had. */
typedef struct launch_offset_variable {
  LLVMValueRef variable;
  LLVMLinkage linkage;
} launch_offset_variable;

/* The entries for launches with an offset, in a module of their own. Zero: there are none. */
typedef struct launch_offset {
  LLVMModuleRef entries; /* or NULL */
  VECTOR(launch_offset_variable) variables;
  /*
   * After launch_offset_join: the function of the module from which on there is nothing but
   * entries, which the module does not need to be whole. NULL when there is no such function.
   */
  LLVMValueRef first;
} launch_offset;

/*
 * Makes, for each of the output's kernels that asks for get_global_id or get_global_offset, itself
 * or in a function that it calls, an entry <kernel>_with_offset, whose arguments are those of the
 * kernel and then the offset, three numbers of 32 bits. What stands between an entry and what asks
 * is inlined there. A kernel in which not all of that can be inlined, because it calls itself or
 * goes through a pointer, has no such entry. Entries have no debug information.
 *
 * The entries are in a module of their own, so that the kernels are optimised as if there were
 * none. Variables which both share are visible until launch_offset_join. The module is linked with
 * its libraries, and is as settled as it will be.
 *
 * *ret is to be released, after an error as well.
 * INVALID_MODULE: something has the name of an entry. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result launch_offset_split(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                           specpi_compiler_output output, launch_offset *ret);

/* Makes get_global_offset 0 in the kernels. */
void launch_offset_clear(LLVMModuleRef module);

/* Adds the entries to the module, once both are optimised. INTERNAL: LLVM cannot. */
specpi_compiler_result launch_offset_join(LLVMModuleRef module, launch_offset *offset);

void launch_offset_free(launch_offset *offset);

#endif
