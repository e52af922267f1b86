/* Kernel launches with a global offset, which NVPTX does not have. */
#ifndef COMPILER_LAUNCH_OFFSET_H
#define COMPILER_LAUNCH_OFFSET_H

#include "../output.h"

#include <llvm-c/TargetMachine.h>

/* Suffix of a kernel's entry for launches with an offset. */
#define LAUNCH_OFFSET_SUFFIX "_with_offset"

/* A variable that both modules use, and its original linkage. */
typedef struct launch_offset_variable {
  LLVMValueRef variable;
  LLVMLinkage linkage;
} launch_offset_variable;

/* The module of the entries for launches with an offset. All zero if there are none. */
typedef struct launch_offset {
  LLVMModuleRef entries; /* or NULL */
  VECTOR(launch_offset_variable) variables;
  /*
   * After launch_offset_join: the module's first entry, if the module is complete without this and
   * all later functions; otherwise NULL.
   */
  LLVMValueRef first;
} launch_offset;

/*
 * Makes an entry <kernel>_with_offset for each of the output's kernels that calls get_global_id or
 * get_global_offset, directly or indirectly. The entry's arguments are the kernel's, followed by
 * the offset: an array of three 32-bit numbers. Functions that call them are inlined into the
 * entry. If that is impossible because of recursion or a call through a pointer, the kernel gets no
 * entry. Entries have no debug information.
 *
 * The entries are in a separate module, so that they do not affect the optimisation of the kernels.
 * Variables that both modules share are external until launch_offset_join. Call this after the
 * module was linked with its libraries, and before it is optimised.
 *
 * The caller frees *ret with launch_offset_free, also after an error.
 * INVALID_MODULE: a function or variable has the name of an entry. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result launch_offset_split(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                           specpi_compiler_output output, launch_offset *ret);

/* Replaces the module's calls of get_global_offset by 0. */
void launch_offset_clear(LLVMModuleRef module);

/* Links the entries into the module, once both are optimised. INTERNAL: LLVM cannot. */
specpi_compiler_result launch_offset_join(LLVMModuleRef module, launch_offset *offset);

void launch_offset_free(launch_offset *offset);

#endif
