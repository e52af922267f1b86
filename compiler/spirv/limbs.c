#include "limbs.h"

#include <math.h>

enum { LIMB = 64, HALF = 32 };

limb_form limbs_form(LLVMTypeRef scalar) {
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind)
    return (limb_form){.limb = scalar, .count = 1};
  const unsigned width = LLVMGetIntTypeWidth(scalar);
  unsigned bits = width == 1 ? 1 : 8;
  while (bits < width && bits < LIMB)
    bits *= 2;
  return (limb_form){.limb = LLVMIntTypeInContext(LLVMGetTypeContext(scalar), bits),
                     .width = width,
                     .bits = bits,
                     .count = (width + bits - 1) / bits};
}

static LLVMValueRef limb_number(const limb_form *form, unsigned long long number) {
  return LLVMConstInt(form->limb, number, 0);
}

/* Returns the number of unused bits in the last limb. */
static unsigned spare_bits(const limb_form *form) {
  return form->count * form->bits - form->width;
}

void limbs_trim(LLVMBuilderRef b, const limb_form *form, limbs *value) {
  LLVMValueRef *last = &value->items[form->count - 1];
  if (form->width != 0 && spare_bits(form) != 0)
    *last = LLVMBuildAnd(b, *last,
                         limb_number(form, ~0ull >> (LIMB - form->bits) >> spare_bits(form)), "");
}

limbs limbs_signed(LLVMBuilderRef b, const limb_form *form, const limbs *value) {
  limbs made = *value;
  LLVMValueRef *last = &made.items[form->count - 1];
  LLVMValueRef spare = limb_number(form, spare_bits(form));
  if (spare_bits(form) != 0)
    *last = LLVMBuildAShr(b, LLVMBuildShl(b, *last, spare, ""), spare, "");
  return made;
}

limbs limbs_constant(LLVMBuilderRef b, const limb_form *form, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  limbs made = {.items = {constant}};
  if (form->width == 0 || form->width == form->bits)
    return made;
  if (form->width < form->bits)
    return (limbs){.items = {LLVMBuildZExt(b, constant, form->limb, "")}};
  for (unsigned i = 0; i < form->count; i++) {
    LLVMValueRef places = LLVMConstInt(type, i * LIMB, 0);
    made.items[i] = LLVMBuildTrunc(b, LLVMBuildLShr(b, constant, places, ""), form->limb, "");
  }
  return made;
}

/* ---- Shifts ---- */

/* Builds the limb with the index at of value << places or value >> places; fill is shifted in. */
static LLVMValueRef shifted_limb(LLVMBuilderRef b, const limb_form *form, const limbs *value,
                                 long at, unsigned places, bool is_left, LLVMValueRef fill) {
  const long step = is_left ? -1 : 1;
  const long from = at + step * (long)(places / LIMB);
  const unsigned rest = places % LIMB;
  const long count = (long)form->count;
  LLVMValueRef near = from >= 0 && from < count ? value->items[from] : fill;
  LLVMValueRef far = from + step >= 0 && from + step < count ? value->items[from + step] : fill;
  if (rest == 0)
    return near;
  LLVMValueRef some = limb_number(form, rest);
  LLVMValueRef others = limb_number(form, LIMB - rest);
  return is_left ? LLVMBuildOr(b, LLVMBuildShl(b, near, some, ""),
                               LLVMBuildLShr(b, far, others, ""), "")
                 : LLVMBuildOr(b, LLVMBuildLShr(b, near, some, ""),
                               LLVMBuildShl(b, far, others, ""), "");
}

static limbs shift_by(LLVMBuilderRef b, const limb_form *form, const limbs *value, unsigned places,
                      bool is_left, LLVMValueRef fill) {
  limbs made = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    made.items[i] = shifted_limb(b, form, value, (long)i, places, is_left, fill);
  return made;
}

/* Shifts several limbs. If the amount is not constant, shifts for each of its bits in turn. */
static limbs shift_limbs(LLVMBuilderRef b, const limb_form *form, LLVMOpcode opcode,
                         const limbs *value, const limbs *places) {
  const bool is_left = opcode == LLVMShl;
  limbs made = opcode == LLVMAShr ? limbs_signed(b, form, value) : *value;
  LLVMValueRef fill = limb_number(form, 0);
  if (opcode == LLVMAShr)
    fill = LLVMBuildAShr(b, made.items[form->count - 1], limb_number(form, LIMB - 1), "");
  LLVMValueRef number = places->items[0];
  if (LLVMIsAConstantInt(number) != NULL) {
    const unsigned long long constant = LLVMConstIntGetZExtValue(number);
    made = shift_by(b, form, &made, constant < form->width ? (unsigned)constant : 0, is_left, fill);
  } else {
    for (unsigned step = 1; step < form->width; step *= 2) {
      LLVMValueRef bit = LLVMBuildAnd(b, number, limb_number(form, step), "");
      LLVMValueRef taken = LLVMBuildICmp(b, LLVMIntNE, bit, limb_number(form, 0), "");
      const limbs moved = shift_by(b, form, &made, step, is_left, fill);
      for (unsigned i = 0; i < form->count; i++)
        made.items[i] = LLVMBuildSelect(b, taken, moved.items[i], made.items[i], "");
    }
  }
  limbs_trim(b, form, &made);
  return made;
}

/* ---- Sums and products ---- */

/* Adds two limbs, and adds their carry to *carry. */
static LLVMValueRef add_limb(LLVMBuilderRef b, const limb_form *form, LLVMValueRef left,
                             LLVMValueRef right, LLVMValueRef *carry) {
  LLVMValueRef sum = LLVMBuildAdd(b, left, right, "");
  LLVMValueRef over = LLVMBuildICmp(b, LLVMIntULT, sum, right, "");
  *carry = LLVMBuildAdd(b, *carry, LLVMBuildZExt(b, over, form->limb, ""), "");
  return sum;
}

static limbs add_limbs(LLVMBuilderRef b, const limb_form *form, const limbs *left,
                       const limbs *right, unsigned carry) {
  limbs made = {.items = {NULL}};
  LLVMValueRef in = limb_number(form, carry);
  for (unsigned i = 0; i < form->count; i++) {
    LLVMValueRef out = limb_number(form, 0);
    LLVMValueRef sum = add_limb(b, form, left->items[i], right->items[i], &out);
    made.items[i] = add_limb(b, form, sum, in, &out);
    in = out;
  }
  limbs_trim(b, form, &made);
  return made;
}

static limbs subtract_limbs(LLVMBuilderRef b, const limb_form *form, const limbs *left,
                            const limbs *right) {
  limbs inverse = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    inverse.items[i] = LLVMBuildNot(b, right->items[i], "");
  return add_limbs(b, form, left, &inverse, 1);
}

/* Builds the upper limb of the product of two limbs. */
static LLVMValueRef multiply_high(LLVMBuilderRef b, const limb_form *form, LLVMValueRef left,
                                  LLVMValueRef right) {
  LLVMValueRef half = limb_number(form, HALF);
  LLVMValueRef mask = limb_number(form, 0xffffffffu);
  LLVMValueRef a[] = {LLVMBuildAnd(b, left, mask, ""), LLVMBuildLShr(b, left, half, "")};
  LLVMValueRef c[] = {LLVMBuildAnd(b, right, mask, ""), LLVMBuildLShr(b, right, half, "")};
  LLVMValueRef low = LLVMBuildLShr(b, LLVMBuildMul(b, a[0], c[0], ""), half, "");
  LLVMValueRef first = LLVMBuildAdd(b, LLVMBuildMul(b, a[1], c[0], ""), low, "");
  LLVMValueRef second =
      LLVMBuildAdd(b, LLVMBuildMul(b, a[0], c[1], ""), LLVMBuildAnd(b, first, mask, ""), "");
  LLVMValueRef high =
      LLVMBuildAdd(b, LLVMBuildMul(b, a[1], c[1], ""), LLVMBuildLShr(b, first, half, ""), "");
  return LLVMBuildAdd(b, high, LLVMBuildLShr(b, second, half, ""), "");
}

static limbs multiply_limbs(LLVMBuilderRef b, const limb_form *form, const limbs *left,
                            const limbs *right) {
  limbs made = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    made.items[i] = limb_number(form, 0);
  for (unsigned i = 0; i < form->count; i++) {
    LLVMValueRef carry = limb_number(form, 0);
    for (unsigned j = 0; i + j < form->count; j++) {
      LLVMValueRef *to = &made.items[i + j];
      LLVMValueRef over = limb_number(form, 0);
      if (i + j + 1 < form->count)
        over = multiply_high(b, form, left->items[i], right->items[j]);
      *to = add_limb(b, form, *to, LLVMBuildMul(b, left->items[i], right->items[j], ""), &over);
      *to = add_limb(b, form, *to, carry, &over);
      carry = over;
    }
  }
  limbs_trim(b, form, &made);
  return made;
}

/* ---- Quotients ---- */

static limbs select_limbs(LLVMBuilderRef b, const limb_form *form, LLVMValueRef condition,
                          const limbs *yes, const limbs *no) {
  limbs made = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    made.items[i] = LLVMBuildSelect(b, condition, yes->items[i], no->items[i], "");
  return made;
}

static limbs negate_if(LLVMBuilderRef b, const limb_form *form, LLVMValueRef condition,
                       const limbs *value) {
  limbs zero = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    zero.items[i] = limb_number(form, 0);
  const limbs negative = subtract_limbs(b, form, &zero, value);
  return select_limbs(b, form, condition, &negative, value);
}

/* Divides by binary long division. */
static limbs divide_unsigned(LLVMBuilderRef b, const limb_form *form, const limbs *left,
                             const limbs *right, limbs *remainder) {
  limbs quotient = {.items = {NULL}};
  limbs rest = {.items = {NULL}};
  for (unsigned i = 0; i < form->count; i++)
    rest.items[i] = quotient.items[i] = limb_number(form, 0);
  for (unsigned bit = form->width; bit-- > 0;) {
    LLVMValueRef top = LLVMBuildLShr(b, rest.items[form->count - 1],
                                     limb_number(form, (form->width - 1) % LIMB), "");
    LLVMValueRef carried = LLVMBuildICmp(b, LLVMIntNE, top, limb_number(form, 0), "");
    rest = shift_by(b, form, &rest, 1, true, limb_number(form, 0));
    limbs_trim(b, form, &rest);
    LLVMValueRef next =
        LLVMBuildLShr(b, left->items[bit / LIMB], limb_number(form, bit % LIMB), "");
    next = LLVMBuildAnd(b, next, limb_number(form, 1), "");
    rest.items[0] = LLVMBuildOr(b, rest.items[0], next, "");
    LLVMValueRef fits =
        LLVMBuildOr(b, carried, limbs_compare(b, form, LLVMIntUGE, &rest, right), "");
    const limbs less = subtract_limbs(b, form, &rest, right);
    rest = select_limbs(b, form, fits, &less, &rest);
    LLVMValueRef *to = &quotient.items[bit / LIMB];
    LLVMValueRef digit = LLVMBuildZExt(b, fits, form->limb, "");
    *to = LLVMBuildOr(b, *to, LLVMBuildShl(b, digit, limb_number(form, bit % LIMB), ""), "");
  }
  *remainder = rest;
  return quotient;
}

static LLVMValueRef is_negative(LLVMBuilderRef b, const limb_form *form, const limbs *value) {
  const limbs extended = limbs_signed(b, form, value);
  return LLVMBuildICmp(b, LLVMIntSLT, extended.items[form->count - 1], limb_number(form, 0), "");
}

static limbs divide_limbs(LLVMBuilderRef b, const limb_form *form, LLVMOpcode opcode,
                          const limbs *left, const limbs *right) {
  const bool with_sign = opcode == LLVMSDiv || opcode == LLVMSRem;
  limbs a = *left;
  limbs c = *right;
  LLVMValueRef signs[2] = {NULL, NULL};
  if (with_sign) {
    signs[0] = is_negative(b, form, left);
    signs[1] = is_negative(b, form, right);
    a = negate_if(b, form, signs[0], left);
    c = negate_if(b, form, signs[1], right);
  }
  limbs rest = {.items = {NULL}};
  const limbs quotient = divide_unsigned(b, form, &a, &c, &rest);
  if (opcode == LLVMSDiv)
    return negate_if(b, form, LLVMBuildXor(b, signs[0], signs[1], ""), &quotient);
  if (opcode == LLVMSRem)
    return negate_if(b, form, signs[0], &rest);
  return opcode == LLVMUDiv ? quotient : rest;
}

/* ---- All operations ---- */

/* Builds an operation on one limb. A shift by the width or more is poison anyway. */
static limbs operate_one(LLVMBuilderRef b, const limb_form *form, LLVMOpcode opcode,
                         const limbs *left, const limbs *right) {
  limbs a = *left;
  limbs c = *right;
  if (opcode == LLVMAShr || opcode == LLVMSDiv || opcode == LLVMSRem)
    a = limbs_signed(b, form, left);
  if (opcode == LLVMSDiv || opcode == LLVMSRem)
    c = limbs_signed(b, form, right);
  limbs made = {.items = {LLVMBuildBinOp(b, opcode, a.items[0], c.items[0], "")}};
  limbs_trim(b, form, &made);
  return made;
}

limbs limbs_binary(LLVMBuilderRef b, const limb_form *form, LLVMOpcode opcode, const limbs *left,
                   const limbs *right) {
  if (form->count == 1)
    return operate_one(b, form, opcode, left, right);
  switch (opcode) {
  case LLVMAdd:
    return add_limbs(b, form, left, right, 0);
  case LLVMSub:
    return subtract_limbs(b, form, left, right);
  case LLVMMul:
    return multiply_limbs(b, form, left, right);
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
    return shift_limbs(b, form, opcode, left, right);
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return divide_limbs(b, form, opcode, left, right);
  default: {
    limbs made = {.items = {NULL}};
    for (unsigned i = 0; i < form->count; i++)
      made.items[i] = LLVMBuildBinOp(b, opcode, left->items[i], right->items[i], "");
    return made;
  }
  }
}

LLVMValueRef limbs_compare(LLVMBuilderRef b, const limb_form *form, LLVMIntPredicate predicate,
                           const limbs *left, const limbs *right) {
  const bool with_sign = predicate >= LLVMIntSGT && predicate <= LLVMIntSLE;
  const limbs a = with_sign ? limbs_signed(b, form, left) : *left;
  const limbs c = with_sign ? limbs_signed(b, form, right) : *right;
  if (form->count == 1)
    return LLVMBuildICmp(b, predicate, a.items[0], c.items[0], "");
  /* The highest limb that differs decides. Only the last limb has a sign. */
  const LLVMIntPredicate below =
      with_sign ? (LLVMIntPredicate)(predicate - LLVMIntSGT + LLVMIntUGT) : predicate;
  LLVMValueRef made = LLVMBuildICmp(b, below, a.items[0], c.items[0], "");
  for (unsigned i = 1; i < form->count; i++) {
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, a.items[i], c.items[i], "");
    LLVMValueRef here =
        LLVMBuildICmp(b, i + 1 == form->count ? predicate : below, a.items[i], c.items[i], "");
    made = LLVMBuildSelect(b, same, made, here, "");
  }
  return made;
}

limbs limbs_resize(LLVMBuilderRef b, const limb_form *from, const limbs *value, const limb_form *to,
                   bool is_signed) {
  const bool extends = is_signed && to->width > from->width;
  /* The only bit of an i1 is its sign. */
  const limbs source = extends && from->bits != 1 ? limbs_signed(b, from, value) : *value;
  LLVMValueRef last = source.items[from->count - 1];
  LLVMValueRef fill = NULL;
  limbs made = {.items = {NULL}};
  for (unsigned i = 0; i < to->count; i++) {
    if (i < from->count) {
      LLVMValueRef limb = source.items[i];
      made.items[i] = to->bits <= from->bits ? LLVMBuildTruncOrBitCast(b, limb, to->limb, "")
                      : extends              ? LLVMBuildSExt(b, limb, to->limb, "")
                                             : LLVMBuildZExt(b, limb, to->limb, "");
      if (i + 1 == from->count)
        last = made.items[i];
      continue;
    }
    if (fill == NULL)
      fill =
          extends ? LLVMBuildAShr(b, last, limb_number(to, to->bits - 1), "") : limb_number(to, 0);
    made.items[i] = fill;
  }
  limbs_trim(b, to, &made);
  return made;
}

/* ---- Floating-point numbers ---- */

limbs limbs_from_float(LLVMBuilderRef b, const limb_form *form, LLVMValueRef value,
                       bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef zero = LLVMConstReal(type, 0.0);
  LLVMValueRef negative = LLVMBuildFCmp(b, LLVMRealOLT, value, zero, "");
  LLVMValueRef rest = LLVMBuildSelect(b, negative, LLVMBuildFNeg(b, value, ""), value, "");
  /* Numbers of the type have no bits in higher limbs. */
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const unsigned used = kind == LLVMHalfTypeKind ? 1 : kind == LLVMFloatTypeKind ? 2 : form->count;
  limbs made = {.items = {NULL}};
  for (unsigned i = form->count; i-- > 0;) {
    made.items[i] = limb_number(form, 0);
    if (i >= used)
      continue;
    /* All steps are exact: powers of 2 scale exactly, and a limb has no more digits than value. */
    LLVMValueRef down = LLVMConstReal(type, ldexp(1.0, -(int)(i * LIMB)));
    LLVMValueRef part = LLVMBuildFMul(b, rest, down, "");
    made.items[i] = LLVMBuildFPToUI(b, part, form->limb, "");
    part = LLVMBuildUIToFP(b, made.items[i], type, "");
    part = LLVMBuildFMul(b, part, LLVMConstReal(type, ldexp(1.0, (int)(i * LIMB))), "");
    rest = LLVMBuildFSub(b, rest, part, "");
  }
  limbs_trim(b, form, &made);
  return is_signed ? negate_if(b, form, negative, &made) : made;
}

static LLVMValueRef count_leading_zeros(LLVMBuilderRef b, LLVMValueRef value) {
  static const char name[] = "llvm.ctlz";
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), &type, 1);
  LLVMValueRef arguments[] = {value,
                              LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(type)), 0, 0)};
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, 2, "");
}

LLVMValueRef limbs_to_float(LLVMBuilderRef b, const limb_form *form, const limbs *value,
                            LLVMTypeRef type, bool is_signed) {
  limbs size = *value;
  LLVMValueRef negative = is_negative(b, form, value);
  if (is_signed)
    size = negate_if(b, form, negative, value);
  LLVMValueRef low = size.items[0];
  LLVMValueRef high = size.items[1];
  LLVMValueRef one = limb_number(form, 1);
  LLVMValueRef places = count_leading_zeros(b, high);
  LLVMValueRef others = LLVMBuildSub(b, limb_number(form, LIMB - 1), places, "");
  /* The upper 64 bits. The last one is a sticky bit for rounding: whether any lower bit is set. */
  LLVMValueRef top = LLVMBuildOr(b, LLVMBuildShl(b, high, places, ""),
                                 LLVMBuildLShr(b, LLVMBuildLShr(b, low, one, ""), others, ""), "");
  LLVMValueRef more =
      LLVMBuildICmp(b, LLVMIntNE, LLVMBuildShl(b, low, places, ""), limb_number(form, 0), "");
  top = LLVMBuildOr(b, top, LLVMBuildZExt(b, more, form->limb, ""), "");
  LLVMValueRef scale = LLVMBuildUIToFP(b, LLVMBuildShl(b, one, others, ""), type, "");
  LLVMValueRef large = LLVMBuildFMul(b, LLVMBuildUIToFP(b, top, type, ""), scale, "");
  large = LLVMBuildFMul(b, large, LLVMConstReal(type, 2.0), "");
  LLVMValueRef is_small = LLVMBuildICmp(b, LLVMIntEQ, high, limb_number(form, 0), "");
  LLVMValueRef made = LLVMBuildSelect(b, is_small, LLVMBuildUIToFP(b, low, type, ""), large, "");
  return is_signed ? LLVMBuildSelect(b, negative, LLVMBuildFNeg(b, made, ""), made, "") : made;
}
