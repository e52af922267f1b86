#include "by_value.h"

#include "../attributes.h"
#include "../target.h"

#include <llvm-c/Target.h>
#include <stdbool.h>

typedef struct lowering {
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  unsigned by_value; /* kinds of attributes */
  unsigned align;
} lowering;

static LLVMAttributeRef find_attribute(LLVMValueRef function, unsigned index, unsigned kind) {
  return LLVMGetEnumAttributeAtIndex(function, index, kind);
}

static bool is_only_called(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) == NULL || LLVMGetCalledValue(user) != function)
      return false;
  }
  return true;
}

/* A variable of the function that calls, made once however often the call is reached. */
static LLVMValueRef make_variable(const lowering *it, LLVMValueRef call, LLVMTypeRef type,
                                  unsigned align) {
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMPositionBuilder(it->builder, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef variable = LLVMBuildAlloca(it->builder, type, "by_value");
  LLVMSetAlignment(variable, align);
  return variable;
}

/* The copy for one argument of one call. */
static void copy_argument(const lowering *it, LLVMValueRef call, unsigned index, LLVMTypeRef type,
                          unsigned align) {
  LLVMValueRef from = LLVMGetOperand(call, index);
  LLVMValueRef variable = make_variable(it, call, type, align);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)),
                                   LLVMABISizeOfType(it->layout, type), false);
  LLVMPositionBuilderBefore(it->builder, call);
  LLVMBuildMemCpy(it->builder, variable, align, from, align, size);
  LLVMSetOperand(call, index,
                 LLVMBuildBitCast(it->builder, variable, LLVMTypeOf(from), "by_value"));
  LLVMRemoveCallSiteEnumAttribute(call, index + 1, it->by_value);
}

static void lower_parameter(const lowering *it, LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute = find_attribute(function, index + 1, it->by_value);
  if (attribute == NULL)
    return;
  LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
  LLVMAttributeRef aligned = find_attribute(function, index + 1, it->align);
  const unsigned align = aligned != NULL ? (unsigned)LLVMGetEnumAttributeValue(aligned)
                                         : LLVMABIAlignmentOfType(it->layout, type);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    copy_argument(it, LLVMGetUser(use), index, type, align);
  LLVMRemoveEnumAttributeAtIndex(function, index + 1, it->by_value);
}

void by_value_lower(LLVMModuleRef module) {
  const lowering it = {
      .layout = LLVMGetModuleDataLayout(module),
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
      .by_value = attributes_kind("byval"),
      .align = attributes_kind("align"),
  };
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv || !is_only_called(function))
      continue;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
      lower_parameter(&it, function, i);
  }
  LLVMDisposeBuilder(it.builder);
}
