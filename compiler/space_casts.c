#include "space_casts.h"

#include "visit.h"

#include <stdbool.h>
#include <stddef.h>

enum { GENERIC_SPACE = 0 };

typedef LLVMValueRef replace_cast(LLVMValueRef cast);

static void replace_in_constant(LLVMValueRef value, replace_cast *replacement) {
  if (LLVMIsAConstant(value) == NULL || LLVMIsAGlobalValue(value) != NULL)
    return;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    replace_in_constant(LLVMGetOperand(value, (unsigned)i), replacement);
  if (LLVMIsAConstantExpr(value) == NULL || LLVMGetConstOpcode(value) != LLVMAddrSpaceCast)
    return;
  LLVMValueRef made = replacement(value);
  if (made != NULL)
    LLVMReplaceAllUsesWith(value, made);
}

static void replace_in_instruction(void *data, LLVMValueRef value) {
  replace_cast *const replacement = *(replace_cast **)data;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    replace_in_constant(LLVMGetOperand(value, (unsigned)i), replacement);
  LLVMValueRef made = LLVMIsAAddrSpaceCastInst(value) != NULL ? replacement(value) : NULL;
  if (made == NULL)
    return;
  LLVMReplaceAllUsesWith(value, made);
  LLVMInstructionEraseFromParent(value);
}

void space_casts_replace(LLVMModuleRef module, replace_cast *replacement) {
  visit_instructions(module, replace_in_instruction, &replacement);
  for (LLVMValueRef value = LLVMGetFirstGlobal(module); value != NULL;
       value = LLVMGetNextGlobal(value))
    if (LLVMGetInitializer(value) != NULL)
      replace_in_constant(LLVMGetInitializer(value), replacement);
}

unsigned space_casts_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetPointerAddressSpace(
      LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

static LLVMValueRef null_cast(LLVMValueRef cast) {
  LLVMValueRef from = LLVMGetOperand(cast, 0);
  const bool has_instruction =
      space_casts_of(from) == GENERIC_SPACE || space_casts_of(cast) == GENERIC_SPACE;
  return LLVMIsNull(from) || !has_instruction ? LLVMConstNull(LLVMTypeOf(cast)) : NULL;
}

void space_casts_settle(LLVMModuleRef module) {
  space_casts_replace(module, null_cast);
}
