#include "by_value.h"

#include "../attributes.h"
#include "../target.h"

#include <llvm-c/Target.h>
#include <stdbool.h>

/* The bytes of a constant from which on its store is a copy. */
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

/* ---- Whole stores ---- */

static bool is_whole_store(const lowering *it, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at) == NULL || LLVMGetVolatile(at))
    return false;
  LLVMValueRef value = LLVMGetOperand(at, 0);
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && LLVMIsConstant(value) &&
         LLVMIsUndef(value) == 0 &&
         LLVMStoreSizeOfType(it->layout, LLVMTypeOf(value)) >= WHOLE_STORE_BYTES;
}

static void lower_store(const lowering *it, LLVMModuleRef module, LLVMValueRef at) {
  LLVMValueRef value = LLVMGetOperand(at, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  const unsigned align = LLVMABIAlignmentOfType(it->layout, type);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(module, type, "whole", GLOBAL_SPACE);
  LLVMSetInitializer(variable, value);
  LLVMSetGlobalConstant(variable, true);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetUnnamedAddress(variable, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(variable, align);
  LLVMPositionBuilderBefore(it->builder, at);
  LLVMBuildMemCpy(it->builder, LLVMGetOperand(at, 1), LLVMGetAlignment(at), variable, align,
                  LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)),
                               LLVMStoreSizeOfType(it->layout, type), false));
  LLVMInstructionEraseFromParent(at);
}

void whole_stores_lower(LLVMModuleRef module) {
  const lowering it = {
      .layout = LLVMGetModuleDataLayout(module),
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
  };
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_whole_store(&it, at))
          lower_store(&it, module, at);
      }
  LLVMDisposeBuilder(it.builder);
}
