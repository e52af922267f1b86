/* .f16, .bf16, and pairs of them. */
#include "ptx_exec.h"

#include "ptx_number.h"

#include <math.h>

static double flush_subnormal(const ptx_insn *insn, double value) {
  const bool half = insn->type == PTX_F16 || insn->type == PTX_F16X2;
  const double least = half ? 0x1p-14 : 0x1p-126;
  return (insn->flags & PTX_FLAG_FTZ) && fabs(value) < least ? copysign(0, value) : value;
}

static double extreme(const ptx_insn *insn, double a, double b) {
  const bool maximum = insn->op == PTX_OP_MAX_H;
  const bool flip = (insn->flags & PTX_FLAG_XORSIGN) && (signbit(a) != 0) != (signbit(b) != 0);
  if (insn->flags & PTX_FLAG_XORSIGN) {
    a = fabs(a);
    b = fabs(b);
  }
  double result;
  if (isnan(a) || isnan(b))
    result = (insn->flags & PTX_FLAG_NAN) || (isnan(a) && isnan(b)) ? NAN : isnan(a) ? b : a;
  else if (a == b)
    result = maximum == (signbit(a) != 0) ? b : a;
  else
    result = (a < b) == maximum ? b : a;
  return flip && !isnan(result) ? -result : result;
}

/*
 * Computes a result to be rounded to a half. Products are exact. Sums are exact or rounded to odd,
 * so that the second rounding has no effect.
 */
static double compute(const ptx_insn *insn, double a, double b, double c) {
  switch (insn->op) {
  case PTX_OP_ADD_H:
    return ptx_add_odd(a, b);
  case PTX_OP_SUB_H:
    return ptx_add_odd(a, -b);
  case PTX_OP_MUL_H:
    return a * b;
  case PTX_OP_FMA_H:
    return ptx_add_odd(a * b, c);
  case PTX_OP_MIN_H:
  case PTX_OP_MAX_H:
    return extreme(insn, a, b);
  case PTX_OP_EX2_H:
    return exp2(a);
  default: /* PTX_OP_TANH_H */
    return tanh(a);
  }
}

static uint16_t one(const ptx_insn *insn, uint64_t a, uint64_t b, uint64_t c) {
  const ptx_type type = (ptx_type)insn->type;
  if (insn->op == PTX_OP_ABS_H)
    return (uint16_t)(a & 0x7fff);
  if (insn->op == PTX_OP_NEG_H)
    return (uint16_t)(a ^ 0x8000);
  double value = compute(insn, flush_subnormal(insn, ptx_half_value(type, (uint16_t)a)),
                         flush_subnormal(insn, ptx_half_value(type, (uint16_t)b)),
                         flush_subnormal(insn, ptx_half_value(type, (uint16_t)c)));
  if (insn->flags & PTX_FLAG_SAT)
    value = !(value > 0) ? 0 : value > 1 ? 1 : value;
  if ((insn->flags & PTX_FLAG_RELU) && value < 0)
    value = 0;
  const uint16_t bits = ptx_half_bits(type, value);
  if (!(insn->flags & PTX_FLAG_FTZ))
    return bits;
  return flush_subnormal(insn, ptx_half_value(type, bits)) == 0 ? bits & 0x8000 : bits;
}

static bool has_second(const ptx_insn *insn) {
  switch (insn->op) {
  case PTX_OP_ADD_H:
  case PTX_OP_SUB_H:
  case PTX_OP_MUL_H:
  case PTX_OP_MIN_H:
  case PTX_OP_MAX_H:
  case PTX_OP_FMA_H:
    return true;
  default:
    return false;
  }
}

bool ptx_exec_HALF(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  const uint64_t a = ptx_get(thread, o[1]);
  const uint64_t b = has_second(insn) ? ptx_get(thread, o[2]) : 0;
  const uint64_t c = insn->op == PTX_OP_FMA_H ? ptx_get(thread, o[3]) : 0;
  uint64_t result = one(insn, a, b, c);
  if (insn->type == PTX_F16X2 || insn->type == PTX_BF16X2)
    result |= (uint64_t)one(insn, a >> 16, b >> 16, c >> 16) << 16;
  *ptx_slot(thread, o[0]) = result;
  return true;
}
