#include "move_function.h"

#include "attributes.h"
#include "target.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* FEW_UNITS are all read before they are written. LOOP_UNITS are, in each step of a copy's loop. */
enum { FEW_UNITS = 16, LOOP_UNITS = 8 };

/* A function that is being written. */
typedef struct writing {
  const move_functions *functions;
  const move_kind *kind;
  LLVMBuilderRef builder;
  LLVMTypeRef number;
  LLVMValueRef to;
  LLVMValueRef from;
} writing;

move_functions move_functions_of(LLVMModuleRef module, unsigned generic_space) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  return (move_functions){.module = module,
                          .context = context,
                          .builder = LLVMCreateBuilderInContext(context),
                          .generic_space = generic_space,
                          .align_kind = attributes_kind("align")};
}

void move_functions_free(move_functions *functions) {
  LLVMDisposeBuilder(functions->builder);
  free(functions->made.items);
}

/* ---- Arguments ---- */

bool move_is(LLVMValueRef at, const char *name) {
  LLVMValueRef called = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
  return called != NULL && LLVMIsAFunction(called) != NULL &&
         LLVMGetIntrinsicID(called) == LLVMLookupIntrinsicID(name, strlen(name));
}

uint64_t move_length(LLVMValueRef move) {
  LLVMValueRef length = LLVMGetOperand(move, 2);
  return LLVMIsAConstantInt(length) != NULL ? LLVMConstIntGetZExtValue(length) : UINT64_MAX;
}

unsigned move_alignment(const move_functions *functions, LLVMValueRef move, unsigned index,
                        unsigned most) {
  LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(move, index + 1, functions->align_kind);
  const uint64_t bytes = align != NULL ? LLVMGetEnumAttributeValue(align) : 1;
  return bytes > most ? most : bytes > 1 ? (unsigned)bytes : 1;
}

LLVMValueRef move_pointer(const move_functions *functions, LLVMValueRef move, unsigned index) {
  LLVMValueRef pointer = LLVMGetOperand(move, index);
  LLVMTypeRef byte = LLVMInt8TypeInContext(functions->context);
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  LLVMPositionBuilderBefore(functions->builder, move);
  return LLVMBuildBitCast(functions->builder, pointer, LLVMPointerType(byte, space), "");
}

/* ---- The function ---- */

static LLVMValueRef number(const writing *writing, uint64_t value) {
  return LLVMConstInt(writing->number, value, 0);
}

/* Converts a pointer to a number, which for the same memory is equal in all address spaces. */
static LLVMValueRef address(const writing *writing, LLVMValueRef pointer) {
  const unsigned space = writing->functions->generic_space;
  LLVMTypeRef byte = LLVMInt8TypeInContext(writing->functions->context);
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != space)
    pointer = LLVMBuildAddrSpaceCast(writing->builder, pointer, LLVMPointerType(byte, space), "");
  return LLVMBuildPtrToInt(writing->builder, pointer, writing->number, "");
}

/* Returns the type of a unit: an integer, or a vector of four. */
static LLVMTypeRef unit_type(const writing *writing) {
  LLVMContextRef context = writing->functions->context;
  return writing->kind->unit == 16 ? LLVMVectorType(LLVMInt32TypeInContext(context), 4)
                                   : LLVMIntTypeInContext(context, 8 * writing->kind->unit);
}

/* Builds the address of the unit at an index. */
static LLVMValueRef element(const writing *writing, LLVMValueRef pointer, LLVMValueRef index) {
  LLVMTypeRef unit = unit_type(writing);
  LLVMTypeRef type = LLVMPointerType(unit, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
  return LLVMBuildGEP2(writing->builder, unit,
                       LLVMBuildBitCast(writing->builder, pointer, type, ""), &index, 1, "");
}

/* Builds a unit of equal bytes. */
static LLVMValueRef repeat_byte(const writing *writing, LLVMValueRef byte) {
  LLVMBuilderRef b = writing->builder;
  LLVMTypeRef word = LLVMInt64TypeInContext(writing->functions->context);
  LLVMValueRef bytes = LLVMBuildMul(b, LLVMBuildZExt(b, byte, word, ""),
                                    LLVMConstInt(word, 0x0101010101010101, 0), "");
  if (writing->kind->unit != 16)
    return LLVMBuildTruncOrBitCast(b, bytes, unit_type(writing), "");
  LLVMTypeRef quarter = LLVMInt32TypeInContext(writing->functions->context);
  LLVMValueRef unit = LLVMGetUndef(unit_type(writing));
  bytes = LLVMBuildTrunc(b, bytes, quarter, "");
  for (unsigned i = 0; i < 4; i++)
    unit = LLVMBuildInsertElement(b, unit, bytes, LLVMConstInt(quarter, i, 0), "");
  return unit;
}

static LLVMValueRef read_unit(const writing *writing, LLVMValueRef index) {
  if (LLVMGetTypeKind(LLVMTypeOf(writing->from)) == LLVMIntegerTypeKind)
    return repeat_byte(writing, writing->from);
  LLVMValueRef value = LLVMBuildLoad2(writing->builder, unit_type(writing),
                                      element(writing, writing->from, index), "");
  LLVMSetAlignment(value, writing->kind->unit);
  LLVMSetVolatile(value, writing->kind->is_volatile);
  return value;
}

static void write_unit(const writing *writing, LLVMValueRef index, LLVMValueRef value) {
  LLVMValueRef store =
      LLVMBuildStore(writing->builder, value, element(writing, writing->to, index));
  LLVMSetAlignment(store, writing->kind->unit);
  LLVMSetVolatile(store, writing->kind->is_volatile);
}

/* Writes reads and then writes of up to FEW_UNITS from an index on. */
static void write_units(const writing *writing, LLVMValueRef first, uint64_t count) {
  LLVMValueRef places[FEW_UNITS];
  LLVMValueRef values[FEW_UNITS];
  for (uint64_t i = 0; i < count; i++) {
    places[i] = LLVMBuildAdd(writing->builder, first, number(writing, i), "");
    values[i] = read_unit(writing, places[i]);
  }
  for (uint64_t i = 0; i < count; i++)
    write_unit(writing, places[i], values[i]);
}

/* Writes a loop of a copy up to a number of units. */
static void write_loop(const writing *writing, uint64_t count, LLVMBasicBlockRef entry,
                       LLVMBasicBlockRef loop, LLVMBasicBlockRef end) {
  LLVMBuilderRef b = writing->builder;
  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef at = LLVMBuildPhi(b, writing->number, "");
  write_units(writing, at, LOOP_UNITS);
  LLVMValueRef next = LLVMBuildAdd(b, at, number(writing, LOOP_UNITS), "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, number(writing, count), ""), loop, end);
  LLVMAddIncoming(at, (LLVMValueRef[]){number(writing, 0), next},
                  (LLVMBasicBlockRef[]){entry, loop}, 2);
}

/* Writes a copy: a loop, unless there are few units, and the rest. */
static void write_copy(const writing *writing, LLVMBasicBlockRef entry, LLVMBasicBlockRef loop,
                       LLVMBasicBlockRef end) {
  const uint64_t count = writing->kind->bytes / writing->kind->unit;
  const uint64_t rest = count <= FEW_UNITS ? count : count % LOOP_UNITS;
  LLVMPositionBuilderAtEnd(writing->builder, entry);
  LLVMBuildBr(writing->builder, rest < count ? loop : end);
  if (rest < count)
    write_loop(writing, count - rest, entry, loop, end);
  else
    LLVMDeleteBasicBlock(loop);
  LLVMPositionBuilderAtEnd(writing->builder, end);
  write_units(writing, number(writing, count - rest), rest);
}

/* Writes a move, backwards if the source is before the destination. */
static void write_move(const writing *writing, LLVMValueRef length, LLVMBasicBlockRef entry,
                       LLVMBasicBlockRef loop, LLVMBasicBlockRef end) {
  LLVMBuilderRef b = writing->builder;
  LLVMValueRef zero = number(writing, 0);
  LLVMValueRef one = number(writing, 1);

  LLVMPositionBuilderAtEnd(b, entry);
  LLVMValueRef count = LLVMBuildIntCast2(b, length, writing->number, 0, "");
  count = LLVMBuildUDiv(b, count, number(writing, writing->kind->unit), "");
  LLVMValueRef back = LLVMBuildICmp(b, LLVMIntULT, address(writing, writing->from),
                                    address(writing, writing->to), "");
  LLVMValueRef first = LLVMBuildSelect(b, back, LLVMBuildSub(b, count, one, ""), zero, "");
  LLVMValueRef step = LLVMBuildSelect(b, back, LLVMConstAllOnes(writing->number), one, "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, count, zero, ""), end, loop);

  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef at = LLVMBuildPhi(b, writing->number, "");
  LLVMValueRef left = LLVMBuildPhi(b, writing->number, "");
  write_unit(writing, at, read_unit(writing, at));
  LLVMValueRef next = LLVMBuildAdd(b, at, step, "");
  LLVMValueRef less = LLVMBuildSub(b, left, one, "");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, less, zero, ""), end, loop);
  LLVMAddIncoming(at, (LLVMValueRef[]){first, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
  LLVMAddIncoming(left, (LLVMValueRef[]){count, less}, (LLVMBasicBlockRef[]){entry, loop}, 2);
  LLVMPositionBuilderAtEnd(b, end);
}

static void write_body(const move_functions *functions, const move_kind *kind,
                       LLVMValueRef function) {
  const writing writing = {.functions = functions,
                           .kind = kind,
                           .builder = functions->builder,
                           .number = LLVMIntPtrTypeInContext(
                               functions->context, LLVMGetModuleDataLayout(functions->module)),
                           .to = LLVMGetParam(function, 0),
                           .from = LLVMGetParam(function, 1)};
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(functions->context, function, "entry");
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(functions->context, function, "loop");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(functions->context, function, "end");
  if (kind->is_copy)
    write_copy(&writing, entry, loop, end);
  else
    write_move(&writing, LLVMGetParam(function, 2), entry, loop, end);
  LLVMBuildRetVoid(functions->builder);
}

static bool is_same(const move_kind *one, const move_kind *other) {
  return one->to == other->to && one->from == other->from && one->length == other->length &&
         one->unit == other->unit && one->is_volatile == other->is_volatile &&
         one->is_copy == other->is_copy && one->bytes == other->bytes;
}

/* Finds or makes the function for moves of a kind. */
static specpi_compiler_result find_function(move_functions *functions, const move_kind *kind,
                                            LLVMValueRef *ret) {
  for (size_t i = 0; i < functions->made.count; i++)
    if (is_same(&functions->made.items[i].kind, kind)) {
      *ret = functions->made.items[i].function;
      return SPECPI_COMPILER_SUCCESS;
    }
  if (!VECTOR_RESERVE(&functions->made))
    return compiler_error_memory();
  LLVMTypeRef parameters[] = {kind->to, kind->from, kind->length};
  *ret = LLVMAddFunction(
      functions->module, "__specpi_memmove",
      LLVMFunctionType(LLVMVoidTypeInContext(functions->context), parameters, 3, 0));
  LLVMSetLinkage(*ret, LLVMInternalLinkage);
  if (!target_is_nvptx(functions->module))
    LLVMSetFunctionCallConv(*ret, LLVMSPIRFUNCCallConv);
  write_body(functions, kind, *ret);
  functions->made.items[functions->made.count++] = (move_function){*kind, *ret};
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result move_function_call(move_functions *functions, LLVMValueRef move,
                                          unsigned most, bool is_copy) {
  const bool is_fill = move_is(move, "llvm.memset");
  LLVMValueRef arguments[] = {move_pointer(functions, move, 0),
                              is_fill ? LLVMGetOperand(move, 1) : move_pointer(functions, move, 1),
                              LLVMGetOperand(move, 2)};
  const unsigned alignment = move_alignment(functions, move, 0, most);
  const uint64_t bytes = move_length(move);
  move_kind kind = {.to = LLVMTypeOf(arguments[0]),
                    .from = LLVMTypeOf(arguments[1]),
                    .length = LLVMTypeOf(arguments[2]),
                    .unit = is_fill ? alignment : move_alignment(functions, move, 1, alignment),
                    .is_volatile = !LLVMIsNull(LLVMGetOperand(move, 3))};
  /* If the length is not constant, the only known unit is a byte. */
  while (kind.unit > 1 && bytes % kind.unit != 0)
    kind.unit /= 2;
  kind.is_copy = is_copy || bytes <= (uint64_t)FEW_UNITS * kind.unit;
  kind.bytes = kind.is_copy ? bytes : 0;
  LLVMValueRef function;
  COMPILER_TRY(find_function(functions, &kind, &function));
  LLVMPositionBuilderBefore(functions->builder, move);
  LLVMValueRef call = LLVMBuildCall2(functions->builder, LLVMGlobalGetValueType(function), function,
                                     arguments, 3, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  return SPECPI_COMPILER_SUCCESS;
}
