/* The functions that an instruction calls. */
#ifndef COMPILER_CALLS_H
#define COMPILER_CALLS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/*
 * The function that an instruction calls directly, with its own type; NULL for others. With opaque
 * pointers a call may have another function type than what it calls; LLVM inlines none of these.
 */
static inline LLVMValueRef called_function(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
  return function != NULL &&
                 LLVMGetCalledFunctionType(instruction) == LLVMGlobalGetValueType(function)
             ? function
             : NULL;
}

#endif
