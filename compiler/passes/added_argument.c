#include "added_argument.h"

#include "../attributes.h"

#include <llvm-c/Comdat.h>
#include <string.h>

static void copy_properties(LLVMValueRef from, LLVMValueRef to) {
  LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
  LLVMSetLinkage(to, LLVMGetLinkage(from));
  LLVMSetVisibility(to, LLVMGetVisibility(from));
  LLVMSetUnnamedAddress(to, LLVMGetUnnamedAddress(from));
  LLVMSetAlignment(to, LLVMGetAlignment(from));
  if (LLVMGetSection(from) != NULL && LLVMGetSection(from)[0] != '\0')
    LLVMSetSection(to, LLVMGetSection(from));
  LLVMSetComdat(to, LLVMGetComdat(from));
  if (LLVMHasPersonalityFn(from))
    LLVMSetPersonalityFn(to, LLVMGetPersonalityFn(from));
}

static void move_body(LLVMValueRef from, LLVMValueRef to) {
  LLVMBasicBlockRef block;
  while ((block = LLVMGetFirstBasicBlock(from)) != NULL) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(to, block);
  }
  for (unsigned i = 0; i < LLVMCountParams(from); i++) {
    LLVMValueRef old = LLVMGetParam(from, i);
    LLVMValueRef made = LLVMGetParam(to, i);
    LLVMReplaceAllUsesWith(old, made);
    size_t length;
    const char *name = LLVMGetValueName2(old, &length);
    LLVMSetValueName2(made, name, length);
  }
}

specpi_compiler_result added_argument_make(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type,
                                           const char *name, const char *why, LLVMValueRef *ret) {
  LLVMTypeRef old_type = LLVMGlobalGetValueType(old);
  const unsigned count = LLVMCountParams(old);
  size_t length;
  COMPILER_REQUIRE(
      !LLVMIsFunctionVarArg(old_type) && count < 255, SPECPI_COMPILER_ERROR_INVALID_CALL,
      "function '%s' cannot have one more argument, %s", LLVMGetValueName2(old, &length), why);
  LLVMTypeRef types[256];
  LLVMGetParamTypes(old_type, types);
  types[count] = type;
  LLVMValueRef made = LLVMAddFunction(
      module, "", LLVMFunctionType(LLVMGetReturnType(old_type), types, count + 1, 0));
  copy_properties(old, made);
  COMPILER_TRY(attributes_copy_all(old, made, count, false));
  move_body(old, made);
  LLVMSetValueName2(LLVMGetParam(made, count), name, strlen(name));
  *ret = made;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result added_argument_call(LLVMBuilderRef builder, LLVMValueRef call,
                                           LLVMValueRef replacement, LLVMValueRef value) {
  LLVMValueRef arguments[256];
  const unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  arguments[count] = value;
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(replacement), replacement,
                                     arguments, count + 1, "");
  LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
  LLVMSetTailCall(made, LLVMIsTailCall(call));
  COMPILER_TRY(attributes_copy_all(call, made, count, true));
  size_t entries_count;
  LLVMValueMetadataEntry *entries =
      LLVMInstructionGetAllMetadataOtherThanDebugLoc(call, &entries_count);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  for (unsigned i = 0; i < entries_count; i++)
    LLVMSetMetadata(made, LLVMValueMetadataEntriesGetKind(entries, i),
                    LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i)));
  LLVMDisposeValueMetadataEntries(entries);
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  return SPECPI_COMPILER_SUCCESS;
}
