/* cvt, among all types. */
#include "ptx_exec.h"

#include "ptx_number.h"

static bool is_float(ptx_type type) {
  return ptx_type_infos[type].kind == PTX_KIND_FLOAT;
}

static bool is_signed(ptx_type type) {
  return ptx_type_infos[type].kind == PTX_KIND_SIGNED;
}

/* Makes subnormals of .f32 zero if the instruction has .ftz. */
static ptx_number flush_subnormal(const ptx_insn *insn, ptx_type type, ptx_number number) {
  if ((insn->flags & PTX_FLAG_FTZ) && type == PTX_F32 && number.kind == PTX_NUMBER_FINITE &&
      number.exponent < -126)
    number.kind = PTX_NUMBER_ZERO;
  return number;
}

/* Clamps to [0, 1] for .sat, and to at least 0 for .relu. */
static ptx_number limit(const ptx_insn *insn, ptx_number number) {
  const bool saturate = (insn->flags & PTX_FLAG_SAT) != 0;
  if ((saturate && (number.kind == PTX_NUMBER_NAN || number.negative)) ||
      ((insn->flags & PTX_FLAG_RELU) && number.negative && number.kind != PTX_NUMBER_NAN))
    return (ptx_number){.kind = PTX_NUMBER_ZERO};
  const bool above = number.kind == PTX_NUMBER_INFINITE ||
                     (number.kind == PTX_NUMBER_FINITE && number.exponent >= 0);
  if (saturate && above)
    return (ptx_number){PTX_NUMBER_FINITE, false, 0, UINT64_C(1) << 63};
  return number;
}

static uint64_t to_float(const ptx_insn *insn, ptx_type type, ptx_number number) {
  const bool finite = (insn->flags & PTX_FLAG_SATFINITE) != 0;
  const uint64_t bits = ptx_pack(type, limit(insn, number), insn->round, finite);
  if (!(insn->flags & PTX_FLAG_FTZ) || type != PTX_F32)
    return bits;
  const uint64_t exponent = bits & 0x7f800000;
  return exponent == 0 ? bits & 0x80000000 : bits;
}

/* Converts to an integer. A NaN becomes 0; if either type has 64 bits, only the top bit is set. */
static uint64_t to_integer(const ptx_insn *insn, ptx_number number) {
  const ptx_type to = (ptx_type)insn->type, from = (ptx_type)insn->type2;
  const unsigned bits = ptx_type_infos[to].bits;
  if (number.kind == PTX_NUMBER_NAN)
    return from == PTX_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
  return ptx_to_integer(number, insn->whole, bits, is_signed(to));
}

static uint64_t clamp(const ptx_insn *insn, uint64_t value, bool from_signed) {
  const ptx_type to = (ptx_type)insn->type;
  const unsigned bits = ptx_type_infos[to].bits;
  const uint64_t most = (is_signed(to) ? UINT64_MAX >> 1 : UINT64_MAX) >> (64 - bits);
  if (from_signed && (int64_t)value < 0) {
    const int64_t least = is_signed(to) ? -(int64_t)most - 1 : 0;
    return (int64_t)value < least ? (uint64_t)least : value;
  }
  return value > most ? most : value;
}

static ptx_number read_float(const ptx_insn *insn, uint64_t bits) {
  const ptx_type from = (ptx_type)insn->type2;
  return flush_subnormal(insn, from,
                         ptx_unpack(from, ptx_cut(bits, 64u - ptx_type_infos[from].bits)));
}

static uint64_t convert(const ptx_insn *insn, uint64_t bits) {
  const ptx_type to = (ptx_type)insn->type, from = (ptx_type)insn->type2;
  if (is_float(from)) {
    ptx_number number = read_float(insn, bits);
    if (!is_float(to))
      return to_integer(insn, number);
    if (insn->whole)
      number = ptx_to_whole(number, insn->whole);
    return to_float(insn, to, number);
  }
  const unsigned shift = 64u - ptx_type_infos[from].bits;
  const uint64_t value = is_signed(from) ? (uint64_t)ptx_extend(bits, shift) : ptx_cut(bits, shift);
  if (is_float(to))
    return to_float(insn, to, ptx_from_integer(value, is_signed(from)));
  return insn->flags & PTX_FLAG_SAT ? clamp(insn, value, is_signed(from)) : value;
}

/*
 * Converts two numbers to a pair in one register, with the first number in the upper half; or
 * converts between pairs.
 */
static uint64_t convert_pair(const ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const ptx_type to = (ptx_type)insn->type, from = (ptx_type)insn->type2;
  const unsigned bits = ptx_type_infos[to].bits / 2u;
  uint64_t high = ptx_get(thread, o[1]), low;
  if (from == PTX_F32)
    low = ptx_get(thread, o[2]);
  else {
    const unsigned half = ptx_type_infos[from].bits / 2u;
    low = ptx_cut(high, 64 - half);
    high = ptx_cut(high >> half, 64 - half);
  }
  const uint64_t upper = to_float(insn, to, flush_subnormal(insn, from, ptx_unpack(from, high)));
  const uint64_t lower = to_float(insn, to, flush_subnormal(insn, from, ptx_unpack(from, low)));
  return upper << bits | lower;
}

bool ptx_exec_CONVERT(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  const ptx_type to = (ptx_type)insn->type;
  uint64_t result;
  if (to == PTX_F16X2 || to == PTX_BF16X2 || to == PTX_E4M3X2 || to == PTX_E5M2X2)
    result = convert_pair(thread, insn, o);
  else
    result = ptx_cut(convert(insn, ptx_get(thread, o[1])), insn->shift);
  /* Sign-extends a signed result to a wider register. */
  if (is_signed(to))
    result = ptx_cut((uint64_t)ptx_extend(result, insn->shift), insn->dshift);
  *ptx_slot(thread, o[0]) = result;
  return true;
}
