#include "sub_groups.h"

#include "../note.h"
#include "../target.h"

#include <string.h>

#define REQUIREMENT "intel_reqd_sub_group_size"

/* What a kernel requires, or 0. */
static specpi_compiler_result read_size(LLVMValueRef function, unsigned long long *ret) {
  note it;
  *ret = 0;
  COMPILER_TRY(note_read(function, REQUIREMENT, &it));
  if (it.count == 1 && it.operands[0] != NULL && LLVMIsAConstantInt(it.operands[0]) != NULL)
    *ret = LLVMConstIntGetZExtValue(it.operands[0]);
  note_free(&it);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result take_size(LLVMValueRef function, unsigned long long *size) {
  size_t length;
  unsigned long long required;
  COMPILER_TRY(read_size(function, &required));
  if (required == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_REQUIRE(required == 8 || required == 16 || required == TARGET_NVPTX_SUB_GROUP,
                   SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "kernel '%s' requires sub-groups of %llu work-items, and there are those of 8, "
                   "16 and %d",
                   LLVMGetValueName2(function, &length), required, TARGET_NVPTX_SUB_GROUP);
  COMPILER_REQUIRE(*size == 0 || *size == required, SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "kernel '%s' requires sub-groups of %llu work-items, and another kernel of the "
                   "module of %llu",
                   LLVMGetValueName2(function, &length), required, *size);
  *size = required;
  LLVMGlobalEraseMetadata(
      function, LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)),
                                         REQUIREMENT, (unsigned)strlen(REQUIREMENT)));
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sub_groups_settle(LLVMModuleRef module) {
  unsigned long long size = 0;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it))
    COMPILER_TRY(take_size(it, &size));
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMInt32TypeInContext(context);
  LLVMValueRef function =
      LLVMAddFunction(module, "__specpi_sub_group_size", LLVMFunctionType(type, NULL, 0, 0));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildRet(builder, LLVMConstInt(type, size == 0 ? TARGET_NVPTX_SUB_GROUP : size, 0));
  LLVMDisposeBuilder(builder);
  return SPECPI_COMPILER_SUCCESS;
}
