/* setp, set, selp, slct. */
#include "ptx_exec.h"

#include "ptx_number.h"

#include <math.h>
#include <string.h>

static bool compare_integers(const ptx_insn *insn, unsigned shift, bool is_signed, uint64_t a,
                             uint64_t b) {
  const int64_t x = ptx_extend(a, shift), y = ptx_extend(b, shift);
  const bool less = is_signed ? x < y : a < b;
  switch (insn->compare) {
  case PTX_M_COMPARE_EQ:
    return a == b;
  case PTX_M_COMPARE_NE:
    return a != b;
  case PTX_M_COMPARE_LT:
    return less;
  case PTX_M_COMPARE_LE:
    return less || a == b;
  case PTX_M_COMPARE_GT:
    return !less && a != b;
  case PTX_M_COMPARE_GE:
    return !less;
  case PTX_M_COMPARE_LO:
    return a < b;
  case PTX_M_COMPARE_LS:
    return a <= b;
  case PTX_M_COMPARE_HI:
    return a > b;
  default: /* PTX_M_COMPARE_HS; the parser accepts no other */
    return a >= b;
  }
}

static bool compare_floats(uint8_t how, double a, double b) {
  const bool unordered = isnan(a) || isnan(b);
  switch (how) {
  case PTX_M_COMPARE_EQ:
    return a == b;
  case PTX_M_COMPARE_NE:
    return !unordered && a != b;
  case PTX_M_COMPARE_LT:
    return a < b;
  case PTX_M_COMPARE_LE:
    return a <= b;
  case PTX_M_COMPARE_GT:
    return a > b;
  case PTX_M_COMPARE_GE:
    return a >= b;
  case PTX_M_COMPARE_EQU:
    return unordered || a == b;
  case PTX_M_COMPARE_NEU:
    return unordered || a != b;
  case PTX_M_COMPARE_LTU:
    return unordered || a < b;
  case PTX_M_COMPARE_LEU:
    return unordered || a <= b;
  case PTX_M_COMPARE_GTU:
    return unordered || a > b;
  case PTX_M_COMPARE_GEU:
    return unordered || a >= b;
  case PTX_M_COMPARE_NUM:
    return !unordered;
  default: /* PTX_M_COMPARE_NAN */
    return unordered;
  }
}

static double value_of(const ptx_insn *insn, ptx_type type, uint64_t bits) {
  double value;
  if (type == PTX_F64)
    memcpy(&value, &bits, sizeof(value));
  else if (type == PTX_F32) {
    const uint32_t low = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &low, sizeof(narrow));
    if ((insn->flags & PTX_FLAG_FTZ) && fpclassify(narrow) == FP_SUBNORMAL)
      narrow = 0;
    value = (double)narrow;
  } else {
    value = ptx_half_value(type, (uint16_t)bits);
    const double least = type == PTX_F16 || type == PTX_F16X2 ? 0x1p-14 : 0x1p-126;
    if ((insn->flags & PTX_FLAG_FTZ) && fabs(value) < least)
      value = 0;
  }
  return value;
}

/* Compares numbers of the second type for set, and of the first type for setp. */
static bool compare_numbers(const ptx_insn *insn, uint64_t a, uint64_t b) {
  const ptx_type type = (ptx_type)(insn->op == PTX_OP_SET ? insn->type2 : insn->type);
  const ptx_type_info *info = &ptx_type_infos[type];
  if (info->kind == PTX_KIND_FLOAT)
    return compare_floats(insn->compare, value_of(insn, type, a), value_of(insn, type, b));
  return compare_integers(insn, 64u - info->bits, info->kind == PTX_KIND_SIGNED, a, b);
}

static bool combine(const ptx_insn *insn, bool result, bool with) {
  switch (insn->combine) {
  case PTX_M_COMBINE_AND:
    return result && with;
  case PTX_M_COMBINE_OR:
    return result || with;
  case PTX_M_COMBINE_XOR:
    return result != with;
  default:
    return result;
  }
}

/* Returns the result of set for true: all ones, or 1.0. */
static uint64_t truth(ptx_type type) {
  switch (type) {
  case PTX_F32:
    return 0x3f800000;
  case PTX_F16:
  case PTX_F16X2:
    return 0x3c00;
  case PTX_BF16:
  case PTX_BF16X2:
    return 0x3f80;
  case PTX_U16:
  case PTX_S16:
    return 0xffff;
  default:
    return UINT32_MAX;
  }
}

static void set_result(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t a = ptx_get(thread, o[1]), b = ptx_get(thread, o[2]);
  const bool with = ptx_predicate(thread, o[3]);
  const ptx_type to = (ptx_type)insn->type;
  if (insn->type2 != PTX_F16X2 && insn->type2 != PTX_BF16X2) {
    *ptx_slot(thread, o[0]) = combine(insn, compare_numbers(insn, a, b), with) ? truth(to) : 0;
    return;
  }
  const uint64_t one = truth(to) & 0xffff;
  uint64_t result = combine(insn, compare_numbers(insn, a & 0xffff, b & 0xffff), with) ? one : 0;
  if (combine(insn, compare_numbers(insn, a >> 16, b >> 16), with))
    result |= one << 16;
  *ptx_slot(thread, o[0]) = result;
}

bool ptx_exec_COMPARE(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  switch (insn->op) {
  case PTX_OP_SETP: {
    const bool result = compare_numbers(insn, ptx_get(thread, o[2]), ptx_get(thread, o[3]));
    const bool with = ptx_predicate(thread, o[4]);
    *ptx_slot(thread, o[0]) = combine(insn, result, with);
    *ptx_slot(thread, o[1]) = combine(insn, !result, with);
    return true;
  }
  case PTX_OP_SETP_H2: {
    const uint64_t a = ptx_get(thread, o[2]), b = ptx_get(thread, o[3]);
    const bool with = ptx_predicate(thread, o[4]);
    *ptx_slot(thread, o[0]) = combine(insn, compare_numbers(insn, a & 0xffff, b & 0xffff), with);
    *ptx_slot(thread, o[1]) = combine(insn, compare_numbers(insn, a >> 16, b >> 16), with);
    return true;
  }
  case PTX_OP_SET:
    set_result(thread, insn, o);
    return true;
  case PTX_OP_SELP:
    *ptx_slot(thread, o[0]) = ptx_get(thread, o[ptx_predicate(thread, o[3]) ? 1 : 2]);
    return true;
  default: { /* PTX_OP_SLCT */
    const uint64_t c = ptx_get(thread, o[3]);
    const bool first =
        insn->type2 == PTX_F32 ? value_of(insn, PTX_F32, c) >= 0 : ptx_extend(c, 32) >= 0;
    *ptx_slot(thread, o[0]) = ptx_get(thread, o[first ? 1 : 2]);
    return true;
  }
  }
}
