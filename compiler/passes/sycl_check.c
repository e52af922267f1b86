/* Refuses things that devices cannot do in code that kernels reach. */
#include "sycl_unit.h"

#include "../mangled.h"
#include "../target.h"
#include "../uses.h"
#include "opencl_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of bits of the widest integers that devices have. */
#define BITS_MAX 64

/*
 * X(prefix, why): functions that devices lack, and what a program does to call them. The first
 * prefix that matches counts.
 */
#define SYCL_REFUSED(X)                                                                            \
  X("__cxa_throw", "throws an exception")                                                          \
  X("__cxa_rethrow", "throws an exception")                                                        \
  X("__cxa_allocate_exception", "throws an exception")                                             \
  X("__cxa_begin_catch", "catches an exception")                                                   \
  X("__cxa_guard", "has a static variable that is initialized when it is reached")                 \
  X("__cxa_atexit", "has a variable that is destroyed when the program ends")                      \
  X("__cxa_thread_atexit", "has a variable of a thread")                                           \
  X("__tls_", "has a variable of a thread")                                                        \
  X("__cxa_pure_virtual", "has virtual functions")                                                 \
  X("__cxa_bad_cast", "uses dynamic_cast")                                                         \
  X("__cxa_bad_typeid", "uses typeid")                                                             \
  X("__dynamic_cast", "uses dynamic_cast")                                                         \
  X("__assert_fail", "has an assertion, which NDEBUG removes")                                     \
  X("_ZSt21__glibcxx_assert_fail", "has an assertion, which NDEBUG removes")                       \
  X("__stack_chk_fail", "is compiled with -fstack-protector")                                      \
  X("_Znw", "allocates memory with new")                                                           \
  X("_Zna", "allocates memory with new")                                                           \
  X("_Zdl", "frees memory with delete")                                                            \
  X("_Zda", "frees memory with delete")                                                            \
  X("_ZSt9terminatev", "ends the program")                                                         \
  X("llvm.eh.", "handles an exception")                                                            \
  X("llvm.va_", "has a variable number of arguments")                                              \
  X("llvm.x86.", "uses an instruction of the host's processor")                                    \
  X("llvm.aarch64.", "uses an instruction of the host's processor")                                \
  X("llvm.threadlocal.", "has a variable of a thread")

/* ---- Errors ---- */

static specpi_compiler_result refuse_place(const sycl_place *at, const char *why,
                                           const char *what) {
  return sycl_refuse(at, SPECPI_COMPILER_ERROR_INVALID_KERNEL, ", which a device cannot do",
                     " %s%s%s%s", why, what != NULL ? " '" : "", what != NULL ? what : "",
                     what != NULL ? "'" : "");
}

static specpi_compiler_result refuse_value(const sycl_place *at, const char *why,
                                           LLVMValueRef value) {
  char *name = sycl_readable_name(value);
  if (name == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result = refuse_place(at, why, name);
  free(name);
  return result;
}

/* ---- Undefined functions ---- */

static bool is_opencl(const char *mangled) {
  static const char *const names[] = {
#define OPENCL_NAME(name) #name,
      OPENCL_NAMES(OPENCL_NAME)};
  static const char *const beginnings[] = {OPENCL_BEGINNINGS(OPENCL_NAME)
#undef OPENCL_NAME
  };
  size_t size;
  const char *name = mangled_name(mangled, &size);
  if (name == NULL)
    return strncmp(mangled, "__spirv_", strlen("__spirv_")) == 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0)
      return true;
  for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
    if (strlen(beginnings[i]) <= size && memcmp(beginnings[i], name, strlen(beginnings[i])) == 0)
      return true;
  return false;
}

static specpi_compiler_result check_declared(const sycl_place *at, LLVMValueRef function) {
  static const struct {
    const char *beginning;
    const char *why;
  } refused[] = {
#define SYCL_REFUSED_NAME(beginning, why) {beginning, why},
      SYCL_REFUSED(SYCL_REFUSED_NAME)
#undef SYCL_REFUSED_NAME
  };
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
    if (strncmp(name, refused[i].beginning, strlen(refused[i].beginning)) == 0)
      return refuse_place(at, refused[i].why, NULL);
  if (strncmp(name, "_ZSt", 4) == 0 && strstr(name, "__throw_") != NULL)
    return refuse_place(at, "throws an exception", NULL);
  use_kind kind;
  if (LLVMGetIntrinsicID(function) != 0 || sycl_is_external(function) ||
      use_is_getter(function, &kind) || strcmp(name, SYCL_UNIT_LOCAL_MEMORY) == 0 ||
      is_opencl(name))
    return SPECPI_COMPILER_SUCCESS;
  return refuse_value(at, "calls a function that no code for devices defines,", function);
}

/* ---- Instructions ---- */

static specpi_compiler_result check_type(const sycl_place *at, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMX86_FP80TypeKind:
    return refuse_place(at, "computes with long double", NULL);
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
    return refuse_place(at, "computes with floating-point numbers of 128 bits", NULL);
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) <= BITS_MAX
               ? SPECPI_COMPILER_SUCCESS
               : refuse_place(at, "computes with integers of more than 64 bits", NULL);
  default:
    return SPECPI_COMPILER_SUCCESS;
  }
}

/* Returns the function that a call names, maybe through casts; NULL for other calls. */
static LLVMValueRef callee_of(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  while (LLVMIsAConstantExpr(callee) != NULL)
    callee = LLVMGetOperand(callee, 0);
  return LLVMIsAFunction(callee);
}

static specpi_compiler_result check_call(const sycl_place *at, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(called) != NULL)
    return refuse_place(at, "has inline assembly", NULL);
  LLVMValueRef callee = callee_of(call);
  if (callee == NULL)
    return refuse_place(at, "calls a virtual function, or one through a pointer", NULL);
  return LLVMIsDeclaration(callee) ? check_declared(at, callee) : SPECPI_COMPILER_SUCCESS;
}

/* Returns whether an instruction is a call for a constant. Its default may be an argument, because
 * no device code reads it. */
static bool is_getter_call(LLVMValueRef instruction) {
  use_kind kind;
  return LLVMIsACallInst(instruction) != NULL &&
         use_is_getter(LLVMGetCalledValue(instruction), &kind);
}

static specpi_compiler_result check_instruction(const sycl_place *at, LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMInvoke:
  case LLVMLandingPad:
  case LLVMResume:
    return refuse_place(at, "handles an exception", NULL);
  case LLVMVAArg:
    return refuse_place(at, "has a variable number of arguments", NULL);
  case LLVMIndirectBr:
    return refuse_place(at, "jumps to an address", NULL);
  case LLVMCallBr:
    return refuse_place(at, "has inline assembly", NULL);
  case LLVMCall:
    COMPILER_TRY(check_call(at, value));
    break;
  default:
    break;
  }
  COMPILER_TRY(check_type(at, LLVMTypeOf(value)));
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    COMPILER_TRY(check_type(at, LLVMTypeOf(LLVMGetOperand(value, (unsigned)i))));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Functions and variables in operands ---- */

/* Refuses variables that can change, because the device has its own copy. */
static specpi_compiler_result check_variable(const sycl_place *at, LLVMValueRef variable) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == TARGET_LOCAL_SPACE)
    return SPECPI_COMPILER_SUCCESS;
  if (LLVMIsThreadLocal(variable))
    return refuse_value(at, "uses a variable of a thread,", variable);
  size_t length;
  const char *name = LLVMGetValueName2(variable, &length);
  if (strncmp(name, "_ZTV", 4) == 0 || strncmp(name, "_ZTT", 4) == 0)
    return refuse_place(at, "makes an object of a class with virtual functions or virtual bases",
                        NULL);
  if (strncmp(name, "_ZTI", 4) == 0)
    return refuse_place(at, "uses typeid or dynamic_cast", NULL);
  if (LLVMIsDeclaration(variable))
    return refuse_value(at, "uses a variable that another unit defines,", variable);
  return LLVMIsGlobalConstant(variable)
             ? SPECPI_COMPILER_SUCCESS
             : refuse_value(at, "uses a variable that is not constant,", variable);
}

typedef VECTOR(LLVMValueRef) value_list;

/* Checks one part of a constant, and adds its own parts to the list. */
static specpi_compiler_result check_part(const sycl_place *at, LLVMValueRef value, value_set *seen,
                                         value_list *parts) {
  if (LLVMIsAFunction(value) != NULL)
    return refuse_value(at, "takes the address of function", value);
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  bool added;
  COMPILER_TRY(check_type(at, LLVMTypeOf(value)));
  if (!value_set_add(seen, value, &added))
    return compiler_error_memory();
  if (!added)
    return SPECPI_COMPILER_SUCCESS;
  if (variable != NULL)
    COMPILER_TRY(check_variable(at, variable));
  LLVMValueRef content = variable != NULL ? LLVMGetInitializer(variable) : value;
  const int count = variable != NULL ? 1 : LLVMGetNumOperands(value);
  for (int i = 0; i < count && content != NULL; i++) {
    if (!VECTOR_RESERVE(parts))
      return compiler_error_memory();
    parts->items[parts->count++] =
        variable != NULL ? content : LLVMGetOperand(content, (unsigned)i);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Checks the functions and variables that a constant refers to, at any depth. */
static specpi_compiler_result check_constant(const sycl_place *at, LLVMValueRef value,
                                             value_set *seen) {
  value_list parts = {0};
  specpi_compiler_result result = check_part(at, value, seen, &parts);
  while (parts.count > 0 && result == SPECPI_COMPILER_SUCCESS)
    result = check_part(at, parts.items[--parts.count], seen, &parts);
  free(parts.items);
  return result;
}

/* Checks an instruction's constant operands, but not the function that it calls. */
static specpi_compiler_result check_operands(const sycl_place *at, LLVMValueRef value,
                                             value_set *seen) {
  if (is_getter_call(value))
    return SPECPI_COMPILER_SUCCESS;
  const unsigned count = LLVMIsACallInst(value) != NULL ? LLVMGetNumArgOperands(value)
                                                        : (unsigned)LLVMGetNumOperands(value);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    if (LLVMIsAConstant(operand) != NULL)
      COMPILER_TRY(check_constant(at, operand, seen));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result check_function(const sycl_place *at, value_set *seen) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at->function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value != NULL;
         value = LLVMGetNextInstruction(value)) {
      const sycl_place here = {at->unit, at->function, value};
      COMPILER_TRY(check_instruction(&here, value));
      COMPILER_TRY(check_operands(&here, value, seen));
    }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Recursion ---- */

/* Returns whether a function calls a defined function that is not in the set. */
static bool calls_outside(LLVMValueRef function, const value_set *set) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value != NULL;
         value = LLVMGetNextInstruction(value)) {
      LLVMValueRef callee = LLVMIsACallInst(value) != NULL ? callee_of(value) : NULL;
      if (callee != NULL && !LLVMIsDeclaration(callee) && !value_set_has(set, callee))
        return true;
    }
  return false;
}

/*
 * Refuses recursion. Repeatedly collects functions that call only collected ones. Functions that
 * remain are recursive, or call recursive ones.
 */
static specpi_compiler_result check_recursion(const sycl_unit *unit) {
  value_set done = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  LLVMValueRef left = NULL;
  for (bool more = true; more && result == SPECPI_COMPILER_SUCCESS;) {
    more = false;
    left = NULL;
    for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
      if (LLVMIsDeclaration(at) || value_set_has(&done, at))
        continue;
      if (calls_outside(at, &done)) {
        left = at;
        continue;
      }
      more = true;
      if (!value_set_add(&done, at, NULL))
        result = compiler_error_memory();
    }
  }
  if (result == SPECPI_COMPILER_SUCCESS && left != NULL)
    result = refuse_place(&(sycl_place){unit, left, NULL}, "calls itself, or a function that does",
                          NULL);
  value_set_free(&done);
  return result;
}

specpi_compiler_result sycl_check(const sycl_unit *unit) {
  value_set seen = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module);
       at != NULL && result == SPECPI_COMPILER_SUCCESS; at = LLVMGetNextFunction(at))
    if (!LLVMIsDeclaration(at))
      result = check_function(&(sycl_place){unit, at, NULL}, &seen);
  value_set_free(&seen);
  return result == SPECPI_COMPILER_SUCCESS ? check_recursion(unit) : result;
}
