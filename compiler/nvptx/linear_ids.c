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

/* A register that has one for each dimension, e.g. "tid". */
static LLVMValueRef read_register(const writing *it, const char *name, unsigned dimension) {
  char function_name[64];
  snprintf(function_name, sizeof function_name, "llvm.nvvm.read.ptx.sreg.%s.%c", name,
           "xyz"[dimension]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMInt32TypeInContext(LLVMGetModuleContext(it->module)), NULL, 0, 0);
  LLVMValueRef function = LLVMGetNamedFunction(it->module, function_name);
  if (function == NULL)
    function = LLVMAddFunction(it->module, function_name, type);
  return LLVMBuildZExt(it->builder, LLVMBuildCall2(it->builder, type, function, NULL, 0, ""),
                       it->type, "");
}

static LLVMValueRef multiply_add(const writing *it, LLVMValueRef left, LLVMValueRef right,
                                 LLVMValueRef more) {
  return LLVMBuildAdd(it->builder, LLVMBuildMul(it->builder, left, right, ""), more, "");
}

static LLVMValueRef id_of(const writing *it, bool global, unsigned dimension) {
  LLVMValueRef local = read_register(it, "tid", dimension);
  return global ? multiply_add(it, read_register(it, "ctaid", dimension),
                               read_register(it, "ntid", dimension), local)
                : local;
}

static LLVMValueRef size_of(const writing *it, bool global, unsigned dimension) {
  LLVMValueRef local = read_register(it, "ntid", dimension);
  return global ? LLVMBuildMul(it->builder, read_register(it, "nctaid", dimension), local, "")
                : local;
}

static LLVMValueRef linear_id(const writing *it, bool global) {
  LLVMValueRef id = id_of(it, global, DIMENSIONS - 1);
  for (unsigned i = DIMENSIONS - 1; i-- > 0;)
    id = multiply_add(it, id, size_of(it, global, i), id_of(it, global, i));
  return id;
}

/* Gives one of the functions a body. */
static void define(LLVMModuleRef module, const char *name, bool global) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function == NULL || !LLVMIsDeclaration(function) || LLVMCountParams(function) != 0)
    return;
  writing it = {.module = module, .type = LLVMGetReturnType(LLVMGlobalGetValueType(function))};
  if (LLVMGetTypeKind(it.type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(it.type) != 64)
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  it.builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(it.builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildRet(it.builder, linear_id(&it, global));
  LLVMDisposeBuilder(it.builder);
}

void linear_ids_write(LLVMModuleRef module) {
  define(module, "_Z20get_global_linear_idv", true);
  define(module, "_Z19get_local_linear_idv", false);
}
