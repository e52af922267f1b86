#include "large_moves.h"

#include "../attributes.h"
#include "../move_function.h"
#include "../passes_run.h"

/* LARGE_BYTES: from here on LLVM writes a loop. UNIT_MOST: bytes of the largest load and store. */
enum { LARGE_BYTES = 128, UNIT_MOST = 16, GENERIC_SPACE = 0, PRIVATE_SPACE = 5 };

/* Returns the address space that a pointer points to, as far as it is known. */
static unsigned known_space(LLVMValueRef pointer) {
  while (LLVMIsABitCastInst(pointer) != NULL || LLVMIsAGetElementPtrInst(pointer) != NULL ||
         LLVMIsAAddrSpaceCastInst(pointer) != NULL)
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) != NULL ? PRIVATE_SPACE
                                            : LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

/* Returns whether source and destination are in two memories. */
static bool is_apart(LLVMValueRef move) {
  const unsigned to = known_space(LLVMGetOperand(move, 0));
  const unsigned from = known_space(LLVMGetOperand(move, 1));
  return to != from && to != GENERIC_SPACE && from != GENERIC_SPACE;
}

static specpi_compiler_result lower_moves(move_functions *functions, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    const bool is_move = move_is(at, "llvm.memmove");
    if (!is_move && !move_is(at, "llvm.memcpy") && !move_is(at, "llvm.memset"))
      continue;
    const uint64_t bytes = move_length(at);
    if (bytes < LARGE_BYTES || (!is_move && bytes == UINT64_MAX))
      continue;
    COMPILER_TRY(move_function_call(functions, at, UNIT_MOST,
                                    !is_move || (is_apart(at) && bytes != UINT64_MAX)));
    LLVMInstructionEraseFromParent(at);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Moves the variables of a function's first block to its start, because inlining divides the block.
 */
static void gather_variables(LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (at != NULL && LLVMIsAAllocaInst(at) != NULL)
    at = LLVMGetNextInstruction(at);
  if (at == NULL)
    return;
  LLVMPositionBuilderBefore(builder, at);
  for (LLVMValueRef next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    if (LLVMIsAAllocaInst(at) == NULL || LLVMIsAConstantInt(LLVMGetOperand(at, 0)) == NULL)
      continue;
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
}

static void call_inline(const move_functions *functions) {
  for (size_t i = 0; i < functions->made.count; i++)
    attributes_add(functions->made.items[i].function, "alwaysinline");
  for (LLVMValueRef function = LLVMGetFirstFunction(functions->module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      gather_variables(functions->builder, function);
}

specpi_compiler_result large_moves_lower(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  move_functions functions = move_functions_of(module, GENERIC_SPACE);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && result == SPECPI_COMPILER_SUCCESS; block = LLVMGetNextBasicBlock(block))
      result = lower_moves(&functions, block);
  const bool is_any = functions.made.count != 0;
  if (is_any)
    call_inline(&functions);
  move_functions_free(&functions);
  if (result == SPECPI_COMPILER_SUCCESS && is_any)
    result = passes_run(module, machine, "always-inline", "inline copies");
  return result;
}
