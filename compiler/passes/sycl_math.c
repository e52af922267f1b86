/*
 * Mathematical functions. C++'s headers call the C library, which devices lack, and LLVM's
 * intrinsics, few of which PTX and SPIR-V have. This replaces them by OpenCL's functions.
 */
#include "sycl_unit.h"

#include "../attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * X(c, opencl, arguments): functions whose arguments and result have the same type. C's names end
 * with f for float, and with l for long double.
 */
#define SYCL_MATH(X)                                                                               \
  X(acos, acos, 1)                                                                                 \
  X(acosh, acosh, 1)                                                                               \
  X(asin, asin, 1)                                                                                 \
  X(asinh, asinh, 1)                                                                               \
  X(atan, atan, 1)                                                                                 \
  X(atan2, atan2, 2)                                                                               \
  X(atanh, atanh, 1)                                                                               \
  X(cbrt, cbrt, 1)                                                                                 \
  X(ceil, ceil, 1)                                                                                 \
  X(copysign, copysign, 2)                                                                         \
  X(cos, cos, 1)                                                                                   \
  X(cosh, cosh, 1)                                                                                 \
  X(erf, erf, 1)                                                                                   \
  X(erfc, erfc, 1)                                                                                 \
  X(exp, exp, 1)                                                                                   \
  X(exp2, exp2, 1)                                                                                 \
  X(expm1, expm1, 1)                                                                               \
  X(fabs, fabs, 1)                                                                                 \
  X(fdim, fdim, 2)                                                                                 \
  X(floor, floor, 1)                                                                               \
  X(fma, fma, 3)                                                                                   \
  X(fmax, fmax, 2)                                                                                 \
  X(fmin, fmin, 2)                                                                                 \
  X(fmod, fmod, 2)                                                                                 \
  X(hypot, hypot, 2)                                                                               \
  X(lgamma, lgamma, 1)                                                                             \
  X(log, log, 1)                                                                                   \
  X(log10, log10, 1)                                                                               \
  X(log1p, log1p, 1)                                                                               \
  X(log2, log2, 1)                                                                                 \
  X(logb, logb, 1)                                                                                 \
  X(nearbyint, rint, 1)                                                                            \
  X(nextafter, nextafter, 2)                                                                       \
  X(pow, pow, 2)                                                                                   \
  X(remainder, remainder, 2)                                                                       \
  X(rint, rint, 1)                                                                                 \
  X(round, round, 1)                                                                               \
  X(sin, sin, 1)                                                                                   \
  X(sinh, sinh, 1)                                                                                 \
  X(sqrt, sqrt, 1)                                                                                 \
  X(tan, tan, 1)                                                                                   \
  X(tanh, tanh, 1)                                                                                 \
  X(tgamma, tgamma, 1)                                                                             \
  X(trunc, trunc, 1)

/* X(llvm, opencl, arguments): LLVM's intrinsics that at least one of the targets lacks. */
#define SYCL_MATH_LLVM(X)                                                                          \
  X(cos, cos, 1)                                                                                   \
  X(exp, exp, 1)                                                                                   \
  X(exp2, exp2, 1)                                                                                 \
  X(log, log, 1)                                                                                   \
  X(log10, log10, 1)                                                                               \
  X(log2, log2, 1)                                                                                 \
  X(pow, pow, 2)                                                                                   \
  X(sin, sin, 1)

/* X(llvm, rounds): LLVM's intrinsics that round to an integer type, and the intrinsic that rounds
 * in the same way to the argument's type. */
#define SYCL_MATH_WHOLE(X)                                                                         \
  X(llrint, rint)                                                                                  \
  X(llround, round)                                                                                \
  X(lrint, rint)                                                                                   \
  X(lround, round)

typedef struct function {
  const char *name;
  const char *opencl;
  unsigned arguments;
} function;

static const function of_c[] = {
#define SYCL_MATH_FUNCTION(name, opencl, arguments) {#name, #opencl, arguments},
    SYCL_MATH(SYCL_MATH_FUNCTION)};
static const function of_llvm[] = {SYCL_MATH_LLVM(SYCL_MATH_FUNCTION)
#undef SYCL_MATH_FUNCTION
};
static const struct {
  const char *name;
  const char *rounds;
} whole[] = {
#define SYCL_MATH_FUNCTION(name, rounds) {#name, #rounds},
    SYCL_MATH_WHOLE(SYCL_MATH_FUNCTION)
#undef SYCL_MATH_FUNCTION
};

/* Returns the letter of float or double in mangled names; 0 for other types. */
static char letter_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind:
    return 'f';
  case LLVMDoubleTypeKind:
    return 'd';
  default:
    return '\0';
  }
}

/* Returns the type of all arguments and the result; NULL if they differ, or it is not float or
 * double. */
static LLVMTypeRef type_of(LLVMValueRef declared, unsigned arguments) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(declared));
  if (LLVMCountParams(declared) != arguments || letter_of(type) == '\0')
    return NULL;
  for (unsigned i = 0; i < arguments; i++)
    if (LLVMTypeOf(LLVMGetParam(declared, i)) != type)
      return NULL;
  return type;
}

/* Finds the C function of a declaration. The suffix of its name has to match the type. */
static const function *find_c(LLVMValueRef declared) {
  size_t length;
  const char *name = LLVMGetValueName2(declared, &length);
  for (size_t i = 0; i < sizeof of_c / sizeof of_c[0]; i++) {
    const size_t size = strlen(of_c[i].name);
    LLVMTypeRef type = type_of(declared, of_c[i].arguments);
    if (type == NULL || strncmp(name, of_c[i].name, size) != 0)
      continue;
    const char *rest = name + size;
    if (letter_of(type) == 'f' ? strcmp(rest, "f") == 0 : rest[0] == '\0' || strcmp(rest, "l") == 0)
      return &of_c[i];
  }
  return NULL;
}

/* Returns whether a function's name is "llvm.", the word, and maybe a type. */
static bool is_llvm(LLVMValueRef declared, const char *word) {
  size_t length;
  const char *name = LLVMGetValueName2(declared, &length);
  const size_t size = strlen(word);
  return strncmp(name, "llvm.", 5) == 0 && strncmp(name + 5, word, size) == 0 &&
         (name[5 + size] == '.' || name[5 + size] == '\0');
}

static const function *find_llvm(LLVMValueRef declared) {
  for (size_t i = 0; i < sizeof of_llvm / sizeof of_llvm[0]; i++)
    if (is_llvm(declared, of_llvm[i].name) && type_of(declared, of_llvm[i].arguments) != NULL)
      return &of_llvm[i];
  return NULL;
}

/* Finds or declares OpenCL's function for a type. */
static LLVMValueRef opencl(const sycl_unit *unit, const function *what, LLVMTypeRef type) {
  char name[32];
  LLVMTypeRef types[3] = {type, type, type};
  snprintf(name, sizeof name, "_Z%zu%s%.*s", strlen(what->opencl), what->opencl,
           (int)what->arguments, letter_of(type) == 'f' ? "fff" : "ddd");
  LLVMValueRef made = LLVMGetNamedFunction(unit->module, name);
  if (made != NULL)
    return made;
  made = LLVMAddFunction(unit->module, name, LLVMFunctionType(type, types, what->arguments, 0));
  LLVMSetFunctionCallConv(made, LLVMSPIRFUNCCallConv);
  attributes_add(made, "nounwind");
  attributes_add(made, "willreturn");
  return made;
}

/* Replaces a call by a call of another function with the same arguments. */
static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef with) {
  LLVMValueRef arguments[3];
  const unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef made =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(with), with, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(with));
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

/* Returns a remaining call of a function, or NULL. */
static LLVMValueRef next_call(LLVMValueRef declared) {
  for (LLVMUseRef use = LLVMGetFirstUse(declared); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) != NULL && LLVMGetCalledValue(call) == declared)
      return call;
  }
  return NULL;
}

/* Replaces a rounding to an integer by a rounding in the same type, which all targets have, and a
 * conversion. */
static void replace_whole(const sycl_unit *unit, LLVMBuilderRef builder, LLVMValueRef declared,
                          const char *rounds) {
  char name[32];
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(declared, 0));
  snprintf(name, sizeof name, "llvm.%s", rounds);
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef round = LLVMGetIntrinsicDeclaration(unit->module, id, &type, 1);
  for (LLVMValueRef call; (call = next_call(declared)) != NULL;) {
    LLVMValueRef value = LLVMGetOperand(call, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef rounded =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(round), round, &value, 1, "");
    LLVMReplaceAllUsesWith(call, LLVMBuildFPToSI(builder, rounded, LLVMTypeOf(call), ""));
    LLVMInstructionEraseFromParent(call);
  }
}

static void replace_calls(const sycl_unit *unit, LLVMBuilderRef builder, LLVMValueRef declared) {
  const function *what = find_c(declared);
  if (what == NULL)
    what = find_llvm(declared);
  if (what != NULL) {
    LLVMTypeRef type = type_of(declared, what->arguments);
    for (LLVMValueRef call; (call = next_call(declared)) != NULL;)
      replace_call(builder, call, opencl(unit, what, type));
    return;
  }
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
    if (is_llvm(declared, whole[i].name) &&
        letter_of(LLVMTypeOf(LLVMGetParam(declared, 0))) != '\0')
      replace_whole(unit, builder, declared, whole[i].rounds);
}

specpi_compiler_result sycl_math_replace(sycl_unit *unit) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
  LLVMValueRef next;
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL; at = next) {
    next = LLVMGetNextFunction(at);
    if (!LLVMIsDeclaration(at) || LLVMGetFirstUse(at) == NULL)
      continue;
    replace_calls(unit, builder, at);
    next = LLVMGetNextFunction(at); /* only now, because functions may have been added */
    if (LLVMGetFirstUse(at) == NULL)
      LLVMDeleteFunction(at);
  }
  LLVMDisposeBuilder(builder);
  return SPECPI_COMPILER_SUCCESS;
}
