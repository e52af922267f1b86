#include "spirv_form.h"

#include "block_order.h"
#include "loop_hints.h"
#include "memory_moves.h"
#include "passes_run.h"
#include "phi_edges.h"
#include "vector.h"

#include <stdlib.h>
#include <string.h>

typedef VECTOR(LLVMValueRef) values;

static void replace_freezes(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMValueRef operand =
          LLVMGetInstructionOpcode(at) == LLVMFreeze ? LLVMGetOperand(at, 0) : NULL;
      if (operand == NULL || operand == at)
        continue;
      LLVMReplaceAllUsesWith(at, operand);
      LLVMInstructionEraseFromParent(at);
    }
  }
}

/* Runs LLVM's pass, which leaves functions alone that have the attribute optnone. */
static specpi_compiler_result simplify_loops(LLVMModuleRef module) {
  return passes_run(module, NULL, "function(loop-simplify)", "bring loops into a simple form");
}

/* Takes the attribute from all functions and lists those that had it. */
static specpi_compiler_result take_attribute(LLVMModuleRef module, unsigned kind, values *had) {
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it)) {
    if (LLVMGetEnumAttributeAtIndex(it, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) ==
        NULL)
      continue;
    if (!VECTOR_RESERVE(had))
      return compiler_error_memory();
    had->items[had->count++] = it;
    LLVMRemoveEnumAttributeAtIndex(it, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result spirv_form(LLVMModuleRef module) {
  static const char name[] = "optnone";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  COMPILER_TRY(memory_moves(module));
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it)) {
    replace_freezes(it);
    COMPILER_TRY(phi_edges(it));
  }
  values had = {0};
  specpi_compiler_result result = take_attribute(module, kind, &had);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = simplify_loops(module);
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (size_t i = 0; i < had.count; i++)
    LLVMAddAttributeAtIndex(had.items[i], (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            attribute);
  free(had.items);
  COMPILER_TRY(result);
  COMPILER_TRY(block_order(module));
  return loop_hints_check(module);
}
