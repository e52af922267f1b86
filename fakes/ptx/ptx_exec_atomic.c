/* atom and red. They are also atomic with respect to launches on other host threads. */
#include "ptx_exec.h"

#include "ptx_number.h"

#include <string.h>

static uint64_t add_floats(ptx_type type, uint64_t a, uint64_t b) {
  if (type == PTX_F64) {
    double x, y;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    x += y;
    memcpy(&a, &x, sizeof(a));
    return a;
  }
  const uint32_t low[2] = {(uint32_t)a, (uint32_t)b};
  float values[2];
  memcpy(values, low, sizeof(values));
  values[0] += values[1];
  uint32_t sum;
  memcpy(&sum, values, sizeof(sum));
  return sum;
}

static uint16_t update_half(const ptx_insn *insn, uint64_t a, uint64_t b) {
  const ptx_type type = (ptx_type)insn->type;
  const double x = ptx_half_value(type, (uint16_t)a), y = ptx_half_value(type, (uint16_t)b);
  const double result = insn->mode == PTX_M_ATOMIC_ADD   ? ptx_add_odd(x, y)
                        : insn->mode == PTX_M_ATOMIC_MIN ? (y < x ? y : x)
                                                         : (y > x ? y : x);
  return ptx_half_bits(type, result);
}

static uint64_t update(const ptx_insn *insn, uint64_t old, uint64_t b, uint64_t c) {
  const ptx_type type = (ptx_type)insn->type;
  const bool is_signed = (insn->flags & PTX_FLAG_SIGNED) != 0;
  const bool less = is_signed ? ptx_extend(b, insn->shift) < ptx_extend(old, insn->shift) : b < old;
  if (PTX_T_HALF >> type & 1 && insn->mode != PTX_M_ATOMIC_EXCH) {
    const uint64_t low = update_half(insn, old, b);
    const bool pair = type == PTX_F16X2 || type == PTX_BF16X2;
    return pair ? low | (uint64_t)update_half(insn, old >> 16, b >> 16) << 16 : low;
  }
  switch (insn->mode) {
  case PTX_M_ATOMIC_ADD:
    return PTX_T_FLOAT >> type & 1 ? add_floats(type, old, b) : old + b;
  case PTX_M_ATOMIC_AND:
    return old & b;
  case PTX_M_ATOMIC_OR:
    return old | b;
  case PTX_M_ATOMIC_XOR:
    return old ^ b;
  case PTX_M_ATOMIC_EXCH:
    return b;
  case PTX_M_ATOMIC_CAS:
    return old == b ? c : old;
  case PTX_M_ATOMIC_INC:
    return old >= b ? 0 : old + 1;
  case PTX_M_ATOMIC_DEC:
    return old == 0 || old > b ? b : old - 1;
  case PTX_M_ATOMIC_MIN:
    return less ? b : old;
  default: /* PTX_M_ATOMIC_MAX */
    return less ? old : b;
  }
}

/* X(bits) */
#define WIDTHS(X) X(16) X(32) X(64)

#define WIDTH(bits)                                                                                \
  static uint64_t update_##bits(const ptx_insn *insn, void *place, uint64_t b, uint64_t c) {       \
    uint##bits##_t *value = place;                                                                 \
    uint##bits##_t old = __atomic_load_n(value, __ATOMIC_SEQ_CST);                                 \
    while (!__atomic_compare_exchange_n(value, &old, (uint##bits##_t)update(insn, old, b, c),      \
                                        false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                \
      ;                                                                                            \
    return old;                                                                                    \
  }
WIDTHS(WIDTH)
#undef WIDTH

/* Operands: destination, base, offset, operand, and for cas a second operand. */
bool ptx_exec_ATOMIC(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  const uint32_t bits = 64u - insn->shift;
  const uint64_t address = ptx_get(thread, o[1]) + (uint64_t)(int64_t)(int32_t)o[2];
  void *place = ptx_memory(thread, insn, (ptx_space)insn->space, address, bits / 8, bits / 8, true);
  if (!place)
    return false;
  const uint64_t b = ptx_get(thread, o[3]);
  const uint64_t c = insn->mode == PTX_M_ATOMIC_CAS ? ptx_get(thread, o[4]) : 0;
  *ptx_slot(thread, o[0]) = bits == 16   ? update_16(insn, place, b, c)
                            : bits == 32 ? update_32(insn, place, b, c)
                                         : update_64(insn, place, b, c);
  return true;
}
