#include "by_value.h"

#include "../attributes.h"
#include "../target.h"

#include <llvm-c/Target.h>
#include <stdbool.h>

/* Stores of constants, and loads, become copies from these sizes on. */
enum { WHOLE_STORE_BYTES = 512, WHOLE_LOAD_BYTES = 128, GLOBAL_SPACE = 1 };

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

/* ---- Whole values ---- */

/* Returns whether a value is a structure or an array of at least this size. */
static bool is_large(const lowering *lowering, LLVMValueRef value, uint64_t bytes) {
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) &&
         LLVMStoreSizeOfType(lowering->layout, LLVMTypeOf(value)) >= bytes;
}

static bool is_whole_store(const lowering *lowering, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at) == NULL || LLVMGetVolatile(at))
    return false;
  LLVMValueRef value = LLVMGetOperand(at, 0);
  return LLVMIsConstant(value) && LLVMIsUndef(value) == 0 &&
         is_large(lowering, value, WHOLE_STORE_BYTES);
}

/* Returns whether at loads a large value that is only stored. */
static bool is_whole_load(const lowering *lowering, LLVMValueRef at) {
  if (LLVMIsALoadInst(at) == NULL || !is_large(lowering, at, WHOLE_LOAD_BYTES))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use))
    if (LLVMIsAStoreInst(LLVMGetUser(use)) == NULL)
      return false;
  return true;
}

/* Builds a copy of a value of a type, before an access that is a part of it. */
static void copy_whole(const lowering *lowering, LLVMTypeRef type, LLVMValueRef to,
                       unsigned to_align, LLVMValueRef from, unsigned from_align,
                       LLVMValueRef access) {
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMPositionBuilderBefore(lowering->builder, access);
  LLVMValueRef copy =
      LLVMBuildMemCpy(lowering->builder, to, to_align, from, from_align,
                      LLVMConstInt(LLVMInt64TypeInContext(context),
                                   LLVMStoreSizeOfType(lowering->layout, type), false));
  LLVMSetOperand(copy, 3,
                 LLVMConstInt(LLVMInt1TypeInContext(context), LLVMGetVolatile(access) != 0, false));
}

static void fill_with_zeros(const lowering *lowering, LLVMValueRef store) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMPositionBuilderBefore(lowering->builder, store);
  LLVMBuildMemSet(lowering->builder, LLVMGetOperand(store, 1),
                  LLVMConstInt(LLVMInt8TypeInContext(context), 0, false),
                  LLVMConstInt(LLVMInt64TypeInContext(context),
                               LLVMStoreSizeOfType(lowering->layout, type), false),
                  LLVMGetAlignment(store));
}

static void copy_constant(const lowering *lowering, LLVMModuleRef module, LLVMValueRef at) {
  LLVMValueRef value = LLVMGetOperand(at, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  const unsigned align = LLVMABIAlignmentOfType(lowering->layout, type);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(module, type, "whole", GLOBAL_SPACE);
  LLVMSetInitializer(variable, value);
  LLVMSetGlobalConstant(variable, true);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetUnnamedAddress(variable, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(variable, align);
  copy_whole(lowering, type, LLVMGetOperand(at, 1), LLVMGetAlignment(at), variable, align, at);
}

/* Leaves the load without a use. */
static void lower_load(const lowering *lowering, LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(at);
  const unsigned align = LLVMGetAlignment(at);
  LLVMValueRef variable = make_variable(lowering, at, type, align);
  copy_whole(lowering, type, variable, align, LLVMGetOperand(at, 0), align, at);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(at)) != NULL;) {
    LLVMValueRef store = LLVMGetUser(use);
    copy_whole(lowering, type, LLVMGetOperand(store, 1), LLVMGetAlignment(store), variable, align,
               store);
    LLVMInstructionEraseFromParent(store);
  }
}

static void lower_block(const lowering *lowering, LLVMModuleRef module, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
    const bool is_load = is_whole_load(lowering, at);
    if (is_load)
      lower_load(lowering, at);
    next = LLVMGetNextInstruction(at);
    if (is_load) {
      LLVMInstructionEraseFromParent(at);
    } else if (is_whole_store(lowering, at)) {
      if (LLVMIsNull(LLVMGetOperand(at, 0)))
        fill_with_zeros(lowering, at);
      else
        copy_constant(lowering, module, at);
      LLVMInstructionEraseFromParent(at);
    }
  }
}

void whole_values_lower(LLVMModuleRef module) {
  const lowering lowering = {
      .layout = LLVMGetModuleDataLayout(module),
      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
  };
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      lower_block(&lowering, module, block);
  LLVMDisposeBuilder(lowering.builder);
}
