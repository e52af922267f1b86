#include "pointer_kinds.h"

#include <stdbool.h>
#include <string.h>

/* Flags that get_fence returns: CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE. */
enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 };

/* X(name, space): each function, and PTX's name of the memory that it tests for. */
#define POINTER_KINDS(X)                                                                           \
  X("__to_global", "global")                                                                       \
  X("__to_local", "shared")                                                                        \
  X("__to_private", "local")                                                                       \
  X("_Z9get_fencePv", "shared")                                                                    \
  X("_Z9get_fencePKv", "shared")

static LLVMValueRef call_test(LLVMModuleRef module, LLVMBuilderRef builder, const char *test,
                              LLVMValueRef pointer) {
  const unsigned id = LLVMLookupIntrinsicID(test, strlen(test));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &pointer, 1, "");
}

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

/* Defines one of the functions if the module declares it. */
static void define_function(LLVMModuleRef module, const char *name, const char *test) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function == NULL || !LLVMIsDeclaration(function) || LLVMCountParams(function) != 1 ||
      !is_pointer(LLVMTypeOf(LLVMGetParam(function, 0))))
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMValueRef pointer = LLVMGetParam(function, 0);
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMValueRef is = call_test(module, builder, test, pointer);
  LLVMValueRef yes = NULL, no = NULL;
  if (is_pointer(type)) {
    /* Tests for NULL, because LLVM does not guarantee that a cast NULL is NULL in another space. */
    is = LLVMBuildAnd(builder, is, LLVMBuildIsNotNull(builder, pointer, ""), "");
    yes = LLVMBuildPointerCast(builder, pointer, type, "");
    no = LLVMConstNull(type);
  } else {
    yes = LLVMConstInt(type, LOCAL_FENCE, 0);
    no = LLVMConstInt(type, GLOBAL_FENCE, 0);
  }
  LLVMBuildRet(builder, LLVMBuildSelect(builder, is, yes, no, ""));
  LLVMDisposeBuilder(builder);
}

void pointer_kinds_write(LLVMModuleRef module) {
#define POINTER_KIND(name, space) define_function(module, name, "llvm.nvvm.isspacep." space);
  POINTER_KINDS(POINTER_KIND)
#undef POINTER_KIND
}
