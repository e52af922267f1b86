#include "fences.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(scope in the library's names, instruction from sm_70 on, instruction of older GPUs) */
#define FENCES(X)                                                                                  \
  X(group, "fence.acq_rel.cta;", "membar.cta;")                                                    \
  X(device, "fence.acq_rel.gpu;", "membar.gl;")                                                    \
  X(system, "fence.acq_rel.sys;", "membar.sys;")

/* Defines a function that is one instruction. It copies the text because LLVM's parameter is not
 * const, although LLVM does not change the text. */
static void define_fence(LLVMModuleRef module, const char *name, const char *text) {
  char code[32];
  char clobbers[] = "~{memory}";
  const size_t length = (size_t)snprintf(code, sizeof code, "%s", text);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef function = LLVMAddFunction(module, name, type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMValueRef fence = LLVMGetInlineAsm(type, code, length, clobbers, sizeof clobbers - 1, 1, 0,
                                        LLVMInlineAsmDialectATT, 0);
  LLVMBuildCall2(builder, type, fence, NULL, 0, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

void fences_settle(LLVMModuleRef module, const char *gpu) {
  const bool is_older =
      gpu != NULL && strncmp(gpu, "sm_", 3) == 0 && strtol(gpu + 3, NULL, 10) < 70;
#define FENCE(name, newer, older)                                                                  \
  define_fence(module, "__specpi_fence_" #name, is_older ? (older) : (newer));
  FENCES(FENCE)
#undef FENCE
}
