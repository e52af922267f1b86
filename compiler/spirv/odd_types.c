#include "odd_types.h"

#include "../../plugins/base/vector.h"
#include "limbs.h"

#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE = 8, ELEMENTS_MAX = 256 };

/* A value of an odd type, with the index of its first limb in parts. */
typedef struct odd_value {
  LLVMValueRef value;
  size_t first;
} odd_value;

typedef struct replacing {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  VECTOR(odd_value) values; /* sorted by value */
  LLVMValueRef *parts;      /* the limbs of all values */
  size_t part_count;
  VECTOR(LLVMValueRef) old; /* instructions that have been replaced */
  LLVMValueRef at;          /* the current instruction */
} replacing;

/* A scalar or vector type as elements. */
typedef struct shape {
  unsigned elements;
  LLVMTypeRef element;
  limb_form form;
  bool is_vector;
} shape;

static shape type_shape(LLVMTypeRef type) {
  const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  return (shape){.elements = is_vector ? LLVMGetVectorSize(type) : 1,
                 .element = element,
                 .form = limbs_form(element),
                 .is_vector = is_vector};
}

/* ---- Odd types and values ---- */

static bool is_odd_integer(LLVMTypeRef type) {
  const limb_form form = limbs_form(type);
  return form.width != 0 && (form.width != form.bits || form.count > 1);
}

static bool is_odd_type(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return is_odd_integer(type);
  const unsigned size = LLVMGetVectorSize(type);
  return is_odd_integer(LLVMGetElementType(type)) ||
         !(size == 2 || size == 3 || size == 4 || size == 8 || size == 16);
}

static bool has_odd_type(LLVMValueRef value) {
  return is_odd_type(LLVMTypeOf(value));
}

/* Returns whether an instruction is a variable of an odd type, or of an array of one. */
static bool is_odd_variable(LLVMValueRef instruction) {
  if (LLVMIsAAllocaInst(instruction) == NULL)
    return false;
  LLVMTypeRef type = LLVMGetAllocatedType(instruction);
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return is_odd_type(type);
}

static bool touches_odd(LLVMValueRef instruction) {
  bool found = has_odd_type(instruction) || is_odd_variable(instruction);
  for (int i = 0; !found && i < LLVMGetNumOperands(instruction); i++)
    found = has_odd_type(LLVMGetOperand(instruction, (unsigned)i));
  return found;
}

static int compare_values(const void *one, const void *other) {
  const uintptr_t a = (uintptr_t)((const odd_value *)one)->value;
  const uintptr_t b = (uintptr_t)((const odd_value *)other)->value;
  return (a > b) - (a < b);
}

/* ---- Limbs of values ---- */

static LLVMValueRef *find_parts(const replacing *replacing, LLVMValueRef value) {
  const odd_value wanted = {.value = value};
  const odd_value *found = replacing->values.count == 0
                               ? NULL
                               : bsearch(&wanted, replacing->values.items, replacing->values.count,
                                         sizeof wanted, compare_values);
  return found != NULL ? replacing->parts + found->first : NULL;
}

static LLVMValueRef index_number(const replacing *replacing, unsigned number) {
  return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(replacing->module)), number, 0);
}

/* Reads one element of a value whose type may be odd. */
static limbs read_element(const replacing *replacing, LLVMValueRef value, unsigned element) {
  const shape of = type_shape(LLVMTypeOf(value));
  const LLVMValueRef *parts = find_parts(replacing, value);
  limbs made = {.items = {NULL}};
  if (parts != NULL) {
    for (unsigned i = 0; i < of.form.count; i++)
      made.items[i] = parts[element * of.form.count + i];
    return made;
  }
  if (of.is_vector)
    value =
        LLVMBuildExtractElement(replacing->builder, value, index_number(replacing, element), "");
  return limbs_constant(replacing->builder, &of.form, value);
}

/* Writes one element of the result. If the result's type is not odd, adds the element to *plain. */
static void write_element(const replacing *replacing, unsigned element, const limbs *value,
                          LLVMValueRef *plain) {
  const shape of = type_shape(LLVMTypeOf(replacing->at));
  LLVMValueRef *parts = find_parts(replacing, replacing->at);
  for (unsigned i = 0; parts != NULL && i < of.form.count; i++)
    parts[element * of.form.count + i] = value->items[i];
  if (parts == NULL && of.is_vector)
    *plain = LLVMBuildInsertElement(replacing->builder, *plain, value->items[0],
                                    index_number(replacing, element), "");
  else if (parts == NULL)
    *plain = value->items[0];
}

/* ---- Operations on elements ---- */

static limbs operate_element(const replacing *replacing, const limbs *operands, const shape *from,
                             const shape *to) {
  LLVMBuilderRef b = replacing->builder;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(replacing->at);
  switch (opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
    return limbs_resize(b, &from->form, &operands[0], &to->form, opcode == LLVMSExt);
  case LLVMICmp:
    if (from->form.width != 0)
      return (limbs){.items = {limbs_compare(b, &from->form, LLVMGetICmpPredicate(replacing->at),
                                             &operands[0], &operands[1])}};
    return (limbs){.items = {LLVMBuildICmp(b, LLVMGetICmpPredicate(replacing->at),
                                           operands[0].items[0], operands[1].items[0], "")}};
  case LLVMFCmp:
    return (limbs){.items = {LLVMBuildFCmp(b, LLVMGetFCmpPredicate(replacing->at),
                                           operands[0].items[0], operands[1].items[0], "")}};
  case LLVMFNeg:
    return (limbs){.items = {LLVMBuildFNeg(b, operands[0].items[0], "")}};
  case LLVMSelect: {
    limbs made = {.items = {NULL}};
    for (unsigned i = 0; i < to->form.count; i++)
      made.items[i] =
          LLVMBuildSelect(b, operands[0].items[0], operands[1].items[i], operands[2].items[i], "");
    return made;
  }
  default:
    break;
  }
  if (LLVMIsABinaryOperator(replacing->at) != NULL && to->form.width != 0)
    return limbs_binary(b, &to->form, opcode, &operands[0], &operands[1]);
  if (LLVMIsABinaryOperator(replacing->at) != NULL)
    return (limbs){
        .items = {LLVMBuildBinOp(b, opcode, operands[0].items[0], operands[1].items[0], "")}};
  if (opcode == LLVMFPToSI || opcode == LLVMFPToUI) {
    if (to->form.count > 1)
      return limbs_from_float(b, &to->form, operands[0].items[0], opcode == LLVMFPToSI);
  } else if (from->form.count > 1) {
    return (limbs){.items = {limbs_to_float(b, &from->form, &operands[0], to->form.limb,
                                            opcode == LLVMSIToFP)}};
  }
  /* A cast between one limb and a floating-point number or pointer. */
  const limbs source =
      opcode == LLVMSIToFP ? limbs_signed(b, &from->form, &operands[0]) : operands[0];
  limbs made = {.items = {LLVMBuildCast(b, opcode, source.items[0], to->form.limb, "")}};
  limbs_trim(b, &to->form, &made);
  return made;
}

static bool is_elementwise(const replacing *replacing, const shape *from, const shape *to) {
  switch (LLVMGetInstructionOpcode(replacing->at)) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMFNeg:
  case LLVMSelect:
  case LLVMFPToUI:
  case LLVMFPToSI:
    return true;
  case LLVMUIToFP:
  case LLVMSIToFP:
    return from->form.count <= 2;
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast:
    return from->form.count == 1 && to->form.count == 1;
  default:
    return LLVMIsABinaryOperator(replacing->at) != NULL;
  }
}

static bool replace_elementwise(const replacing *replacing, LLVMValueRef *plain) {
  const unsigned count = (unsigned)LLVMGetNumOperands(replacing->at);
  const shape from = type_shape(LLVMTypeOf(LLVMGetOperand(replacing->at, count - 1)));
  const shape to = type_shape(LLVMTypeOf(replacing->at));
  if (!is_elementwise(replacing, &from, &to) || count > 3)
    return false;
  for (unsigned element = 0; element < to.elements; element++) {
    limbs operands[3] = {{.items = {NULL}}};
    for (unsigned i = 0; i < count; i++) {
      LLVMValueRef operand = LLVMGetOperand(replacing->at, i);
      const bool is_vector = type_shape(LLVMTypeOf(operand)).is_vector;
      operands[i] = read_element(replacing, operand, is_vector ? element : 0);
    }
    const limbs made = operate_element(replacing, operands, &from, &to);
    write_element(replacing, element, &made, plain);
  }
  return true;
}

/* Replaces an intrinsic's call with odd vectors by a call for each element. */
static bool replace_call(const replacing *replacing, LLVMValueRef *plain) {
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(replacing->at));
  const unsigned id = callee != NULL ? LLVMGetIntrinsicID(callee) : 0;
  const unsigned count = LLVMGetNumArgOperands(replacing->at);
  shape to = type_shape(LLVMTypeOf(replacing->at));
  if (id == 0 || !LLVMIntrinsicIsOverloaded(id) || count > 3 || is_odd_integer(to.element))
    return false;
  for (unsigned element = 0; element < to.elements; element++) {
    LLVMValueRef arguments[3];
    for (unsigned i = 0; i < count; i++) {
      LLVMValueRef operand = LLVMGetOperand(replacing->at, i);
      const shape of = type_shape(LLVMTypeOf(operand));
      if (of.is_vector && of.elements != to.elements)
        return false;
      arguments[i] = of.is_vector ? read_element(replacing, operand, element).items[0] : operand;
    }
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(replacing->module, id, &to.element, 1);
    const limbs made = {
        .items = {LLVMBuildCall2(replacing->builder, LLVMGlobalGetValueType(function), function,
                                 arguments, count, "")}};
    write_element(replacing, element, &made, plain);
  }
  return true;
}

/* ---- Bits ---- */

/* A part of a value: an integer of at most one limb, with the position of its first bit. */
typedef struct bit_run {
  LLVMValueRef value;
  unsigned first;
  unsigned width;
} bit_run;

/* Lists the runs of a value. Returns their number; 0 if the value has no bits, e.g. a pointer. */
static unsigned list_runs(const replacing *replacing, LLVMValueRef value, bit_run *runs) {
  const shape of = type_shape(LLVMTypeOf(value));
  unsigned count = 0;
  for (unsigned element = 0; element < of.elements; element++) {
    const limbs read = read_element(replacing, value, element);
    unsigned width = of.form.width;
    LLVMValueRef bits = read.items[0];
    if (width == 0) {
      if (LLVMGetTypeKind(of.element) == LLVMPointerTypeKind)
        return 0;
      width = (unsigned)LLVMSizeOfTypeInBits(replacing->layout, of.element);
      LLVMContextRef context = LLVMGetModuleContext(replacing->module);
      bits = LLVMBuildBitCast(replacing->builder, bits, LLVMIntTypeInContext(context, width), "");
    }
    for (unsigned i = 0; i < of.form.count; i++) {
      const unsigned skipped = i * of.form.bits;
      const unsigned left = width - skipped;
      runs[count++] =
          (bit_run){.value = i == 0 ? bits : read.items[i],
                    .first = element * width + skipped,
                    .width = of.form.count > 1 && left > of.form.bits ? of.form.bits : left};
    }
  }
  return count;
}

/* Builds an integer of a type from the bits [first, first + width) of the runs. */
static LLVMValueRef gather_bits(const replacing *replacing, const bit_run *runs, unsigned count,
                                unsigned first, unsigned width, LLVMTypeRef type) {
  LLVMBuilderRef b = replacing->builder;
  LLVMValueRef made = LLVMConstInt(type, 0, 0);
  for (unsigned i = 0; i < count; i++) {
    const bit_run *run = &runs[i];
    if (run->first >= first + width || run->first + run->width <= first)
      continue;
    LLVMTypeRef own = LLVMTypeOf(run->value);
    LLVMValueRef bits = run->value;
    if (run->first < first)
      bits = LLVMBuildLShr(b, bits, LLVMConstInt(own, first - run->first, 0), "");
    bits = LLVMBuildIntCast2(b, bits, type, 0, "");
    if (run->first > first)
      bits = LLVMBuildShl(b, bits, LLVMConstInt(type, run->first - first, 0), "");
    made = LLVMBuildOr(b, made, bits, "");
  }
  return made;
}

/* Writes the result's elements from runs. */
static void write_bits(const replacing *replacing, const bit_run *runs, unsigned count,
                       LLVMValueRef *plain) {
  const shape to = type_shape(LLVMTypeOf(replacing->at));
  LLVMContextRef context = LLVMGetModuleContext(replacing->module);
  const bool is_integer = to.form.width != 0;
  const unsigned width =
      is_integer ? to.form.width : (unsigned)LLVMSizeOfTypeInBits(replacing->layout, to.element);
  const unsigned bits = is_integer ? to.form.bits : width;
  LLVMTypeRef type = is_integer ? to.form.limb : LLVMIntTypeInContext(context, width);
  for (unsigned element = 0; element < to.elements; element++) {
    limbs made = {.items = {NULL}};
    for (unsigned i = 0; i < to.form.count; i++)
      made.items[i] = gather_bits(replacing, runs, count, element * width + i * bits,
                                  width - i * bits < bits ? width - i * bits : bits, type);
    if (is_integer)
      limbs_trim(replacing->builder, &to.form, &made);
    else
      made.items[0] = LLVMBuildBitCast(replacing->builder, made.items[0], to.element, "");
    write_element(replacing, element, &made, plain);
  }
}

static bool replace_bitcast(const replacing *replacing, LLVMValueRef *plain) {
  bit_run runs[ELEMENTS_MAX * LIMBS_MAX];
  const unsigned count = list_runs(replacing, LLVMGetOperand(replacing->at, 0), runs);
  if (count == 0 ||
      LLVMGetTypeKind(type_shape(LLVMTypeOf(replacing->at)).element) == LLVMPointerTypeKind)
    return false;
  write_bits(replacing, runs, count, plain);
  return true;
}

/* ---- Elements of vectors ---- */

/* Reads the index of an element; false if it is not constant. */
static bool read_index(LLVMValueRef index, unsigned long long *ret) {
  if (LLVMIsAConstantInt(index) == NULL)
    return false;
  *ret = LLVMConstIntGetZExtValue(index);
  return true;
}

static limbs choose_element(const replacing *replacing, const limb_form *form, LLVMValueRef index,
                            unsigned number, const limbs *yes, const limbs *no) {
  const limb_form wide = limbs_form(LLVMTypeOf(index));
  const limbs wanted = read_element(replacing, index, 0);
  limbs constant = {.items = {LLVMConstInt(wide.limb, number, 0)}};
  for (unsigned i = 1; i < wide.count; i++)
    constant.items[i] = LLVMConstInt(wide.limb, 0, 0);
  LLVMValueRef is_it = limbs_compare(replacing->builder, &wide, LLVMIntEQ, &wanted, &constant);
  limbs made = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    made.items[i] = LLVMBuildSelect(replacing->builder, is_it, yes->items[i], no->items[i], "");
  return made;
}

static void replace_extract(const replacing *replacing, LLVMValueRef *plain) {
  LLVMValueRef vector = LLVMGetOperand(replacing->at, 0);
  LLVMValueRef index = LLVMGetOperand(replacing->at, 1);
  const shape from = type_shape(LLVMTypeOf(vector));
  unsigned long long number = 0;
  const bool is_known = read_index(index, &number);
  limbs made = read_element(replacing, vector, number < from.elements ? (unsigned)number : 0);
  for (unsigned i = 1; !is_known && i < from.elements; i++) {
    const limbs other = read_element(replacing, vector, i);
    made = choose_element(replacing, &from.form, index, i, &other, &made);
  }
  write_element(replacing, 0, &made, plain);
}

static void replace_insert(const replacing *replacing, LLVMValueRef *plain) {
  LLVMValueRef index = LLVMGetOperand(replacing->at, 2);
  const limbs value = read_element(replacing, LLVMGetOperand(replacing->at, 1), 0);
  const shape to = type_shape(LLVMTypeOf(replacing->at));
  unsigned long long number = 0;
  const bool is_known = read_index(index, &number);
  for (unsigned i = 0; i < to.elements; i++) {
    limbs made = read_element(replacing, LLVMGetOperand(replacing->at, 0), i);
    if (!is_known)
      made = choose_element(replacing, &to.form, index, i, &value, &made);
    else if (i == number)
      made = value;
    write_element(replacing, i, &made, plain);
  }
}

static void replace_shuffle(const replacing *replacing, LLVMValueRef *plain) {
  const shape from = type_shape(LLVMTypeOf(LLVMGetOperand(replacing->at, 0)));
  const shape to = type_shape(LLVMTypeOf(replacing->at));
  for (unsigned i = 0; i < to.elements; i++) {
    const int from_element = LLVMGetMaskValue(replacing->at, i);
    const unsigned number = from_element >= 0 ? (unsigned)from_element : 0;
    const unsigned operand = number >= from.elements;
    limbs made = read_element(replacing, LLVMGetOperand(replacing->at, operand),
                              number - operand * from.elements);
    for (unsigned k = 0; from_element < 0 && k < to.form.count; k++)
      made.items[k] = LLVMGetUndef(to.form.limb);
    write_element(replacing, i, &made, plain);
  }
}

/* ---- Memory ---- */

/* Builds a byte pointer at an offset from a pointer, whose casts are skipped. */
static LLVMValueRef byte_pointer(const replacing *replacing, LLVMValueRef pointer,
                                 unsigned offset) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(replacing->module));
  while (LLVMIsABitCastInst(pointer) != NULL ||
         (LLVMIsAConstantExpr(pointer) != NULL && LLVMGetConstOpcode(pointer) == LLVMBitCast))
    pointer = LLVMGetOperand(pointer, 0);
  LLVMTypeRef type = LLVMPointerType(byte, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
  LLVMValueRef bytes = LLVMBuildBitCast(replacing->builder, pointer, type, "");
  LLVMValueRef index = index_number(replacing, offset);
  return offset == 0 ? bytes
                     : LLVMBuildInBoundsGEP2(replacing->builder, byte, bytes, &index, 1, "");
}

/* A piece of a load or store, of up to 8 bytes. */
typedef struct piece {
  LLVMTypeRef type;
  unsigned offset;
  unsigned bytes;
} piece;

static piece next_piece(const replacing *replacing, unsigned offset, unsigned size,
                        unsigned alignment) {
  unsigned bytes = 8;
  while (bytes > size - offset || offset % bytes != 0 || bytes > alignment)
    bytes /= 2;
  return (piece){.type =
                     LLVMIntTypeInContext(LLVMGetModuleContext(replacing->module), bytes * BYTE),
                 .offset = offset,
                 .bytes = bytes};
}

static void settle_access(const replacing *replacing, LLVMValueRef access, const piece *of) {
  LLVMSetVolatile(access, LLVMGetVolatile(replacing->at));
  LLVMSetAlignment(access, of->bytes);
}

static unsigned stored_bytes(const replacing *replacing, LLVMTypeRef type) {
  return (unsigned)((LLVMSizeOfTypeInBits(replacing->layout, type) + BYTE - 1) / BYTE);
}

static bool replace_load(const replacing *replacing, LLVMValueRef *plain) {
  bit_run runs[ELEMENTS_MAX * LIMBS_MAX];
  unsigned count = 0;
  const shape to = type_shape(LLVMTypeOf(replacing->at));
  const unsigned size = stored_bytes(replacing, LLVMTypeOf(replacing->at));
  if (LLVMGetOrdering(replacing->at) != LLVMAtomicOrderingNotAtomic ||
      size > sizeof runs / sizeof runs[0] || LLVMGetTypeKind(to.element) == LLVMPointerTypeKind)
    return false;
  for (unsigned offset = 0; offset < size; offset += runs[count - 1].width / BYTE) {
    const piece of = next_piece(replacing, offset, size, LLVMGetAlignment(replacing->at));
    LLVMValueRef from = byte_pointer(replacing, LLVMGetOperand(replacing->at, 0), offset);
    LLVMTypeRef pointer = LLVMPointerType(of.type, LLVMGetPointerAddressSpace(LLVMTypeOf(from)));
    LLVMValueRef access = LLVMBuildLoad2(
        replacing->builder, of.type, LLVMBuildBitCast(replacing->builder, from, pointer, ""), "");
    settle_access(replacing, access, &of);
    runs[count++] = (bit_run){.value = access, .first = offset * BYTE, .width = of.bytes * BYTE};
  }
  write_bits(replacing, runs, count, plain);
  return true;
}

static bool replace_store(const replacing *replacing) {
  bit_run runs[ELEMENTS_MAX * LIMBS_MAX];
  LLVMValueRef value = LLVMGetOperand(replacing->at, 0);
  const unsigned count = list_runs(replacing, value, runs);
  if (count == 0 || LLVMGetOrdering(replacing->at) != LLVMAtomicOrderingNotAtomic)
    return false;
  const unsigned size = stored_bytes(replacing, LLVMTypeOf(value));
  for (unsigned offset = 0; offset < size;) {
    const piece of = next_piece(replacing, offset, size, LLVMGetAlignment(replacing->at));
    LLVMValueRef to = byte_pointer(replacing, LLVMGetOperand(replacing->at, 1), offset);
    LLVMTypeRef pointer = LLVMPointerType(of.type, LLVMGetPointerAddressSpace(LLVMTypeOf(to)));
    LLVMValueRef bits =
        gather_bits(replacing, runs, count, of.offset * BYTE, of.bytes * BYTE, of.type);
    LLVMValueRef access = LLVMBuildStore(replacing->builder, bits,
                                         LLVMBuildBitCast(replacing->builder, to, pointer, ""));
    settle_access(replacing, access, &of);
    offset += of.bytes;
  }
  return true;
}

/* Replaces a variable of an odd type by one of as many bytes. */
static void replace_variable(const replacing *replacing, LLVMValueRef *plain) {
  LLVMTypeRef type = LLVMGetAllocatedType(replacing->at);
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(replacing->module));
  const unsigned size = (unsigned)LLVMABISizeOfType(replacing->layout, type);
  LLVMValueRef made = LLVMBuildAlloca(replacing->builder, LLVMArrayType(byte, size), "");
  LLVMSetAlignment(made, LLVMGetAlignment(replacing->at));
  *plain = LLVMBuildBitCast(replacing->builder, made, LLVMTypeOf(replacing->at), "");
}

/* ---- Control flow ---- */

/* Replaces a phi by one for each limb. Their incoming values follow when all blocks are done. */
static void replace_phi(const replacing *replacing) {
  LLVMValueRef *parts = find_parts(replacing, replacing->at);
  const shape of = type_shape(LLVMTypeOf(replacing->at));
  for (unsigned i = 0; i < of.elements * of.form.count; i++)
    parts[i] = LLVMBuildPhi(replacing->builder, of.form.limb, "");
}

static void fill_phi(const replacing *replacing, LLVMValueRef phi) {
  const LLVMValueRef *parts = find_parts(replacing, phi);
  const shape of = type_shape(LLVMTypeOf(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMPositionBuilderBefore(replacing->builder, LLVMGetBasicBlockTerminator(block));
    for (unsigned element = 0; element < of.elements; element++) {
      limbs value = read_element(replacing, LLVMGetIncomingValue(phi, i), element);
      for (unsigned k = 0; k < of.form.count; k++)
        LLVMAddIncoming(parts[element * of.form.count + k], &value.items[k], &block, 1);
    }
  }
}

static bool replace_switch(const replacing *replacing) {
  LLVMValueRef condition = LLVMGetOperand(replacing->at, 0);
  const limb_form form = limbs_form(LLVMTypeOf(condition));
  if (form.count > 1)
    return false;
  const unsigned count = LLVMGetNumSuccessors(replacing->at);
  LLVMValueRef made =
      LLVMBuildSwitch(replacing->builder, read_element(replacing, condition, 0).items[0],
                      LLVMGetSwitchDefaultDest(replacing->at), count - 1);
  for (unsigned i = 1; i < count; i++)
    LLVMAddCase(made, read_element(replacing, LLVMGetOperand(replacing->at, 2 * i), 0).items[0],
                LLVMGetSuccessor(replacing->at, i));
  return true;
}

/* Converts the odd indices of an address to 64 bits. */
static void replace_indices(const replacing *replacing) {
  static const bool is_signed = true;
  const limb_form wide =
      limbs_form(LLVMInt64TypeInContext(LLVMGetModuleContext(replacing->module)));
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(replacing->at); i++) {
    LLVMValueRef index = LLVMGetOperand(replacing->at, i);
    if (!has_odd_type(index))
      continue;
    const limb_form form = limbs_form(LLVMTypeOf(index));
    const limbs value = read_element(replacing, index, 0);
    LLVMSetOperand(replacing->at, i,
                   limbs_resize(replacing->builder, &form, &value, &wide, is_signed).items[0]);
  }
}

/* ---- The whole ---- */

/* Builds an instruction's replacement; false if there is none. */
static bool replace_instruction(const replacing *replacing, LLVMValueRef *plain) {
  switch (LLVMGetInstructionOpcode(replacing->at)) {
  case LLVMPHI:
    replace_phi(replacing);
    return true;
  case LLVMBitCast:
    return replace_bitcast(replacing, plain);
  case LLVMExtractElement:
    replace_extract(replacing, plain);
    return true;
  case LLVMInsertElement:
    replace_insert(replacing, plain);
    return true;
  case LLVMShuffleVector:
    replace_shuffle(replacing, plain);
    return true;
  case LLVMLoad:
    return replace_load(replacing, plain);
  case LLVMStore:
    return replace_store(replacing);
  case LLVMAlloca:
    replace_variable(replacing, plain);
    return true;
  case LLVMSwitch:
    return replace_switch(replacing);
  case LLVMCall:
    return replace_call(replacing, plain);
  default:
    return replace_elementwise(replacing, plain);
  }
}

/* Returns whether a value can be split into limbs. */
static bool is_readable(const replacing *replacing, LLVMValueRef value) {
  const shape of = type_shape(LLVMTypeOf(value));
  bool is_plain = LLVMIsAConstant(value) != NULL && LLVMIsAConstantExpr(value) == NULL;
  if (is_plain && LLVMIsAConstantVector(value) != NULL)
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      is_plain = is_plain && LLVMIsAConstantExpr(LLVMGetOperand(value, (unsigned)i)) == NULL;
  return !has_odd_type(value) || (limbs_fit(&of.form) && of.elements <= ELEMENTS_MAX &&
                                  (is_plain || find_parts(replacing, value) != NULL));
}

static bool is_replaceable(const replacing *replacing) {
  bool is_fit = is_readable(replacing, replacing->at);
  for (int i = 0; is_fit && i < LLVMGetNumOperands(replacing->at); i++)
    is_fit = is_readable(replacing, LLVMGetOperand(replacing->at, (unsigned)i));
  return is_fit;
}

static specpi_compiler_result refuse_instruction(LLVMValueRef instruction) {
  size_t length;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  char *text = LLVMPrintValueToString(instruction);
  const specpi_compiler_result result =
      compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "function '%s' has a type that SPIR-V does not have: '%.200s'",
                     LLVMGetValueName2(function, &length), text + strspn(text, " "));
  LLVMDisposeMessage(text);
  return result;
}

static specpi_compiler_result replace_one(replacing *replacing) {
  LLVMPositionBuilderBefore(replacing->builder, replacing->at);
  LLVMValueRef plain = NULL;
  const bool is_void = LLVMGetTypeKind(LLVMTypeOf(replacing->at)) == LLVMVoidTypeKind;
  if (!is_void)
    plain = LLVMGetUndef(LLVMTypeOf(replacing->at));
  if (!is_replaceable(replacing))
    return refuse_instruction(replacing->at);
  if (LLVMIsAGetElementPtrInst(replacing->at) != NULL && !has_odd_type(replacing->at)) {
    replace_indices(replacing);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (!replace_instruction(replacing, &plain))
    return refuse_instruction(replacing->at);
  if (LLVMIsASwitchInst(replacing->at) != NULL) {
    LLVMInstructionEraseFromParent(replacing->at); /* a block may have only one terminator */
    return SPECPI_COMPILER_SUCCESS;
  }
  if (!is_void && !has_odd_type(replacing->at))
    LLVMReplaceAllUsesWith(replacing->at, plain);
  if (!VECTOR_RESERVE(&replacing->old))
    return compiler_error_memory();
  replacing->old.items[replacing->old.count++] = replacing->at;
  return SPECPI_COMPILER_SUCCESS;
}

typedef specpi_compiler_result visitor(replacing *replacing);

/* Calls visit for each instruction; visit may erase the instruction. */
static specpi_compiler_result visit_all(replacing *replacing, LLVMValueRef function,
                                        visitor *visit) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      replacing->at = at;
      COMPILER_TRY(visit(replacing));
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_odd(replacing *replacing) {
  return touches_odd(replacing->at) ? replace_one(replacing) : SPECPI_COMPILER_SUCCESS;
}

/* Lists the instruction if its type is odd, and reserves its parts. */
static specpi_compiler_result list_value(replacing *replacing) {
  const shape of = type_shape(LLVMTypeOf(replacing->at));
  if (!has_odd_type(replacing->at))
    return SPECPI_COMPILER_SUCCESS;
  if (!limbs_fit(&of.form) || of.elements > ELEMENTS_MAX)
    return refuse_instruction(replacing->at);
  if (!VECTOR_RESERVE(&replacing->values))
    return compiler_error_memory();
  replacing->values.items[replacing->values.count++] =
      (odd_value){replacing->at, replacing->part_count};
  replacing->part_count += (size_t)of.elements * of.form.count;
  return SPECPI_COMPILER_SUCCESS;
}

/* Makes a cast of a pointer that is itself a cast refer to the original pointer, so that casts to
 * odd types in between become unused. */
static specpi_compiler_result shorten_cast(replacing *replacing) {
  if (LLVMIsABitCastInst(replacing->at) == NULL)
    return SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef from = LLVMGetOperand(replacing->at, 0); LLVMIsABitCastInst(from) != NULL;
       from = LLVMGetOperand(from, 0))
    LLVMSetOperand(replacing->at, 0, LLVMGetOperand(from, 0));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result erase_cast(replacing *replacing) {
  if (LLVMIsABitCastInst(replacing->at) != NULL && LLVMGetFirstUse(replacing->at) == NULL)
    LLVMInstructionEraseFromParent(replacing->at);
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns whether a type contains an odd one; depth ends the search in recursive structures. */
static bool holds_odd(LLVMTypeRef type, unsigned depth) {
  enum { DEPTH_MAX = 6 };
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (depth == DEPTH_MAX || kind == LLVMFunctionTypeKind)
    return false;
  if (kind == LLVMStructTypeKind) {
    bool found = false;
    for (unsigned i = 0; !found && i < LLVMCountStructElementTypes(type); i++)
      found = holds_odd(LLVMStructGetTypeAtIndex(type, i), depth + 1);
    return found;
  }
  if (kind == LLVMArrayTypeKind || (kind == LLVMPointerTypeKind && !LLVMPointerTypeIsOpaque(type)))
    return holds_odd(LLVMGetElementType(type), depth + 1);
  return is_odd_type(type);
}

/* Refuses values without a replacement: pointers to odd types, and structures with them. */
static specpi_compiler_result refuse_rest(replacing *replacing) {
  return holds_odd(LLVMTypeOf(replacing->at), 0) ? refuse_instruction(replacing->at)
                                                 : SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_values(replacing *replacing, LLVMValueRef function) {
  if (replacing->values.count != 0)
    qsort(replacing->values.items, replacing->values.count, sizeof *replacing->values.items,
          compare_values);
  COMPILER_TRY(visit_all(replacing, function, replace_odd));
  for (size_t i = 0; i < replacing->values.count; i++)
    if (LLVMIsAPHINode(replacing->values.items[i].value) != NULL)
      fill_phi(replacing, replacing->values.items[i].value);
  for (size_t i = replacing->old.count; i-- > 0;) {
    LLVMValueRef old = replacing->old.items[i];
    if (LLVMGetFirstUse(old) != NULL)
      LLVMReplaceAllUsesWith(old, LLVMGetUndef(LLVMTypeOf(old)));
    LLVMInstructionEraseFromParent(old);
  }
  COMPILER_TRY(visit_all(replacing, function, shorten_cast));
  COMPILER_TRY(visit_all(replacing, function, erase_cast));
  return visit_all(replacing, function, refuse_rest);
}

static specpi_compiler_result check_parameters(LLVMValueRef function) {
  size_t length;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  bool is_odd = holds_odd(LLVMGetReturnType(type), 0);
  for (unsigned i = 0; !is_odd && i < LLVMCountParams(function); i++)
    is_odd = holds_odd(LLVMTypeOf(LLVMGetParam(function, i)), 0);
  COMPILER_REQUIRE(!is_odd || LLVMGetIntrinsicID(function) != 0,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "function '%s' takes or returns a type that SPIR-V does not have: integers have "
                   "8, 16, 32 or 64 bits, and vectors 2, 3, 4, 8 or 16 elements",
                   LLVMGetValueName2(function, &length));
  return SPECPI_COMPILER_SUCCESS;
}

static bool has_odd_values(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (touches_odd(at))
        return true;
  return false;
}

static specpi_compiler_result replace_in(replacing *replacing, LLVMValueRef function) {
  COMPILER_TRY(visit_all(replacing, function, list_value));
  replacing->parts = calloc(replacing->part_count + 1, sizeof *replacing->parts);
  return replacing->parts != NULL ? replace_values(replacing, function) : compiler_error_memory();
}

specpi_compiler_result odd_types_replace(LLVMModuleRef module) {
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module);
       function != NULL && result == SPECPI_COMPILER_SUCCESS;
       function = LLVMGetNextFunction(function)) {
    result = check_parameters(function);
    if (result != SPECPI_COMPILER_SUCCESS || !has_odd_values(function))
      continue;
    replacing replacing = {.module = module, .layout = LLVMGetModuleDataLayout(module)};
    replacing.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    result = replace_in(&replacing, function);
    LLVMDisposeBuilder(replacing.builder);
    free(replacing.values.items);
    free(replacing.old.items);
    free(replacing.parts);
  }
  return result;
}
