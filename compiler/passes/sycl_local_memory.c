/*
 * Local memory. Kernels that ask for it get an additional last argument, whose size the launch
 * sets. So do the functions between a kernel and the call that asks.
 */
#include "sycl_unit.h"

#include "../calls.h"
#include "../note.h"
#include "../target.h"
#include "added_argument.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENT_NAME "_arg_local_memory"

typedef struct threading {
  sycl_unit *unit;
  LLVMBuilderRef builder;
  LLVMValueRef mark;
  LLVMTypeRef type;
  value_set seen;
  VECTOR(LLVMValueRef) wanting; /* functions that get the argument */
} threading;

static specpi_compiler_result want(threading *t, LLVMValueRef function) {
  bool added;
  if (!value_set_add(&t->seen, function, &added) || !VECTOR_RESERVE(&t->wanting))
    return compiler_error_memory();
  if (added)
    t->wanting.items[t->wanting.count++] = function;
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds a function's callers to the wanting ones. There are no other uses, because sycl_check
 * refuses addresses of functions. */
static specpi_compiler_result want_callers(threading *t, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (called_function(call) == function)
      COMPILER_TRY(want(t, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result check_exported(const threading *t) {
  for (size_t i = 0; i < t->unit->exported.count; i++) {
    LLVMValueRef function = t->unit->exported.items[i];
    if (!value_set_has(&t->seen, function))
      continue;
    char *name = sycl_readable_name(function);
    char *where = sycl_readable_place(t->unit, NULL, function, NULL);
    const bool done = name != NULL && where != NULL;
    if (done)
      compiler_error(
          SPECPI_COMPILER_ERROR_INVALID_KERNEL,
          "function '%s'%s is declared SYCL_EXTERNAL and uses local memory, which kernels of "
          "other units do not hand it",
          name, where);
    free(where);
    free(name);
    return done ? SPECPI_COMPILER_ERROR_INVALID_KERNEL : compiler_error_memory();
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Passes the argument in all calls of a function. The callers already have the argument. */
static specpi_compiler_result replace_calls(threading *t, LLVMValueRef old, LLVMValueRef made) {
  LLVMUseRef use;
  while ((use = LLVMGetFirstUse(old)) != NULL) {
    LLVMValueRef call = LLVMGetUser(use);
    if (called_function(call) != old)
      return compiler_error(SPECPI_COMPILER_ERROR_INTERNAL,
                            "a function with local memory is used otherwise than by calls");
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMValueRef memory = LLVMGetParam(caller, LLVMCountParams(caller) - 1);
    if (made != NULL) {
      COMPILER_TRY(added_argument_call(t->builder, call, made, memory));
    } else {
      LLVMReplaceAllUsesWith(call, memory);
      LLVMInstructionEraseFromParent(call);
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result extend_functions(threading *t, LLVMValueRef *replacements) {
  for (size_t i = 0; i < t->wanting.count; i++) {
    LLVMValueRef old = t->wanting.items[i];
    COMPILER_TRY(added_argument_make(t->unit->module, old, t->type, ARGUMENT_NAME,
                                     "for local memory", &replacements[i]));
    note_move_all(old, replacements[i]);
  }
  for (size_t i = 0; i < t->wanting.count; i++)
    COMPILER_TRY(replace_calls(t, t->wanting.items[i], replacements[i]));
  return replace_calls(t, t->mark, NULL);
}

/* Replaces the old functions, and gives their names to the replacements. */
static specpi_compiler_result finish_functions(threading *t, LLVMValueRef const *replacements) {
  for (size_t i = 0; i < t->wanting.count; i++) {
    LLVMValueRef old = t->wanting.items[i];
    size_t length;
    const char *name = LLVMGetValueName2(old, &length);
    char *copy = strndup(name, length);
    if (copy == NULL)
      return compiler_error_memory();
    for (size_t j = 0; j < t->unit->kernels.count; j++)
      if (t->unit->kernels.items[j].function == old)
        t->unit->kernels.items[j].function = replacements[i];
    LLVMDeleteFunction(old);
    LLVMSetValueName2(replacements[i], copy, length);
    free(copy);
  }
  LLVMDeleteFunction(t->mark);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result thread(threading *t) {
  t->type = LLVMGetReturnType(LLVMGlobalGetValueType(t->mark));
  COMPILER_REQUIRE(LLVMGetTypeKind(t->type) == LLVMPointerTypeKind &&
                       LLVMGetPointerAddressSpace(t->type) == TARGET_LOCAL_SPACE,
                   SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   SYCL_UNIT_LOCAL_MEMORY " does not return a pointer to local memory");
  COMPILER_TRY(want_callers(t, t->mark));
  for (size_t i = 0; i < t->wanting.count; i++)
    COMPILER_TRY(want_callers(t, t->wanting.items[i]));
  COMPILER_TRY(check_exported(t));
  LLVMValueRef *replacements = calloc(t->wanting.count + 1, sizeof(LLVMValueRef));
  if (replacements == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = extend_functions(t, replacements);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = finish_functions(t, replacements);
  free(replacements);
  return result;
}

specpi_compiler_result sycl_local_memory_add(sycl_unit *unit) {
  threading t = {.unit = unit, .mark = LLVMGetNamedFunction(unit->module, SYCL_UNIT_LOCAL_MEMORY)};
  if (t.mark == NULL)
    return SPECPI_COMPILER_SUCCESS;
  t.builder = LLVMCreateBuilderInContext(unit->context);
  const specpi_compiler_result result = thread(&t);
  LLVMDisposeBuilder(t.builder);
  free(t.wanting.items);
  value_set_free(&t.seen);
  return result;
}
