/* Integer and bit instructions. */
#include "ptx_exec.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

static bool is_signed(const ptx_insn *insn) {
  return (insn->flags & PTX_FLAG_SIGNED) != 0;
}

static uint64_t add_carried(ptx_thread *thread, const ptx_insn *insn, uint64_t a, uint64_t b,
                            bool carry) {
  const uint64_t sum = a + b + carry;
  if (insn->flags & PTX_FLAG_CC)
    thread->carry = (((wide)a + b + carry) >> (64 - insn->shift)) != 0;
  if (!(insn->flags & PTX_FLAG_SAT))
    return sum;
  const int64_t exact = ptx_extend(a, insn->shift) + ptx_extend(b, insn->shift);
  return exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? (uint64_t)INT32_MIN : (uint64_t)exact;
}

static uint64_t sub(ptx_thread *thread, const ptx_insn *insn, uint64_t a, uint64_t b, bool borrow) {
  if (insn->flags & PTX_FLAG_CC)
    thread->carry = (wide)b + borrow > a;
  if (!(insn->flags & PTX_FLAG_SAT))
    return a - b - borrow;
  const int64_t exact = ptx_extend(a, insn->shift) - ptx_extend(b, insn->shift);
  return exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? (uint64_t)INT32_MIN : (uint64_t)exact;
}

/* Returns the lower or upper half of a product, or all of it, as the instruction requires. */
static uint64_t multiply(const ptx_insn *insn, uint64_t a, uint64_t b) {
  if (insn->part == PTX_M_PART_LO)
    return a * b;
  const wide product =
      is_signed(insn) ? (wide)((signed_wide)ptx_extend(a, insn->shift) * ptx_extend(b, insn->shift))
                      : (wide)a * b;
  if (insn->part == PTX_M_PART_WIDE)
    return ptx_cut((uint64_t)product, 2u * insn->shift - 64u);
  return (uint64_t)(product >> (64 - insn->shift));
}

static uint64_t multiply_24(const ptx_insn *insn, uint64_t a, uint64_t b) {
  const uint64_t product = is_signed(insn) ? (uint64_t)(ptx_extend(a, 40) * ptx_extend(b, 40))
                                           : ptx_cut(a, 40) * ptx_cut(b, 40);
  return insn->part == PTX_M_PART_LO ? product & UINT32_MAX : product >> 16 & UINT32_MAX;
}

/* Saturates the sum of mad.hi.sat.s32 and mad24.hi.sat.s32. */
static uint64_t saturate(uint64_t a, uint64_t b) {
  const int64_t exact = ptx_extend(a, 32) + ptx_extend(b, 32);
  return exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? (uint64_t)INT32_MIN : (uint64_t)exact;
}

/* Divides. As on a GPU, the quotient of a division by 0 is all ones, the remainder the dividend. */
static uint64_t divide(const ptx_insn *insn, uint64_t a, uint64_t b, bool remainder) {
  if (b == 0)
    return remainder ? a : UINT64_MAX;
  if (!is_signed(insn))
    return remainder ? a % b : a / b;
  const int64_t x = ptx_extend(a, insn->shift), y = ptx_extend(b, insn->shift);
  if (y == -1)
    return remainder ? 0 : 0 - (uint64_t)x;
  return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t difference(const ptx_insn *insn, uint64_t a, uint64_t b) {
  if (!is_signed(insn))
    return a < b ? b - a : a - b;
  return ptx_extend(a, insn->shift) < ptx_extend(b, insn->shift) ? b - a : a - b;
}

static bool less(const ptx_insn *insn, uint64_t a, uint64_t b) {
  return is_signed(insn) ? ptx_extend(a, insn->shift) < ptx_extend(b, insn->shift) : a < b;
}

static uint64_t find_bit(const ptx_insn *insn, uint64_t a) {
  if (is_signed(insn) && ptx_extend(a, insn->shift) < 0)
    a = ptx_cut(~a, insn->shift);
  if (a == 0)
    return UINT32_MAX;
  const unsigned at = 63u - (unsigned)__builtin_clzll(a);
  return insn->flags & PTX_FLAG_SHIFTAMT ? 63u - insn->shift - at : at;
}

static uint64_t reverse(uint64_t a, unsigned shift) {
  uint64_t result = 0;
  for (int i = 0; i < 64; i++)
    result |= (a >> i & 1) << (63 - i);
  return result >> shift;
}

static uint64_t extract(const ptx_insn *insn, uint64_t a, uint64_t position, uint64_t length) {
  const unsigned bits = 64u - insn->shift;
  const unsigned at = position & 255, count = length & 255;
  if (count == 0)
    return 0;
  const unsigned last = at + count - 1 < bits - 1 ? at + count - 1 : bits - 1;
  const bool sign = is_signed(insn) && (a >> last & 1);
  uint64_t result = sign ? UINT64_MAX : 0;
  if (at < bits) {
    const unsigned have = last - at + 1;
    const uint64_t field = ptx_cut(a >> at, 64 - have);
    result = have >= 64 ? field : (result << have | field);
  }
  return result;
}

static uint64_t insert_bits(const ptx_insn *insn, uint64_t a, uint64_t b, uint64_t position,
                            uint64_t length) {
  const unsigned bits = 64u - insn->shift;
  const unsigned at = position & 255;
  unsigned count = length & 255;
  if (at >= bits || count == 0)
    return b;
  count = count < bits - at ? count : bits - at;
  const uint64_t mask = ptx_cut(UINT64_MAX, 64 - count) << at;
  return (b & ~mask) | (a << at & mask);
}

/* Returns the position of the n-th set bit from base on, upward for n > 0, downward for n < 0. */
static uint64_t find_nth(uint64_t mask, uint64_t base, uint64_t n) {
  int32_t left = (int32_t)(uint32_t)n;
  if (base > 31)
    return UINT32_MAX;
  if (left == 0)
    return mask >> base & 1 ? base : UINT32_MAX;
  const int step = left > 0 ? 1 : -1;
  for (int at = (int)base; at >= 0 && at < 32; at += step) {
    left -= mask >> at & 1 ? step : 0;
    if (left == 0)
      return (uint64_t)at;
  }
  return UINT32_MAX;
}

static uint64_t dot(const ptx_insn *insn, uint64_t a, uint64_t b, uint64_t c) {
  const bool two = insn->op == PTX_OP_DP2A;
  const bool second = (insn->flags & PTX_FLAG_SIGNED2) != 0;
  int64_t sum = 0;
  for (unsigned i = 0; i < (two ? 2u : 4u); i++) {
    const unsigned shift = two ? 48 : 56;
    const unsigned at = two ? i + (insn->part == PTX_M_PART_HI ? 2 : 0) : i;
    const uint64_t x = a >> i * (64 - shift), y = b >> 8 * at;
    sum += (is_signed(insn) ? ptx_extend(x, shift) : (int64_t)ptx_cut(x, shift)) *
           (second ? ptx_extend(y, 56) : (int64_t)ptx_cut(y, 56));
  }
  return c + (uint64_t)sum;
}

static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 8; i++)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

static uint64_t funnel(const ptx_insn *insn, uint64_t low, uint64_t high, uint64_t by) {
  const uint64_t both = high << 32 | low;
  const unsigned count =
      insn->detail == PTX_M_EXCESS_CLAMP ? (by < 32 ? (unsigned)by : 32) : (unsigned)(by & 31);
  return insn->mode == PTX_M_SIDE_L ? both << count >> 32 : both >> count;
}

static unsigned selector(const ptx_insn *insn, unsigned i, unsigned c) {
  const unsigned low = c & 3;
  switch (insn->mode) {
  case PTX_M_PERMUTE_F4E:
    return low + i;
  case PTX_M_PERMUTE_B4E:
    return (low - i) & 7;
  case PTX_M_PERMUTE_RC8:
    return low;
  case PTX_M_PERMUTE_ECL:
    return i > low ? i : low;
  case PTX_M_PERMUTE_ECR:
    return i < low ? i : low;
  case PTX_M_PERMUTE_RC16:
    return (low & 1) * 2 + (i & 1);
  default:
    return c >> 4 * i & 15;
  }
}

static uint64_t permute(const ptx_insn *insn, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t bytes = b << 32 | a;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned choice = selector(insn, i, (unsigned)c);
    uint64_t byte = bytes >> 8 * (choice & 7) & 255;
    if (choice & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static uint64_t shift_right(const ptx_insn *insn, uint64_t a, uint64_t by) {
  const unsigned bits = 64u - insn->shift;
  if (is_signed(insn))
    return (uint64_t)(ptx_extend(a, insn->shift) >> (by < bits ? by : bits - 1));
  return by < bits ? a >> by : 0;
}

static uint64_t make_mask(const ptx_insn *insn, uint64_t at, uint64_t count) {
  if (insn->mode == PTX_M_EXCESS_WRAP) {
    at &= 31;
    count &= 31;
  }
  if (at >= 32 || count == 0)
    return 0;
  return (count >= 32 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << at;
}

/* Returns the lowest count bits, sign- or zero-extended. */
static uint64_t extend_field(const ptx_insn *insn, uint64_t a, uint64_t count) {
  if (insn->mode == PTX_M_EXCESS_WRAP)
    count &= 31;
  if (count == 0)
    return 0;
  if (count >= 32)
    return a;
  const unsigned shift = 64u - (unsigned)count;
  return is_signed(insn) ? (uint64_t)ptx_extend(a, shift) : ptx_cut(a, shift);
}

/* Computes a result from the lower 16-bit elements of two pairs. */
static uint64_t pair_element(const ptx_insn *insn, uint64_t a, uint64_t b) {
  if (insn->op == PTX_OP_ADD_X2)
    return ptx_cut(a + b, 48);
  const bool less =
      is_signed(insn) ? ptx_extend(a, 48) < ptx_extend(b, 48) : ptx_cut(a, 48) < ptx_cut(b, 48);
  const uint64_t result = less == (insn->op == PTX_OP_MIN_X2) ? a : b;
  return (insn->flags & PTX_FLAG_RELU) && ptx_extend(result, 48) < 0 ? 0 : ptx_cut(result, 48);
}

static uint64_t rare(const ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t a = ptx_get(thread, o[1]);
#define B ptx_get(thread, o[2])
#define C ptx_get(thread, o[3])
#define D ptx_get(thread, o[4])
  switch (insn->op) {
  case PTX_OP_ADD_X2:
  case PTX_OP_MAX_X2:
  case PTX_OP_MIN_X2:
    return pair_element(insn, a >> 16, B >> 16) << 16 | pair_element(insn, a, B);
  case PTX_OP_BFE:
    return extract(insn, a, B, C);
  case PTX_OP_BFI:
    return insert_bits(insn, a, B, C, D);
  case PTX_OP_BFIND:
    return find_bit(insn, a);
  case PTX_OP_BMSK:
    return make_mask(insn, a, B);
  case PTX_OP_BREV:
    return reverse(a, insn->shift);
  case PTX_OP_CLZ:
    return a ? (unsigned)__builtin_clzll(a) - insn->shift : 64u - insn->shift;
  case PTX_OP_CNOT:
    return a == 0;
  case PTX_OP_DP2A:
  case PTX_OP_DP4A:
    return dot(insn, a, B, C);
  case PTX_OP_FNS:
    return find_nth(a, B, C);
  case PTX_OP_LOP3:
    return logic3(a, B, C, D);
  case PTX_OP_MAD24: {
    const uint64_t product = multiply_24(insn, a, B);
    return insn->flags & PTX_FLAG_SAT ? saturate(product, C) : product + C;
  }
  case PTX_OP_MUL24:
    return multiply_24(insn, a, B);
  case PTX_OP_POPC:
    return (uint64_t)__builtin_popcountll(a);
  case PTX_OP_PRMT:
    return permute(insn, a, B, C);
  case PTX_OP_SAD:
    return C + difference(insn, a, B);
  case PTX_OP_SHF:
    return funnel(insn, a, B, C);
  default: /* PTX_OP_SZEXT */
    return extend_field(insn, a, B);
  }
}

static uint64_t multiply_add(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t product = multiply(insn, ptx_get(thread, o[1]), ptx_get(thread, o[2]));
  const uint64_t c = ptx_get(thread, o[3]);
  const bool carry = insn->op == PTX_OP_MADC && thread->carry;
  if (insn->flags & PTX_FLAG_SAT)
    return saturate(product, c);
  if (insn->flags & PTX_FLAG_CC)
    return add_carried(thread, insn, ptx_cut(product, insn->shift), c, carry);
  return product + c + carry;
}

static uint64_t relu(const ptx_insn *insn, uint64_t value) {
  return (insn->flags & PTX_FLAG_RELU) && ptx_extend(value, insn->shift) < 0 ? 0 : value;
}

bool ptx_exec_INT(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  const uint64_t a = ptx_get(thread, o[1]);
  uint64_t result;
  unsigned shift = insn->shift;
  switch (insn->op) {
  case PTX_OP_ADD_I:
    result = insn->flags ? add_carried(thread, insn, a, B, false) : a + B;
    break;
  case PTX_OP_SUB_I:
    result = insn->flags ? sub(thread, insn, a, B, false) : a - B;
    break;
  case PTX_OP_ADDC:
    result = add_carried(thread, insn, a, B, thread->carry);
    break;
  case PTX_OP_SUBC:
    result = sub(thread, insn, a, B, thread->carry);
    break;
  case PTX_OP_AND:
    result = a & B;
    break;
  case PTX_OP_OR:
    result = a | B;
    break;
  case PTX_OP_XOR:
    result = a ^ B;
    break;
  case PTX_OP_NOT:
    result = ~a;
    break;
  case PTX_OP_SHL:
    result = B < 64u - shift ? a << B : 0;
    break;
  case PTX_OP_SHR:
    result = shift_right(insn, a, B);
    break;
  case PTX_OP_MUL_I:
    result = multiply(insn, a, B);
    shift = insn->part == PTX_M_PART_WIDE ? 2u * shift - 64u : shift;
    break;
  case PTX_OP_MAD_I:
  case PTX_OP_MADC:
    result = multiply_add(thread, insn, o);
    shift = insn->part == PTX_M_PART_WIDE ? 2u * shift - 64u : shift;
    break;
  case PTX_OP_DIV_I:
    result = divide(insn, a, B, false);
    break;
  case PTX_OP_REM:
    result = divide(insn, a, B, true);
    break;
  case PTX_OP_ABS_I:
    result = ptx_extend(a, shift) < 0 ? 0 - a : a;
    break;
  case PTX_OP_NEG_I:
    result = 0 - a;
    break;
  case PTX_OP_MIN_I:
    result = relu(insn, less(insn, B, a) ? B : a);
    break;
  case PTX_OP_MAX_I:
    result = relu(insn, less(insn, a, B) ? B : a);
    break;
  default:
    result = rare(thread, insn, o);
    shift =
        insn->op == PTX_OP_BFIND || insn->op == PTX_OP_CLZ || insn->op == PTX_OP_POPC ? 32 : shift;
    break;
  }
  *ptx_slot(thread, o[0]) = ptx_cut(result, shift);
  return true;
}
#undef B
#undef C
#undef D
