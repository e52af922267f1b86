/* Kernels whose arguments become others. */
#ifndef COMPILER_KERNEL_ARGUMENTS_H
#define COMPILER_KERNEL_ARGUMENTS_H

#include "../error.h"

#include <llvm-c/Core.h>

/* Changes of arguments; data is the caller's. */
typedef struct argument_change {
  /* The type that the parameter at an index, from 0, is to have, or NULL where nothing changes. */
  LLVMTypeRef (*type_of)(LLVMValueRef parameter, unsigned index, void *data);
  /* The value that takes the old parameter's place, of the new one, at the kernel's beginning. */
  LLVMValueRef (*value_of)(LLVMBuilderRef builder, LLVMValueRef made, LLVMTypeRef old, void *data);
  void *data;
} argument_change;

/*
 * Makes another kernel of one whose arguments change, with its name, its notes and attributes; *ret
 * is that one, or the same where none changes. OUT_OF_MEMORY.
 */
specpi_compiler_result kernel_arguments_change(LLVMModuleRef module, LLVMValueRef kernel,
                                               const argument_change *change, LLVMValueRef *ret);

#endif
