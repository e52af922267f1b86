#include "dimensions.h"

#include "../calls.h"

/* Builds a select between a copy of the call, whose dimension is limited to 0 to 2, and the result
 * for dimensions beyond. */
static LLVMValueRef choose_result(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef beyond) {
  LLVMValueRef dimension = LLVMGetOperand(call, 0);
  LLVMTypeRef type = LLVMTypeOf(dimension);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef is_known =
      LLVMBuildICmp(builder, LLVMIntULT, dimension, LLVMConstInt(type, DIMENSION_COUNT, 0), "");
  LLVMValueRef copy = LLVMInstructionClone(call);
  LLVMSetOperand(copy, 0, LLVMBuildSelect(builder, is_known, dimension, LLVMConstNull(type), ""));
  LLVMInsertIntoBuilder(builder, copy);
  return LLVMBuildSelect(builder, is_known, copy, beyond, "");
}

static void bound_call(LLVMBuilderRef builder, LLVMValueRef call, unsigned result) {
  LLVMValueRef dimension = LLVMGetOperand(call, 0);
  LLVMValueRef beyond = LLVMConstInt(LLVMTypeOf(call), result, 0);
  if (LLVMIsAConstantInt(dimension) == NULL)
    beyond = choose_result(builder, call, beyond);
  else if (LLVMConstIntGetZExtValue(dimension) < DIMENSION_COUNT)
    return;
  LLVMReplaceAllUsesWith(call, beyond);
  LLVMInstructionEraseFromParent(call);
}

static void bound_calls(LLVMModuleRef module, LLVMBuilderRef builder, const char *name,
                        unsigned result) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function == NULL || !LLVMIsDeclaration(function))
    return;
  /* Copies of calls become new uses at the start of the list, so they are not visited again. */
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (called_function(user) == function && LLVMGetNumArgOperands(user) == 1 &&
        LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) == LLVMIntegerTypeKind)
      bound_call(builder, user, result);
  }
}

void dimensions_bound(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
#define DIMENSION_FUNCTION(number, name, result) bound_calls(module, builder, name, result);
  DIMENSION_FUNCTIONS(DIMENSION_FUNCTION)
#undef DIMENSION_FUNCTION
  LLVMDisposeBuilder(builder);
}
