#include "intrinsic_numbers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BYTE = 8, LIMB = 64 };

/* ---- Constants and types ---- */

static LLVMTypeRef scalar_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned intrinsic_width(LLVMTypeRef type) {
  LLVMTypeRef scalar = scalar_type(type);
  return LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(scalar) : 0;
}

/* Returns a type with the same number of elements, but another scalar type. */
static LLVMTypeRef with_scalar(LLVMTypeRef type, LLVMTypeRef scalar) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind
             ? LLVMVectorType(scalar, LLVMGetVectorSize(type))
             : scalar;
}

static LLVMTypeRef integer_type(LLVMTypeRef type, unsigned width) {
  return with_scalar(type, LLVMIntTypeInContext(LLVMGetTypeContext(type), width));
}

/* Returns a constant of a type, all of whose scalars are the same. */
static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef scalar) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return scalar;
  LLVMValueRef made = LLVMGetUndef(type);
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type)); /* folds constants */
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
    made = LLVMBuildInsertElement(b, made, scalar, LLVMConstInt(index, i, 0), "");
  LLVMDisposeBuilder(b);
  return made;
}

static LLVMValueRef number(LLVMTypeRef type, unsigned long long value) {
  return splat(type, LLVMConstInt(scalar_type(type), value, 0));
}

/* Returns the smallest signed number, which has only the sign bit set. */
static LLVMValueRef sign_bit(const call_parts *p) {
  return LLVMBuildShl(p->b, number(p->type, 1), number(p->type, p->width - 1), "");
}

static LLVMValueRef is_negative(const call_parts *p, LLVMValueRef value) {
  return LLVMBuildICmp(p->b, LLVMIntSLT, value, LLVMConstNull(p->type), "");
}

/* Builds a call of an intrinsic that is overloaded on one type. */
static LLVMValueRef call_intrinsic(const call_parts *p, const char *name, LLVMTypeRef type,
                                   LLVMValueRef *arguments, unsigned count) {
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(p->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
  return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* ---- Saturation and overflow ---- */

/* A result, and whether it overflowed. */
typedef struct checked {
  LLVMValueRef value;
  LLVMValueRef over;
} checked;

static checked add_signed(const call_parts *p) {
  LLVMValueRef sum = LLVMBuildAdd(p->b, p->a[0], p->a[1], "");
  LLVMValueRef other = LLVMBuildAnd(p->b, LLVMBuildXor(p->b, p->a[0], sum, ""),
                                    LLVMBuildXor(p->b, p->a[1], sum, ""), "");
  return (checked){sum, is_negative(p, other)};
}

static checked subtract_signed(const call_parts *p) {
  LLVMValueRef rest = LLVMBuildSub(p->b, p->a[0], p->a[1], "");
  LLVMValueRef other = LLVMBuildAnd(p->b, LLVMBuildXor(p->b, p->a[0], p->a[1], ""),
                                    LLVMBuildXor(p->b, p->a[0], rest, ""), "");
  return (checked){rest, is_negative(p, other)};
}

static checked add_unsigned(const call_parts *p) {
  LLVMValueRef sum = LLVMBuildAdd(p->b, p->a[0], p->a[1], "");
  return (checked){sum, LLVMBuildICmp(p->b, LLVMIntULT, sum, p->a[0], "")};
}

static checked subtract_unsigned(const call_parts *p) {
  return (checked){LLVMBuildSub(p->b, p->a[0], p->a[1], ""),
                   LLVMBuildICmp(p->b, LLVMIntULT, p->a[0], p->a[1], "")};
}

/* Builds the product with twice as many bits. */
static LLVMValueRef multiply_wide(const call_parts *p, bool is_signed) {
  LLVMTypeRef wide = integer_type(p->type, 2 * p->width);
  const LLVMOpcode extend = is_signed ? LLVMSExt : LLVMZExt;
  return LLVMBuildMul(p->b, LLVMBuildCast(p->b, extend, p->a[0], wide, ""),
                      LLVMBuildCast(p->b, extend, p->a[1], wide, ""), "");
}

/* Truncates a wide number; over is whether that changed the number. */
static checked narrow_number(const call_parts *p, LLVMValueRef wide, bool is_signed) {
  LLVMValueRef low = LLVMBuildTrunc(p->b, wide, p->type, "");
  LLVMValueRef back =
      LLVMBuildCast(p->b, is_signed ? LLVMSExt : LLVMZExt, low, LLVMTypeOf(wide), "");
  return (checked){low, LLVMBuildICmp(p->b, LLVMIntNE, back, wide, "")};
}

static checked multiply_signed(const call_parts *p) {
  return narrow_number(p, multiply_wide(p, true), true);
}

static checked multiply_unsigned(const call_parts *p) {
  return narrow_number(p, multiply_wide(p, false), false);
}

/* Builds the product of fixed-point numbers; the last argument is the number of fraction bits. */
static checked multiply_fixed(const call_parts *p, bool is_signed) {
  LLVMValueRef wide = multiply_wide(p, is_signed);
  LLVMValueRef places = number(LLVMTypeOf(wide), LLVMConstIntGetZExtValue(p->a[2]));
  wide = LLVMBuildBinOp(p->b, is_signed ? LLVMAShr : LLVMLShr, wide, places, "");
  return narrow_number(p, wide, is_signed);
}

static checked multiply_fixed_signed(const call_parts *p) {
  return multiply_fixed(p, true);
}

static checked multiply_fixed_unsigned(const call_parts *p) {
  return multiply_fixed(p, false);
}

static checked shift_left(const call_parts *p, LLVMOpcode back) {
  LLVMValueRef made = LLVMBuildShl(p->b, p->a[0], p->a[1], "");
  LLVMValueRef again = LLVMBuildBinOp(p->b, back, made, p->a[1], "");
  return (checked){made, LLVMBuildICmp(p->b, LLVMIntNE, again, p->a[0], "")};
}

static checked shift_signed(const call_parts *p) {
  return shift_left(p, LLVMAShr);
}

static checked shift_unsigned(const call_parts *p) {
  return shift_left(p, LLVMLShr);
}

static LLVMValueRef saturate_signed(const call_parts *p, checked made, LLVMValueRef negative) {
  LLVMValueRef least = sign_bit(p);
  LLVMValueRef limit = LLVMBuildSelect(p->b, negative, least, LLVMBuildNot(p->b, least, ""), "");
  return LLVMBuildSelect(p->b, made.over, limit, made.value, "");
}

static LLVMValueRef saturate_unsigned(const call_parts *p, checked made) {
  return LLVMBuildSelect(p->b, made.over, LLVMConstAllOnes(p->type), made.value, "");
}

/* Replaces a call that returns a pair of a result and its overflow. Instructions that extract one
 * of them are replaced by the value. */
static LLVMValueRef make_pair(const call_parts *p, checked made) {
  for (LLVMUseRef use = LLVMGetFirstUse(p->call), next; use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAExtractValueInst(user) == NULL)
      continue;
    LLVMReplaceAllUsesWith(user, *LLVMGetIndices(user) == 0 ? made.value : made.over);
    LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(p->call) == NULL)
    return NULL;
  LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(p->call));
  pair = LLVMBuildInsertValue(p->b, pair, made.value, 0, "");
  return LLVMBuildInsertValue(p->b, pair, made.over, 1, "");
}

#define CHECKED_ROWS(X)                                                                            \
  X(sadd, add_signed)                                                                              \
  X(uadd, add_unsigned)                                                                            \
  X(ssub, subtract_signed)                                                                         \
  X(usub, subtract_unsigned)                                                                       \
  X(smul, multiply_signed)                                                                         \
  X(umul, multiply_unsigned)
#define OVERFLOW(name, make)                                                                       \
  LLVMValueRef intrinsic_##name##_overflow(const call_parts *p) { return make_pair(p, make(p)); }
CHECKED_ROWS(OVERFLOW)
#undef OVERFLOW

LLVMValueRef intrinsic_sadd_saturated(const call_parts *p) {
  return saturate_signed(p, add_signed(p), is_negative(p, p->a[0]));
}

LLVMValueRef intrinsic_ssub_saturated(const call_parts *p) {
  return saturate_signed(p, subtract_signed(p), is_negative(p, p->a[0]));
}

LLVMValueRef intrinsic_sshl_saturated(const call_parts *p) {
  return saturate_signed(p, shift_signed(p), is_negative(p, p->a[0]));
}

LLVMValueRef intrinsic_uadd_saturated(const call_parts *p) {
  return saturate_unsigned(p, add_unsigned(p));
}

LLVMValueRef intrinsic_ushl_saturated(const call_parts *p) {
  return saturate_unsigned(p, shift_unsigned(p));
}

LLVMValueRef intrinsic_usub_saturated(const call_parts *p) {
  const checked made = subtract_unsigned(p);
  return LLVMBuildSelect(p->b, made.over, LLVMConstNull(p->type), made.value, "");
}

LLVMValueRef intrinsic_smul_fixed(const call_parts *p) {
  return multiply_fixed_signed(p).value;
}

LLVMValueRef intrinsic_umul_fixed(const call_parts *p) {
  return multiply_fixed_unsigned(p).value;
}

LLVMValueRef intrinsic_smul_fixed_saturated(const call_parts *p) {
  LLVMValueRef sign = LLVMBuildXor(p->b, p->a[0], p->a[1], "");
  return saturate_signed(p, multiply_fixed_signed(p), is_negative(p, sign));
}

LLVMValueRef intrinsic_umul_fixed_saturated(const call_parts *p) {
  return saturate_unsigned(p, multiply_fixed_unsigned(p));
}

/* ---- Comparisons ---- */

static LLVMValueRef choose_number(const call_parts *p, LLVMIntPredicate predicate) {
  LLVMValueRef first = LLVMBuildICmp(p->b, predicate, p->a[0], p->a[1], "");
  return LLVMBuildSelect(p->b, first, p->a[0], p->a[1], "");
}

LLVMValueRef intrinsic_smax_number(const call_parts *p) {
  return choose_number(p, LLVMIntSGT);
}

LLVMValueRef intrinsic_smin_number(const call_parts *p) {
  return choose_number(p, LLVMIntSLT);
}

LLVMValueRef intrinsic_umax_number(const call_parts *p) {
  return choose_number(p, LLVMIntUGT);
}

LLVMValueRef intrinsic_umin_number(const call_parts *p) {
  return choose_number(p, LLVMIntULT);
}

LLVMValueRef intrinsic_absolute_number(const call_parts *p) {
  return LLVMBuildSelect(p->b, is_negative(p, p->a[0]), LLVMBuildNeg(p->b, p->a[0], ""), p->a[0],
                         "");
}

/* ---- Bits ---- */

/* Exchanges neighbouring groups of step bits. */
static LLVMValueRef swap_neighbours(const call_parts *p, LLVMValueRef value, unsigned step) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned long long mask = 0;
  for (unsigned bit = 0; bit < LIMB; bit++)
    mask |= (unsigned long long)(bit / step % 2 == 0) << bit;
  LLVMValueRef lower = number(type, mask);
  LLVMValueRef places = number(type, step);
  LLVMValueRef up = LLVMBuildShl(p->b, LLVMBuildAnd(p->b, value, lower, ""), places, "");
  LLVMValueRef down = LLVMBuildAnd(p->b, LLVMBuildLShr(p->b, value, places, ""), lower, "");
  return LLVMBuildOr(p->b, up, down, "");
}

/* Reverses the order of groups of step bits, in a number of up to 64 bits. */
static LLVMValueRef reverse_groups(const call_parts *p, LLVMValueRef value, unsigned width,
                                   unsigned step) {
  unsigned bits = BYTE;
  while (bits < width)
    bits *= 2;
  LLVMTypeRef own = LLVMTypeOf(value);
  LLVMTypeRef type = integer_type(own, bits);
  value = LLVMBuildZExtOrBitCast(p->b, value, type, "");
  for (; step < bits; step *= 2)
    value = swap_neighbours(p, value, step);
  value = LLVMBuildLShr(p->b, value, number(type, bits - width), "");
  return LLVMBuildTruncOrBitCast(p->b, value, own, "");
}

/* Reverses the order of groups of step bits. Wider numbers are reversed in parts of 64 bits. */
static LLVMValueRef reverse_order(const call_parts *p, unsigned step) {
  if (p->width <= LIMB)
    return reverse_groups(p, p->a[0], p->width, step);
  LLVMTypeRef limb = integer_type(p->type, LIMB);
  LLVMValueRef made = LLVMConstNull(p->type);
  for (unsigned from = 0; from < p->width; from += LIMB) {
    const unsigned width = p->width - from < LIMB ? p->width - from : LIMB;
    LLVMValueRef part = LLVMBuildLShr(p->b, p->a[0], number(p->type, from), "");
    part = LLVMBuildTrunc(p->b, part, limb, "");
    part = reverse_groups(p, part, LIMB, step);
    part = LLVMBuildLShr(p->b, part, number(limb, LIMB - width), "");
    part = LLVMBuildZExt(p->b, part, p->type, "");
    part = LLVMBuildShl(p->b, part, number(p->type, p->width - from - width), "");
    made = LLVMBuildOr(p->b, made, part, "");
  }
  return made;
}

LLVMValueRef intrinsic_reverse_bits(const call_parts *p) {
  return reverse_order(p, 1);
}

LLVMValueRef intrinsic_reverse_bytes(const call_parts *p) {
  return reverse_order(p, BYTE);
}

static LLVMValueRef places_within(const call_parts *p, LLVMValueRef places) {
  const bool is_power = (p->width & (p->width - 1)) == 0;
  return LLVMBuildBinOp(p->b, is_power ? LLVMAnd : LLVMURem, places,
                        number(p->type, is_power ? p->width - 1 : p->width), "");
}

/* Builds a funnel shift. If both values are the same, it is a rotation, in a form that LLVM
 * recognises. */
static LLVMValueRef shift_funnel(const call_parts *p, bool is_left) {
  LLVMBuilderRef b = p->b;
  LLVMValueRef places = places_within(p, p->a[2]);
  LLVMValueRef rest = LLVMBuildSub(b, number(p->type, p->width), places, "");
  const bool is_rotation = p->a[0] == p->a[1];
  if (is_rotation)
    rest = places_within(p, rest);
  LLVMValueRef made = LLVMBuildOr(b, LLVMBuildShl(b, p->a[0], is_left ? places : rest, ""),
                                  LLVMBuildLShr(b, p->a[1], is_left ? rest : places, ""), "");
  if (is_rotation)
    return made;
  LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, places, LLVMConstNull(p->type), "");
  return LLVMBuildSelect(b, none, p->a[is_left ? 0 : 1], made, "");
}

LLVMValueRef intrinsic_shift_funnel_left(const call_parts *p) {
  return shift_funnel(p, true);
}

LLVMValueRef intrinsic_shift_funnel_right(const call_parts *p) {
  return shift_funnel(p, false);
}

/* Counts bits in a value of bits bits (8, 16, 32 or 64), of which only the lowest width count. */
typedef LLVMValueRef counter(const call_parts *p, LLVMValueRef value, unsigned width,
                             unsigned bits);

static LLVMValueRef count_in(const call_parts *p, const char *name, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef arguments[] = {value,
                              LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(type)), 0, 0)};
  return call_intrinsic(p, name, type, arguments, strcmp(name, "llvm.ctpop") == 0 ? 1 : 2);
}

static LLVMValueRef count_ones(const call_parts *p, LLVMValueRef value, unsigned width,
                               unsigned bits) {
  (void)width;
  (void)bits;
  return count_in(p, "llvm.ctpop", value);
}

static LLVMValueRef count_leading(const call_parts *p, LLVMValueRef value, unsigned width,
                                  unsigned bits) {
  return LLVMBuildSub(p->b, count_in(p, "llvm.ctlz", value),
                      number(LLVMTypeOf(value), bits - width), "");
}

static LLVMValueRef count_trailing(const call_parts *p, LLVMValueRef value, unsigned width,
                                   unsigned bits) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (width < bits) /* sets the bit after the value, where the count ends */
    value = LLVMBuildOr(p->b, value, number(type, 1ull << width), "");
  return count_in(p, "llvm.cttz", value);
}

static LLVMValueRef count_bits(const call_parts *p, counter *count, bool sums, bool is_leading) {
  unsigned bits = BYTE;
  while (bits < p->width && bits < LIMB)
    bits *= 2;
  if (p->width == bits)
    return p->call; /* the translator handles these widths */
  LLVMTypeRef limb = integer_type(p->type, bits);
  LLVMValueRef made = NULL;
  const unsigned parts = (p->width + bits - 1) / bits;
  for (unsigned i = 0; i < parts; i++) {
    /* Leading zeros are counted from the lowest part up, and trailing ones from the highest down. A
     * part that is not zero replaces the count so far. */
    const unsigned from = (is_leading ? i : parts - 1 - i) * bits;
    const unsigned width = p->width - from < bits ? p->width - from : bits;
    LLVMValueRef part = LLVMBuildLShr(p->b, p->a[0], number(p->type, from), "");
    part = p->width < bits ? LLVMBuildZExt(p->b, part, limb, "")
                           : LLVMBuildTrunc(p->b, part, limb, "");
    LLVMValueRef here = count(p, part, width, bits);
    if (made != NULL && sums) {
      made = LLVMBuildAdd(p->b, made, here, "");
    } else if (made != NULL) {
      LLVMValueRef empty = LLVMBuildICmp(p->b, LLVMIntEQ, part, LLVMConstNull(limb), "");
      LLVMValueRef more = LLVMBuildAdd(p->b, made, number(limb, width), "");
      made = LLVMBuildSelect(p->b, empty, more, here, "");
    } else {
      made = here;
    }
  }
  return p->width < bits ? LLVMBuildTrunc(p->b, made, p->type, "")
                         : LLVMBuildZExt(p->b, made, p->type, "");
}

LLVMValueRef intrinsic_population_count(const call_parts *p) {
  return count_bits(p, count_ones, true, false);
}

LLVMValueRef intrinsic_leading_zeros(const call_parts *p) {
  return count_bits(p, count_leading, false, true);
}

LLVMValueRef intrinsic_trailing_zeros(const call_parts *p) {
  return count_bits(p, count_trailing, false, false);
}

/* ---- Vectors ---- */

static LLVMValueRef vector_element(const call_parts *p, LLVMValueRef vector, unsigned element) {
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetModuleContext(p->module));
  return LLVMBuildExtractElement(p->b, vector, LLVMConstInt(index, element, 0), "");
}

/* Combines all elements of an argument with an operation; start, if not NULL, is the first operand.
 */
static LLVMValueRef reduce_vector(const call_parts *p, unsigned argument, LLVMOpcode opcode,
                                  LLVMValueRef start) {
  LLVMValueRef vector = p->a[argument];
  LLVMValueRef made = start != NULL ? start : vector_element(p, vector, 0);
  for (unsigned i = start == NULL; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++)
    made = LLVMBuildBinOp(p->b, opcode, made, vector_element(p, vector, i), "");
  return made;
}

#define REDUCTION(name, opcode)                                                                    \
  LLVMValueRef intrinsic_reduce_##name(const call_parts *p) {                                      \
    return reduce_vector(p, 0, opcode, NULL);                                                      \
  }
REDUCTION(add, LLVMAdd)
REDUCTION(mul, LLVMMul)
REDUCTION(and, LLVMAnd)
REDUCTION(or, LLVMOr)
REDUCTION(xor, LLVMXor)
#undef REDUCTION

LLVMValueRef intrinsic_reduce_fadd(const call_parts *p) {
  return reduce_vector(p, 1, LLVMFAdd, p->a[0]);
}

LLVMValueRef intrinsic_reduce_fmul(const call_parts *p) {
  return reduce_vector(p, 1, LLVMFMul, p->a[0]);
}

static LLVMValueRef reduce_choice(const call_parts *p, LLVMIntPredicate predicate) {
  LLVMValueRef made = vector_element(p, p->a[0], 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(p->type); i++) {
    LLVMValueRef other = vector_element(p, p->a[0], i);
    LLVMValueRef first = LLVMBuildICmp(p->b, predicate, made, other, "");
    made = LLVMBuildSelect(p->b, first, made, other, "");
  }
  return made;
}

LLVMValueRef intrinsic_reduce_smax(const call_parts *p) {
  return reduce_choice(p, LLVMIntSGT);
}

LLVMValueRef intrinsic_reduce_smin(const call_parts *p) {
  return reduce_choice(p, LLVMIntSLT);
}

LLVMValueRef intrinsic_reduce_umax(const call_parts *p) {
  return reduce_choice(p, LLVMIntUGT);
}

LLVMValueRef intrinsic_reduce_umin(const call_parts *p) {
  return reduce_choice(p, LLVMIntULT);
}

static LLVMValueRef reduce_number(const call_parts *p, const char *name) {
  LLVMValueRef made = vector_element(p, p->a[0], 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(p->type); i++) {
    LLVMValueRef both[] = {made, vector_element(p, p->a[0], i)};
    made = call_intrinsic(p, name, LLVMTypeOf(made), both, 2);
  }
  return made;
}

LLVMValueRef intrinsic_reduce_fmax(const call_parts *p) {
  return reduce_number(p, "llvm.maxnum");
}

LLVMValueRef intrinsic_reduce_fmin(const call_parts *p) {
  return reduce_number(p, "llvm.minnum");
}

/* ---- Floating-point numbers ---- */

/* Converts a number's integer part, and saturates; 0 for NaN. */
static LLVMValueRef convert_saturated(const call_parts *p, bool is_signed) {
  LLVMTypeRef to = LLVMTypeOf(p->call);
  const unsigned width = LLVMGetIntTypeWidth(scalar_type(to));
  const unsigned digits = is_signed ? width - 1 : width;
  LLVMTypeRef scalar = scalar_type(p->type);
  /* As a half, the limit may be infinite; then only infinity saturates. */
  LLVMValueRef end = splat(p->type, LLVMConstReal(scalar, ldexp(1.0, (int)digits)));
  LLVMValueRef begin =
      splat(p->type, LLVMConstReal(scalar, is_signed ? -ldexp(1.0, (int)digits) : 0.0));
  LLVMValueRef one = number(to, 1);
  LLVMValueRef least =
      is_signed ? LLVMBuildShl(p->b, one, number(to, digits), "") : LLVMConstNull(to);
  LLVMValueRef most = LLVMBuildNot(p->b, least, "");
  LLVMValueRef made = LLVMBuildCast(p->b, is_signed ? LLVMFPToSI : LLVMFPToUI, p->a[0], to, "");
  LLVMValueRef over = LLVMBuildFCmp(p->b, LLVMRealOGE, p->a[0], end, "");
  made = LLVMBuildSelect(p->b, over, most, made, "");
  LLVMValueRef under = LLVMBuildFCmp(p->b, LLVMRealOLE, p->a[0], begin, "");
  made = LLVMBuildSelect(p->b, under, least, made, "");
  LLVMValueRef none = LLVMBuildFCmp(p->b, LLVMRealUNO, p->a[0], p->a[0], "");
  return LLVMBuildSelect(p->b, none, LLVMConstNull(to), made, "");
}

LLVMValueRef intrinsic_convert_to_signed(const call_parts *p) {
  return convert_saturated(p, true);
}

LLVMValueRef intrinsic_convert_to_unsigned(const call_parts *p) {
  return convert_saturated(p, false);
}

static LLVMValueRef round_to_integer(const call_parts *p, const char *name) {
  LLVMValueRef argument = p->a[0];
  LLVMValueRef rounded = call_intrinsic(p, name, p->type, &argument, 1);
  return LLVMBuildCast(p->b, LLVMFPToSI, rounded, LLVMTypeOf(p->call), "");
}

LLVMValueRef intrinsic_round_to_even(const call_parts *p) {
  return round_to_integer(p, "llvm.rint");
}

LLVMValueRef intrinsic_round_from_zero(const call_parts *p) {
  return round_to_integer(p, "llvm.round");
}

LLVMValueRef intrinsic_canonical_number(const call_parts *p) {
  LLVMValueRef one = splat(p->type, LLVMConstReal(scalar_type(p->type), 1.0));
  return LLVMBuildFMul(p->b, p->a[0], one, "");
}
