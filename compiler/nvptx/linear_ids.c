#include "linear_ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DIMENSIONS 3

typedef struct writing {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef type; /* of the ids */
} writing;

/* Reads a special register that has a component for each dimension, e.g. "tid". */
static LLVMValueRef read_register(const writing *writing, const char *name, unsigned dimension) {
  char function_name[64];
  snprintf(function_name, sizeof function_name, "llvm.nvvm.read.ptx.sreg.%s.%c", name,
           "xyz"[dimension]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMInt32TypeInContext(LLVMGetModuleContext(writing->module)), NULL, 0, 0);
  LLVMValueRef function = LLVMGetNamedFunction(writing->module, function_name);
  if (function == NULL)
    function = LLVMAddFunction(writing->module, function_name, type);
  return LLVMBuildZExt(writing->builder,
                       LLVMBuildCall2(writing->builder, type, function, NULL, 0, ""), writing->type,
                       "");
}

static LLVMValueRef multiply_add(const writing *writing, LLVMValueRef left, LLVMValueRef right,
                                 LLVMValueRef more) {
  return LLVMBuildAdd(writing->builder, LLVMBuildMul(writing->builder, left, right, ""), more, "");
}

static LLVMValueRef id_of(const writing *writing, bool global, unsigned dimension) {
  LLVMValueRef local = read_register(writing, "tid", dimension);
  return global ? multiply_add(writing, read_register(writing, "ctaid", dimension),
                               read_register(writing, "ntid", dimension), local)
                : local;
}

static LLVMValueRef size_of(const writing *writing, bool global, unsigned dimension) {
  LLVMValueRef local = read_register(writing, "ntid", dimension);
  return global ? LLVMBuildMul(writing->builder, read_register(writing, "nctaid", dimension), local,
                               "")
                : local;
}

static LLVMValueRef linear_id(const writing *writing, bool global) {
  LLVMValueRef id = id_of(writing, global, DIMENSIONS - 1);
  for (unsigned i = DIMENSIONS - 1; i-- > 0;)
    id = multiply_add(writing, id, size_of(writing, global, i), id_of(writing, global, i));
  return id;
}

/* Defines one of the functions if the module declares it. */
static void define(LLVMModuleRef module, const char *name, bool global) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function == NULL || !LLVMIsDeclaration(function) || LLVMCountParams(function) != 0)
    return;
  writing writing = {.module = module, .type = LLVMGetReturnType(LLVMGlobalGetValueType(function))};
  if (LLVMGetTypeKind(writing.type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(writing.type) != 64)
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  writing.builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(writing.builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildRet(writing.builder, linear_id(&writing, global));
  LLVMDisposeBuilder(writing.builder);
}

void linear_ids_write(LLVMModuleRef module) {
  define(module, "_Z20get_global_linear_idv", true);
  define(module, "_Z19get_local_linear_idv", false);
}
