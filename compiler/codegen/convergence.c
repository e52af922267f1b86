#include "convergence.h"

#include "../attributes.h"

void convergence_settle(LLVMModuleRef module) {
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it))
    if (LLVMGetIntrinsicID(it) == 0)
      attributes_add(it, "convergent");
}
