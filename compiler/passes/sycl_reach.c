#include "sycl_unit.h"

#include "../passes_run.h"

#include <llvm-c/Comdat.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reached functions and variables ---- */

typedef struct walk {
  value_set *seen;
  VECTOR(LLVMValueRef) work; /* functions and variables that are still to be walked */
} walk;

/* Visits a value and all constants in it, each once. */
static specpi_compiler_result visit_value(walk *walk, LLVMValueRef value) {
  VECTOR(LLVMValueRef) parts = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef at = value; at != NULL && result == SPECPI_COMPILER_SUCCESS;
       at = parts.count > 0 ? parts.items[--parts.count] : NULL) {
    if (LLVMIsAConstant(at) == NULL)
      continue;
    bool added;
    const bool inside = LLVMIsAFunction(at) != NULL || LLVMIsAGlobalVariable(at) != NULL;
    const int count = inside ? 0 : LLVMGetNumOperands(at);
    if (!inside && count == 0)
      continue;
    if (!value_set_add(walk->seen, at, &added) || (inside && !VECTOR_RESERVE(&walk->work)))
      result = compiler_error_memory();
    else if (added && inside)
      walk->work.items[walk->work.count++] = at;
    for (int i = 0; i < count && added && result == SPECPI_COMPILER_SUCCESS; i++) {
      if (!VECTOR_RESERVE(&parts))
        result = compiler_error_memory();
      else
        parts.items[parts.count++] = LLVMGetOperand(at, (unsigned)i);
    }
  }
  free(parts.items);
  return result;
}

static specpi_compiler_result visit_function(walk *walk, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      for (int i = 0; i < LLVMGetNumOperands(at); i++)
        COMPILER_TRY(visit_value(walk, LLVMGetOperand(at, (unsigned)i)));
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_reach(LLVMValueRef function, value_set *ret) {
  walk walk = {.seen = ret};
  specpi_compiler_result result = visit_value(&walk, function);
  while (walk.work.count > 0 && result == SPECPI_COMPILER_SUCCESS) {
    LLVMValueRef next = walk.work.items[--walk.work.count];
    if (LLVMIsAFunction(next) != NULL)
      result = visit_function(&walk, next);
    else if (LLVMGetInitializer(next) != NULL)
      result = visit_value(&walk, LLVMGetInitializer(next));
  }
  free(walk.work.items);
  return result;
}

specpi_compiler_result sycl_reach_all(const sycl_unit *unit, value_set *ret) {
  for (size_t i = 0; i < unit->kernels.count; i++)
    COMPILER_TRY(sycl_reach(unit->kernels.items[i].function, ret));
  for (size_t i = 0; i < unit->exported.count; i++)
    COMPILER_TRY(sycl_reach(unit->exported.items[i], ret));
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_find_kernel(const sycl_unit *unit, LLVMValueRef function,
                                        const sycl_kernel **ret) {
  *ret = NULL;
  for (size_t i = 0; i < unit->kernels.count && *ret == NULL; i++) {
    value_set reached = {0};
    const specpi_compiler_result result = sycl_reach(unit->kernels.items[i].function, &reached);
    if (value_set_has(&reached, function))
      *ret = &unit->kernels.items[i];
    value_set_free(&reached);
    COMPILER_TRY(result);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Removal of host code ---- */

/* Replaces aliases by the functions and variables that they stand for. */
static void resolve_aliases(const sycl_unit *unit) {
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(unit->module); alias != NULL;
       alias = LLVMGetNextGlobalAlias(alias)) {
    LLVMValueRef target = LLVMAliasGetAliasee(alias);
    LLVMReplaceAllUsesWith(alias, LLVMTypeOf(target) == LLVMTypeOf(alias)
                                      ? target
                                      : LLVMConstPointerCast(target, LLVMTypeOf(alias)));
    LLVMSetLinkage(alias, LLVMInternalLinkage);
  }
}

/* Removes ifuncs, whose functions are chosen when a program is loaded; devices do not have them. */
static void remove_ifuncs(const sycl_unit *unit) {
  LLVMValueRef ifunc;
  while ((ifunc = LLVMGetFirstGlobalIFunc(unit->module)) != NULL) {
    LLVMReplaceAllUsesWith(ifunc, LLVMConstNull(LLVMTypeOf(ifunc)));
    LLVMEraseGlobalIFunc(ifunc);
  }
}

/*
 * Removes lists for the host's loader and linker: constructors, destructors, and symbols that must
 * be kept.
 */
static void remove_lists(const sycl_unit *unit) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                                      "llvm.global_dtors"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(unit->module, names[i]);
    if (list != NULL)
      LLVMDeleteGlobal(list);
  }
}

/* Removes properties of host code: its processor, and how it is linked. */
static void settle(LLVMValueRef value) {
  static const char *const attributes[] = {"target-cpu", "target-features", "tune-cpu"};
  LLVMSetComdat(value, NULL);
  if (LLVMIsAFunction(value) != NULL)
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
      LLVMRemoveStringAttributeAtIndex(value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       attributes[i], (unsigned)strlen(attributes[i]));
  LLVMSetVisibility(value, LLVMDefaultVisibility);
  if (!LLVMIsDeclaration(value) && LLVMGetLinkage(value) != LLVMPrivateLinkage)
    LLVMSetLinkage(value, LLVMInternalLinkage);
}

static void settle_all(const sycl_unit *unit) {
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL;
       at = LLVMGetNextFunction(at))
    settle(at);
  for (LLVMValueRef at = LLVMGetFirstGlobal(unit->module); at != NULL; at = LLVMGetNextGlobal(at))
    settle(at);
  for (size_t i = 0; i < unit->kernels.count; i++)
    LLVMSetLinkage(unit->kernels.items[i].function, LLVMExternalLinkage);
  for (size_t i = 0; i < unit->exported.count; i++)
    LLVMSetLinkage(unit->exported.items[i], LLVMExternalLinkage);
}

specpi_compiler_result sycl_run_passes(const sycl_unit *unit, const char *passes) {
  return passes_run(unit->module, NULL, passes, "reduce the unit to its kernels");
}

specpi_compiler_result sycl_prune(sycl_unit *unit) {
  resolve_aliases(unit);
  remove_ifuncs(unit);
  remove_lists(unit);
  settle_all(unit);
  return sycl_run_passes(unit, "globaldce");
}
