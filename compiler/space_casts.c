#include "space_casts.h"

#include "visit.h"

#include <stdbool.h>
#include <stddef.h>

enum { GENERIC_SPACE = 0 };

typedef LLVMValueRef replace_cast(LLVMValueRef cast);

static void replace_in_constant(LLVMValueRef it, replace_cast *replacement) {
  if (LLVMIsAConstant(it) == NULL || LLVMIsAGlobalValue(it) != NULL)
    return;
  for (int i = 0; i < LLVMGetNumOperands(it); i++)
    replace_in_constant(LLVMGetOperand(it, (unsigned)i), replacement);
  if (LLVMIsAConstantExpr(it) == NULL || LLVMGetConstOpcode(it) != LLVMAddrSpaceCast)
    return;
  LLVMValueRef made = replacement(it);
  if (made != NULL)
    LLVMReplaceAllUsesWith(it, made);
}

static void replace_in_instruction(void *data, LLVMValueRef it) {
  replace_cast *const replacement = *(replace_cast **)data;
  for (int i = 0; i < LLVMGetNumOperands(it); i++)
    replace_in_constant(LLVMGetOperand(it, (unsigned)i), replacement);
  LLVMValueRef made = LLVMIsAAddrSpaceCastInst(it) != NULL ? replacement(it) : NULL;
  if (made == NULL)
    return;
  LLVMReplaceAllUsesWith(it, made);
  LLVMInstructionEraseFromParent(it);
}

void space_casts_replace(LLVMModuleRef module, replace_cast *replacement) {
  visit_instructions(module, replace_in_instruction, &replacement);
  for (LLVMValueRef it = LLVMGetFirstGlobal(module); it != NULL; it = LLVMGetNextGlobal(it))
    if (LLVMGetInitializer(it) != NULL)
      replace_in_constant(LLVMGetInitializer(it), replacement);
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
