/* The function that an instruction calls. */
#ifndef COMPILER_CALLS_H
#define COMPILER_CALLS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/*
 * Returns the function that an instruction calls directly and with the function's own type;
 * otherwise NULL. With opaque pointers, a call may have another type than its function; LLVM does
 * not inline such calls.
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
