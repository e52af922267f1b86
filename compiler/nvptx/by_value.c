#include "by_value.h"

#include "../attributes.h"
#include "../target.h"

#include <llvm-c/Target.h>
#include <stdbool.h>

/* WHOLE_STORE_BYTES: stores of constants of this size or more become copies. */
enum { WHOLE_STORE_BYTES = 512, GLOBAL_SPACE = 1 };

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

/* Makes a variable in the entry block of the calling function, so that a call in a loop does not
 * allocate it again. */
static LLVMValueRef make_variable(const lowering *lowering, LLVMValueRef call, LLVMTypeRef type,
                                  unsigned align) {
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMPositionBuilder(lowering->builder, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef variable = LLVMBuildAlloca(lowering->builder, type, "by_value");
  LLVMSetAlignment(variable, align);
  return variable;
}

/* Copies an argument of a call, and passes the copy. */
static void copy_argument(const lowering *lowering, LLVMValueRef call, unsigned index,
                          LLVMTypeRef type, unsigned align) {
  LLVMValueRef from = LLVMGetOperand(call, index);
  LLVMValueRef variable = make_variable(lowering, call, type, align);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)),
                                   LLVMABISizeOfType(lowering->layout, type), false);
  LLVMPositionBuilderBefore(lowering->builder, call);
  LLVMBuildMemCpy(lowering->builder, variable, align, from, align, size);
  LLVMSetOperand(call, index,
                 LLVMBuildBitCast(lowering->builder, variable, LLVMTypeOf(from), "by_value"));
  LLVMRemoveCallSiteEnumAttribute(call, index + 1, lowering->by_value);
}

static void lower_parameter(const lowering *lowering, LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute = find_attribute(function, index + 1, lowering->by_value);
  if (attribute == NULL)
    return;
  LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
  LLVMAttributeRef aligned = find_attribute(function, index + 1, lowering->align);
  const unsigned align = aligned != NULL ? (unsigned)LLVMGetEnumAttributeValue(aligned)
                                         : LLVMABIAlignmentOfType(lowering->layout, type);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    copy_argument(lowering, LLVMGetUser(use), index, type, align);
  LLVMRemoveEnumAttributeAtIndex(function, index + 1, lowering->by_value);
}

void by_value_lower(LLVMModuleRef module) {
  const lowering lowering = {
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
      lower_parameter(&lowering, function, i);
  }
  LLVMDisposeBuilder(lowering.builder);
}

/* ---- Whole stores ---- */

static bool is_whole_store(const lowering *lowering, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at) == NULL || LLVMGetVolatile(at))
    return false;
  LLVMValueRef value = LLVMGetOperand(at, 0);
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && LLVMIsConstant(value) &&
         LLVMIsUndef(value) == 0 &&
         LLVMStoreSizeOfType(lowering->layout, LLVMTypeOf(value)) >= WHOLE_STORE_BYTES;
}

static void lower_store(const lowering *lowering, LLVMModuleRef module, LLVMValueRef at) {
  LLVMValueRef value = LLVMGetOperand(at, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  const unsigned align = LLVMABIAlignmentOfType(lowering->layout, type);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(module, type, "whole", GLOBAL_SPACE);
  LLVMSetInitializer(variable, value);
  LLVMSetGlobalConstant(variable, true);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetUnnamedAddress(variable, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(variable, align);
  LLVMPositionBuilderBefore(lowering->builder, at);
  LLVMBuildMemCpy(lowering->builder, LLVMGetOperand(at, 1), LLVMGetAlignment(at), variable, align,
                  LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)),
                               LLVMStoreSizeOfType(lowering->layout, type), false));
  LLVMInstructionEraseFromParent(at);
}

void whole_stores_lower(LLVMModuleRef module) {
  const lowering lowering = {
      .layout = LLVMGetModuleDataLayout(module),
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
  };
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_whole_store(&lowering, at))
          lower_store(&lowering, module, at);
      }
  LLVMDisposeBuilder(lowering.builder);
}
