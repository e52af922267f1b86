#include "memory_moves.h"

#include "../move_function.h"

#include <string.h>

/* Longest move that is copied over a variable, because kernels have little private memory. */
#define SHORT_BYTES 256

/* UNIT_MOST: the most bytes that a loop moves at a time. */
enum { CONSTANT_SPACE = 2, GENERIC_SPACE = 4, UNIT_MOST = 8 };

/* Builds a copy that replaces a move, or one half of it. */
static void copy_bytes(const move_functions *moving, LLVMValueRef to, unsigned to_alignment,
                       LLVMValueRef from, unsigned from_alignment, LLVMValueRef move) {
  static const char name[] = "llvm.memcpy";
  LLVMValueRef arguments[] = {to, from, LLVMGetOperand(move, 2), LLVMGetOperand(move, 3)};
  LLVMTypeRef types[] = {LLVMTypeOf(to), LLVMTypeOf(from), LLVMTypeOf(arguments[2])};
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      moving->module, LLVMLookupIntrinsicID(name, sizeof name - 1), types, 3);
  LLVMValueRef call =
      LLVMBuildCall2(moving->builder, LLVMGlobalGetValueType(function), function, arguments, 4, "");
  LLVMAddCallSiteAttribute(
      call, 1, LLVMCreateEnumAttribute(moving->context, moving->align_kind, to_alignment));
  LLVMAddCallSiteAttribute(
      call, 2, LLVMCreateEnumAttribute(moving->context, moving->align_kind, from_alignment));
}

/* Makes a variable in the move's function; returns an i8 pointer to it. */
static LLVMValueRef make_variable(const move_functions *moving, LLVMValueRef move, unsigned size,
                                  unsigned alignment) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(moving->context);
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(move));
  LLVMPositionBuilderBefore(moving->builder,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef variable = LLVMBuildAlloca(moving->builder, LLVMArrayType(byte, size), "");
  LLVMSetAlignment(variable, alignment);
  LLVMPositionBuilderBefore(moving->builder, move);
  return LLVMBuildBitCast(moving->builder, variable, LLVMPointerType(byte, 0), "");
}

static specpi_compiler_result replace_move(move_functions *moving, LLVMValueRef move) {
  LLVMValueRef to = move_pointer(moving, move, 0);
  LLVMValueRef from = move_pointer(moving, move, 1);
  const unsigned to_alignment = move_alignment(moving, move, 0, UNIT_MOST);
  const unsigned from_alignment = move_alignment(moving, move, 1, UNIT_MOST);
  const unsigned least = to_alignment < from_alignment ? to_alignment : from_alignment;
  const unsigned to_space = LLVMGetPointerAddressSpace(LLVMTypeOf(to));
  const unsigned from_space = LLVMGetPointerAddressSpace(LLVMTypeOf(from));
  /* Memory cannot overlap if the source is constant, or the address spaces differ and neither is
   * generic. */
  const bool apart =
      from_space == CONSTANT_SPACE ||
      (to_space != from_space && to_space != GENERIC_SPACE && from_space != GENERIC_SPACE);
  const uint64_t bytes = move_length(move);
  if (apart) {
    copy_bytes(moving, to, to_alignment, from, from_alignment, move);
  } else if (bytes > SHORT_BYTES) {
    COMPILER_TRY(move_function_call(moving, move, UNIT_MOST, false));
  } else if (bytes > 0) {
    LLVMValueRef variable = make_variable(moving, move, (unsigned)bytes, least);
    copy_bytes(moving, variable, least, from, from_alignment, move);
    copy_bytes(moving, to, to_alignment, variable, least, move);
  }
  LLVMInstructionEraseFromParent(move);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_moves(move_functions *moving, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    if (move_is(at, "llvm.memmove"))
      COMPILER_TRY(replace_move(moving, at));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result memory_moves(LLVMModuleRef module) {
  move_functions moving = move_functions_of(module, GENERIC_SPACE);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && result == SPECPI_COMPILER_SUCCESS; block = LLVMGetNextBasicBlock(block))
      result = replace_moves(&moving, block);
  move_functions_free(&moving);
  return result;
}
