#include "convergence.h"

#include <string.h>

void convergence_settle(LLVMModuleRef module) {
  static const char name[] = "convergent";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef convergent = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it))
    if (LLVMGetIntrinsicID(it) == 0)
      LLVMAddAttributeAtIndex(it, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, convergent);
}
