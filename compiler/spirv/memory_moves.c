#include "memory_moves.h"

#include "../../plugins/base/vector.h"
#include "../attributes.h"

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Longest move that is copied over a variable, because kernels have little private memory. */
#define SHORT_BYTES 256

enum { CONSTANT_SPACE = 2, GENERIC_SPACE = 4 };

/* Properties of a move that determine its function. */
typedef struct move_kind {
  LLVMTypeRef to; /* to and from are i8 pointers */
  LLVMTypeRef from;
  LLVMTypeRef length;
  unsigned unit; /* bytes that are copied at a time: 1, 2, 4 or 8 */
  bool is_volatile;
} move_kind;

typedef struct move_function {
  move_kind kind;
  LLVMValueRef function;
} move_function;

typedef struct moving {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  unsigned align_kind;
  VECTOR(move_function) made;
} moving;

/* ---- The function ---- */

/* Converts a pointer to a number, which for the same memory is equal in all address spaces. */
static LLVMValueRef address(const moving *moving, LLVMValueRef pointer, LLVMTypeRef generic,
                            LLVMTypeRef number) {
  if (LLVMTypeOf(pointer) != generic)
    pointer = LLVMBuildAddrSpaceCast(moving->builder, pointer, generic, "");
  return LLVMBuildPtrToInt(moving->builder, pointer, number, "");
}

/* Builds the address of the unit at an index. */
static LLVMValueRef element(const moving *moving, LLVMValueRef pointer, LLVMTypeRef unit,
                            LLVMValueRef index) {
  LLVMTypeRef type = LLVMPointerType(unit, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
  return LLVMBuildGEP2(moving->builder, unit, LLVMBuildBitCast(moving->builder, pointer, type, ""),
                       &index, 1, "");
}

/*
 * Writes the body: it copies unit by unit, backwards if the source is before the destination.
 */
static void write_body(const moving *moving, const move_kind *kind, LLVMValueRef function) {
  LLVMBuilderRef b = moving->builder;
  LLVMTypeRef number =
      LLVMIntPtrTypeInContext(moving->context, LLVMGetModuleDataLayout(moving->module));
  LLVMTypeRef unit = LLVMIntTypeInContext(moving->context, 8 * kind->unit);
  LLVMTypeRef generic =
      LLVMGetPointerAddressSpace(kind->from) == GENERIC_SPACE ? kind->from : kind->to;
  LLVMValueRef to = LLVMGetParam(function, 0);
  LLVMValueRef from = LLVMGetParam(function, 1);
  LLVMValueRef zero = LLVMConstInt(number, 0, 0);
  LLVMValueRef one = LLVMConstInt(number, 1, 0);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(moving->context, function, "entry");
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(moving->context, function, "loop");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(moving->context, function, "end");

  LLVMPositionBuilderAtEnd(b, entry);
  LLVMValueRef count = LLVMBuildIntCast2(b, LLVMGetParam(function, 2), number, 0, "");
  count = LLVMBuildUDiv(b, count, LLVMConstInt(number, kind->unit, 0), "");
  LLVMValueRef back = LLVMBuildICmp(b, LLVMIntULT, address(moving, from, generic, number),
                                    address(moving, to, generic, number), "");
  LLVMValueRef first = LLVMBuildSelect(b, back, LLVMBuildSub(b, count, one, ""), zero, "");
  LLVMValueRef step = LLVMBuildSelect(b, back, LLVMConstAllOnes(number), one, "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, count, zero, ""), end, loop);

  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef at = LLVMBuildPhi(b, number, "");
  LLVMValueRef left = LLVMBuildPhi(b, number, "");
  LLVMValueRef value = LLVMBuildLoad2(b, unit, element(moving, from, unit, at), "");
  LLVMValueRef store = LLVMBuildStore(b, value, element(moving, to, unit, at));
  LLVMSetAlignment(value, kind->unit);
  LLVMSetAlignment(store, kind->unit);
  LLVMSetVolatile(value, kind->is_volatile);
  LLVMSetVolatile(store, kind->is_volatile);
  LLVMValueRef next = LLVMBuildAdd(b, at, step, "");
  LLVMValueRef less = LLVMBuildSub(b, left, one, "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, less, zero, ""), end, loop);
  LLVMAddIncoming(at, (LLVMValueRef[]){first, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
  LLVMAddIncoming(left, (LLVMValueRef[]){count, less}, (LLVMBasicBlockRef[]){entry, loop}, 2);

  LLVMPositionBuilderAtEnd(b, end);
  LLVMBuildRetVoid(b);
}

/* Finds or makes the function for moves of a kind. */
static specpi_compiler_result find_function(moving *moving, const move_kind *kind,
                                            LLVMValueRef *ret) {
  for (size_t i = 0; i < moving->made.count; i++) {
    const move_kind *other = &moving->made.items[i].kind;
    if (other->to == kind->to && other->from == kind->from && other->length == kind->length &&
        other->unit == kind->unit && other->is_volatile == kind->is_volatile) {
      *ret = moving->made.items[i].function;
      return SPECPI_COMPILER_SUCCESS;
    }
  }
  if (!VECTOR_RESERVE(&moving->made))
    return compiler_error_memory();
  LLVMTypeRef parameters[] = {kind->to, kind->from, kind->length};
  *ret =
      LLVMAddFunction(moving->module, "__specpi_memmove",
                      LLVMFunctionType(LLVMVoidTypeInContext(moving->context), parameters, 3, 0));
  LLVMSetLinkage(*ret, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(*ret, LLVMSPIRFUNCCallConv);
  write_body(moving, kind, *ret);
  moving->made.items[moving->made.count++] = (move_function){*kind, *ret};
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The moves ---- */

/* Returns the known alignment of an argument. */
static unsigned argument_alignment(const moving *moving, LLVMValueRef call, unsigned index) {
  LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, index + 1, moving->align_kind);
  const uint64_t bytes = align != NULL ? LLVMGetEnumAttributeValue(align) : 1;
  return bytes > 8 ? 8 : (unsigned)bytes;
}

/* Builds a copy that replaces a move, or one half of it. */
static void copy_bytes(const moving *moving, LLVMValueRef to, unsigned to_alignment,
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
static LLVMValueRef make_variable(const moving *moving, LLVMValueRef move, unsigned size,
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

/* Returns a pointer argument of a move, cast to an i8 pointer. */
static LLVMValueRef byte_pointer(const moving *moving, LLVMValueRef move, unsigned index) {
  LLVMValueRef pointer = LLVMGetOperand(move, index);
  LLVMTypeRef byte = LLVMInt8TypeInContext(moving->context);
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  return LLVMBuildBitCast(moving->builder, pointer, LLVMPointerType(byte, space), "");
}

/* Builds a call of the function that moves in a loop. */
static specpi_compiler_result call_function(moving *moving, move_kind *kind, uint64_t bytes,
                                            LLVMValueRef *arguments, LLVMValueRef move) {
  while (bytes % kind->unit != 0)
    kind->unit /= 2;
  LLVMValueRef function;
  COMPILER_TRY(find_function(moving, kind, &function));
  LLVMPositionBuilderBefore(moving->builder, move);
  LLVMValueRef call =
      LLVMBuildCall2(moving->builder, LLVMGlobalGetValueType(function), function, arguments, 3, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_move(moving *moving, LLVMValueRef move) {
  LLVMPositionBuilderBefore(moving->builder, move);
  LLVMValueRef to = byte_pointer(moving, move, 0);
  LLVMValueRef from = byte_pointer(moving, move, 1);
  LLVMValueRef length = LLVMGetOperand(move, 2);
  const unsigned alignments[] = {argument_alignment(moving, move, 0),
                                 argument_alignment(moving, move, 1)};
  const unsigned least = alignments[alignments[1] < alignments[0]];
  const unsigned to_space = LLVMGetPointerAddressSpace(LLVMTypeOf(to));
  const unsigned from_space = LLVMGetPointerAddressSpace(LLVMTypeOf(from));
  /* Memory cannot overlap if the source is constant, or the address spaces differ and neither is
   * generic. */
  const bool apart =
      from_space == CONSTANT_SPACE ||
      (to_space != from_space && to_space != GENERIC_SPACE && from_space != GENERIC_SPACE);
  /* If the length is not constant, the only known unit is a byte. */
  const uint64_t bytes =
      LLVMIsAConstantInt(length) != NULL ? LLVMConstIntGetZExtValue(length) : UINT64_MAX;
  if (apart) {
    copy_bytes(moving, to, alignments[0], from, alignments[1], move);
  } else if (bytes > SHORT_BYTES) {
    move_kind kind = {.to = LLVMTypeOf(to),
                      .from = LLVMTypeOf(from),
                      .length = LLVMTypeOf(length),
                      .unit = least,
                      .is_volatile = !LLVMIsNull(LLVMGetOperand(move, 3))};
    COMPILER_TRY(call_function(moving, &kind, bytes, (LLVMValueRef[]){to, from, length}, move));
  } else if (bytes > 0) {
    LLVMValueRef variable = make_variable(moving, move, (unsigned)bytes, least);
    copy_bytes(moving, variable, least, from, alignments[1], move);
    copy_bytes(moving, to, alignments[0], variable, least, move);
  }
  LLVMInstructionEraseFromParent(move);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_moves(moving *moving, unsigned id, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
    if (callee != NULL && LLVMIsAFunction(callee) != NULL && LLVMGetIntrinsicID(callee) == id)
      COMPILER_TRY(replace_move(moving, at));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result memory_moves(LLVMModuleRef module) {
  static const char name[] = "llvm.memmove";
  const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  moving moving = {.module = module, .context = LLVMGetModuleContext(module)};
  moving.builder = LLVMCreateBuilderInContext(moving.context);
  moving.align_kind = attributes_kind("align");
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && result == SPECPI_COMPILER_SUCCESS; block = LLVMGetNextBasicBlock(block))
      result = replace_moves(&moving, id, block);
  LLVMDisposeBuilder(moving.builder);
  free(moving.made.items);
  return result;
}
