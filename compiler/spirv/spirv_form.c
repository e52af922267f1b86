#include "spirv_form.h"

#include "../../plugins/base/vector.h"
#include "../attributes.h"
#include "../initialisers.h"
#include "../passes_run.h"
#include "../space_casts.h"
#include "block_order.h"
#include "dimensions.h"
#include "intrinsics.h"
#include "loop_hints.h"
#include "memory_moves.h"
#include "odd_types.h"
#include "phi_edges.h"

#include <stdlib.h>

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

/* Runs LLVM's pass loop-simplify, which skips functions with the attribute optnone. */
static specpi_compiler_result simplify_loops(LLVMModuleRef module) {
  return passes_run(module, NULL, "function(loop-simplify)", "bring loops into a simple form");
}

/* Removes an attribute from all functions, and lists the functions that had it. */
static specpi_compiler_result take_attribute(LLVMModuleRef module, const char *name, values *had) {
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value)) {
    if (!attributes_has(value, name))
      continue;
    if (!VECTOR_RESERVE(had))
      return compiler_error_memory();
    had->items[had->count++] = value;
    attributes_remove(value, name);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Casts a pointer to an integer of an odd width by way of a byte pointer, which odd_types.c needs
 * to access the integer in parts. Returns NULL for other casts. */
static LLVMValueRef cast_bytes(LLVMValueRef cast) {
  LLVMTypeRef type = LLVMTypeOf(cast);
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || LLVMPointerTypeIsOpaque(type) ||
      LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
    return NULL;
  const unsigned width = LLVMGetIntTypeWidth(LLVMGetElementType(type));
  if (width == 8 || width == 16 || width == 32 || width == 64)
    return NULL;
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context);
  LLVMValueRef from = LLVMGetOperand(cast, 0);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  if (LLVMIsAInstruction(cast) != NULL)
    LLVMPositionBuilderBefore(b, cast);
  LLVMValueRef bytes = LLVMBuildBitCast(b, from, LLVMPointerType(byte, space_casts_of(from)), "");
  bytes = LLVMBuildAddrSpaceCast(b, bytes, LLVMPointerType(byte, space_casts_of(cast)), "");
  LLVMValueRef made = LLVMBuildBitCast(b, bytes, type, "");
  LLVMDisposeBuilder(b);
  return made;
}

specpi_compiler_result spirv_form(LLVMModuleRef module) {
  static const char name[] = "optnone";
  COMPILER_TRY(initialisers_check(module));
  COMPILER_TRY(memory_moves(module));
  dimensions_bound(module);
  COMPILER_TRY(intrinsics_replace(module));
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value)) {
    replace_freezes(value);
    COMPILER_TRY(phi_edges(value));
  }
  values had = {0};
  specpi_compiler_result result = take_attribute(module, name, &had);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = simplify_loops(module);
  for (size_t i = 0; i < had.count; i++)
    attributes_add(had.items[i], name);
  free(had.items);
  COMPILER_TRY(result);
  COMPILER_TRY(block_order(module));
  space_casts_replace(module, cast_bytes);
  COMPILER_TRY(odd_types_replace(module));
  return loop_hints_check(module);
}
