#include "libdevice.h"

#include "../mangled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * X(name, arguments): OpenCL's functions for which libdevice is faster or more exact than libclc.
 * libdevice names them __nv_<name>f for float and __nv_<name> for double.
 */
#define LIBDEVICE_FUNCTIONS(X)                                                                     \
  X(acos, 1)                                                                                       \
  X(acosh, 1)                                                                                      \
  X(asin, 1)                                                                                       \
  X(asinh, 1)                                                                                      \
  X(atan, 1)                                                                                       \
  X(atan2, 2)                                                                                      \
  X(atanh, 1)                                                                                      \
  X(cbrt, 1)                                                                                       \
  X(cos, 1)                                                                                        \
  X(cosh, 1)                                                                                       \
  X(cospi, 1)                                                                                      \
  X(erf, 1)                                                                                        \
  X(erfc, 1)                                                                                       \
  X(exp, 1)                                                                                        \
  X(exp10, 1)                                                                                      \
  X(exp2, 1)                                                                                       \
  X(expm1, 1)                                                                                      \
  X(fmod, 2)                                                                                       \
  X(hypot, 2)                                                                                      \
  X(lgamma, 1)                                                                                     \
  X(log, 1)                                                                                        \
  X(log10, 1)                                                                                      \
  X(log1p, 1)                                                                                      \
  X(log2, 1)                                                                                       \
  X(pow, 2)                                                                                        \
  X(remainder, 2)                                                                                  \
  X(rsqrt, 1)                                                                                      \
  X(sin, 1)                                                                                        \
  X(sinh, 1)                                                                                       \
  X(sinpi, 1)                                                                                      \
  X(tan, 1)                                                                                        \
  X(tanh, 1)                                                                                       \
  X(tgamma, 1)

typedef struct counterpart {
  const char *name;
  unsigned arguments;
} counterpart;

/* Returns the counterpart of a mangled name such as _Z3sinDv4_f, or NULL. */
static const counterpart *find_counterpart(const char *mangled) {
  static const counterpart all[] = {
#define LIBDEVICE_FUNCTION(name, arguments) {#name, arguments},
      LIBDEVICE_FUNCTIONS(LIBDEVICE_FUNCTION)
#undef LIBDEVICE_FUNCTION
  };
  size_t length;
  const char *name = mangled_name(mangled, &length);
  for (size_t i = 0; i < sizeof all / sizeof all[0] && name != NULL; i++)
    if (strlen(all[i].name) == length && strncmp(all[i].name, name, length) == 0)
      return &all[i];
  return NULL;
}

/* Returns the element type if all arguments and the result have the same type, and libdevice
 * supports it; otherwise NULL. */
static LLVMTypeRef element_type(LLVMTypeRef type, unsigned arguments) {
  LLVMTypeRef result = LLVMGetReturnType(type);
  LLVMTypeRef given[2];
  if (LLVMCountParamTypes(type) != arguments)
    return NULL;
  LLVMGetParamTypes(type, given);
  for (unsigned i = 0; i < arguments; i++)
    if (given[i] != result)
      return NULL;
  LLVMTypeRef element =
      LLVMGetTypeKind(result) == LLVMVectorTypeKind ? LLVMGetElementType(result) : result;
  const LLVMTypeKind kind = LLVMGetTypeKind(element);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ? element : NULL;
}

/* Returns the declaration of libdevice's function, and makes it if necessary. */
static LLVMValueRef declare_counterpart(LLVMModuleRef module, const counterpart *counterpart,
                                        LLVMTypeRef element, LLVMTypeRef *ret_type) {
  char name[32];
  LLVMTypeRef arguments[2] = {element, element};
  snprintf(name, sizeof name, "__nv_%s%s", counterpart->name,
           LLVMGetTypeKind(element) == LLVMFloatTypeKind ? "f" : "");
  *ret_type = LLVMFunctionType(element, arguments, counterpart->arguments, 0);
  LLVMValueRef there = LLVMGetNamedFunction(module, name);
  return there != NULL ? there : LLVMAddFunction(module, name, *ret_type);
}

/* Writes the function's body: a call of libdevice's function, or one for each element. */
static void define_function(LLVMBuilderRef builder, LLVMValueRef function,
                            const counterpart *counterpart, LLVMTypeRef element) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef type;
  LLVMValueRef called = declare_counterpart(module, counterpart, element, &type);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  const bool is_vector = result != element;
  LLVMValueRef value = is_vector ? LLVMGetUndef(result) : NULL;
  for (unsigned i = 0; i < (is_vector ? LLVMGetVectorSize(result) : 1); i++) {
    LLVMValueRef given[2];
    for (unsigned j = 0; j < counterpart->arguments; j++)
      given[j] = is_vector ? LLVMBuildExtractElement(builder, LLVMGetParam(function, j),
                                                     LLVMConstInt(i32, i, 0), "")
                           : LLVMGetParam(function, j);
    LLVMValueRef one = LLVMBuildCall2(builder, type, called, given, counterpart->arguments, "");
    value =
        is_vector ? LLVMBuildInsertElement(builder, value, one, LLVMConstInt(i32, i, 0), "") : one;
  }
  LLVMBuildRet(builder, value);
  LLVMSetLinkage(function, LLVMInternalLinkage);
}

bool libdevice_define(LLVMModuleRef module) {
  bool is_any = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    size_t length;
    const counterpart *counterpart =
        LLVMIsDeclaration(function) ? find_counterpart(LLVMGetValueName2(function, &length)) : NULL;
    LLVMTypeRef element =
        counterpart != NULL ? element_type(LLVMGlobalGetValueType(function), counterpart->arguments)
                            : NULL;
    if (element == NULL)
      continue;
    define_function(builder, function, counterpart, element);
    is_any = true;
  }
  LLVMDisposeBuilder(builder);
  return is_any;
}

/* X(name of the intrinsic, type) */
#define ROUND_INTRINSICS(X)                                                                        \
  X("llvm.nvvm.round.d", LLVMDoubleTypeInContext)                                                  \
  X("llvm.nvvm.round.f", LLVMFloatTypeInContext)                                                   \
  X("llvm.nvvm.round.ftz.f", LLVMFloatTypeInContext)

void libdevice_mend(LLVMModuleRef module) {
  static const struct {
    const char *name;
    LLVMTypeRef (*type)(LLVMContextRef);
  } rounds[] = {
#define ROUND_INTRINSIC(name, type) {name, type},
      ROUND_INTRINSICS(ROUND_INTRINSIC)
#undef ROUND_INTRINSIC
  };
  const unsigned rint = LLVMLookupIntrinsicID("llvm.rint", strlen("llvm.rint"));
  for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
    LLVMTypeRef type = rounds[i].type(LLVMGetModuleContext(module));
    LLVMValueRef function = LLVMGetNamedFunction(module, rounds[i].name);
    if (function != NULL)
      LLVMReplaceAllUsesWith(function, LLVMGetIntrinsicDeclaration(module, rint, &type, 1));
  }
}
