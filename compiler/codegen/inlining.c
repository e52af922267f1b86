#include "inlining.h"

#include "../attributes.h"

#include <stdbool.h>
#include <stddef.h>

static const char *const forbidding[] = {"optnone", "noinline"};

enum { FORBIDDING = sizeof forbidding / sizeof forbidding[0] };

static bool is_forbidden_kernel(LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || LLVMGetFunctionCallConv(function) != LLVMSPIRKERNELCallConv)
    return false;
  for (size_t i = 0; i < FORBIDDING; i++)
    if (attributes_has(function, forbidding[i]))
      return true;
  return false;
}

void inlining_settle(LLVMModuleRef module) {
  bool is_unoptimised = false;
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value))
    is_unoptimised |= is_forbidden_kernel(value);
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL && is_unoptimised;
       value = LLVMGetNextFunction(value))
    for (size_t i = 0; i < FORBIDDING; i++)
      attributes_remove_from_calls(value, forbidding[i]);
}
