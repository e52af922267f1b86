#include "inline_calls.h"

#include "passes_run.h"

#include <stddef.h>
#include <string.h>

enum {
  ROUNDS = 32, /* each is a level of calls */
  GROWTH = 4,  /* times the module's instructions */
  ROOM = 20000 /* and for small modules this many */
};

static LLVMValueRef defined_callee(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL)
    return NULL;
  LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
  return function != NULL && !LLVMIsDeclaration(function) ? function : NULL;
}

static size_t count_instructions(LLVMValueRef function, bool *ret_calls) {
  size_t count = 0;
  *ret_calls = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef it = LLVMGetFirstInstruction(block); it != NULL;
         it = LLVMGetNextInstruction(it), count++)
      *ret_calls |= defined_callee(it) != NULL;
  return count;
}

static size_t count_calls_of(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    count += defined_callee(LLVMGetUser(use)) == function;
  return count;
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* How often a function without calls of its own is called, which may be inlined; 0 for others. */
static size_t count_wanted(LLVMValueRef function, bool calls) {
  if (calls || LLVMIsDeclaration(function) || has_attribute(function, "noinline") ||
      has_attribute(function, "alwaysinline"))
    return 0;
  return count_calls_of(function);
}

/* Instructions, with those that a round of inlining may add or without them. */
static size_t count_module(LLVMModuleRef module, bool is_inlined) {
  size_t total = 0;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it)) {
    bool calls;
    const size_t size = count_instructions(it, &calls);
    total += size * (1 + (is_inlined ? count_wanted(it, calls) : 0));
  }
  return total;
}

static bool mark_leaves(LLVMModuleRef module) {
  static const char name[] = "alwaysinline";
  LLVMAttributeRef always = LLVMCreateEnumAttribute(
      LLVMGetModuleContext(module), LLVMGetEnumAttributeKindForName(name, sizeof name - 1), 0);
  bool marks = false;
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it)) {
    bool calls;
    (void)count_instructions(it, &calls);
    if (count_wanted(it, calls) == 0)
      continue;
    LLVMAddAttributeAtIndex(it, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, always);
    marks = true;
  }
  return marks;
}

specpi_compiler_result inline_calls(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                    bool *ret_changed) {
  const size_t limit = ROOM + GROWTH * count_module(module, false);
  bool is_changed = false;
  for (int round = 0; round < ROUNDS; round++) {
    if (count_module(module, true) > limit || !mark_leaves(module))
      break;
    is_changed = true;
    COMPILER_TRY(passes_run(module, machine, "always-inline", "inline"));
  }
  *ret_changed = is_changed;
  return SPECPI_COMPILER_SUCCESS;
}
