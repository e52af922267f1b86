/* Changes of kernels' argument types. */
#ifndef COMPILER_KERNEL_ARGUMENTS_H
#define COMPILER_KERNEL_ARGUMENTS_H

#include "../error.h"

#include <llvm-c/Core.h>

/* Callbacks that change arguments; data is passed to them. */
typedef struct argument_change {
  /* Returns the new type of the parameter at an index, from 0, or NULL if it does not change. */
  LLVMTypeRef (*type_of)(LLVMValueRef parameter, unsigned index, void *data);
  /* Builds, at the kernel's start, the old parameter's value from the new parameter. */
  LLVMValueRef (*value_of)(LLVMBuilderRef builder, LLVMValueRef made, LLVMTypeRef old, void *data);
  void *data;
} argument_change;

/*
 * Replaces a kernel whose arguments change by a new one with the same name, metadata and
 * attributes. *ret is the new kernel, or the old one if no argument changes. OUT_OF_MEMORY.
 */
specpi_compiler_result kernel_arguments_change(LLVMModuleRef module, LLVMValueRef kernel,
                                               const argument_change *change, LLVMValueRef *ret);

#endif
