/* Emits moves, conversions, loads, stores and atomics. */
#include "ptx_parse.h"

#include "ptx_exec.h"

#include <string.h>

/* Emits mov {a, b}, c and mov c, {a, b}. */
static bool emit_pack(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                      const ptx_operand *vector, const ptx_operand *whole, bool unpack) {
  const unsigned bits = ptx_type_infos[words->types[0]].bits;
  if ((vector->count != 2 && vector->count != 4) || bits / vector->count < 8)
    return ptx_fail(parser, "a vector of %u elements in a mov of %u bits", vector->count, bits);
  const ptx_type element = ptx_bits_type(bits / vector->count);
  insn->op = unpack ? PTX_OP_UNPACK : PTX_OP_PACK;
  insn->count = (uint8_t)vector->count;
  uint32_t word;
  if (!(unpack ? ptx_source(parser, whole, words->types[0], &word)
               : ptx_target(parser, whole, words->types[0], &word)) ||
      !ptx_emit_word(parser, word))
    return false;
  for (uint32_t i = 0; i < vector->count; i++) {
    const ptx_operand *child = ptx_child(parser, vector, i);
    if (!(unpack ? ptx_target(parser, child, element, &word)
                 : ptx_source(parser, child, element, &word)) ||
        !ptx_emit_word(parser, word))
      return false;
  }
  return true;
}

/* Emits a move of the address of a frame's variable, an entry's parameter or another symbol. */
static bool emit_symbol_move(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                             const ptx_operand *source) {
  const ptx_symbol *symbol = source->symbol;
  if (ptx_type_infos[words->types[0]].bits < 32)
    return ptx_fail(parser, "the address of '%s' in less than 32 bits", symbol->name);
  uint32_t word;
  switch (symbol->kind) {
  case PTX_SYMBOL_GLOBAL:
    return ptx_symbol_constant(parser, symbol->global, source->addend, &word) &&
           ptx_emit_word(parser, word);
  case PTX_SYMBOL_PARAMETER:
    return ptx_emit_number(parser, PTX_WINDOW_PARAM + symbol->offset + (uint64_t)source->addend);
  case PTX_SYMBOL_FRAME: {
    /* Parameters have generic addresses; local variables have offsets in local memory. */
    const uint64_t window = symbol->space == PTX_SPACE_PARAM ? PTX_WINDOW_LOCAL : 0;
    insn->op = PTX_OP_ADD_I;
    insn->family = PTX_FAMILY_INT;
    return ptx_emit_word(parser, PTX_SLOT_FRAME) &&
           ptx_emit_number(parser, window + symbol->offset + (uint64_t)source->addend);
  }
  default:
    return ptx_fail(parser, "'%s' has no address", symbol->name);
  }
}

static bool emit_move(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                      ptx_chain *chain) {
  const ptx_operand *target = ptx_take(parser, chain);
  const ptx_operand *source = target ? ptx_take(parser, chain) : NULL;
  if (!source)
    return false;
  if (target->kind == PTX_OPERAND_VECTOR)
    return emit_pack(parser, words, insn, target, source, true);
  if (source->kind == PTX_OPERAND_VECTOR)
    return emit_pack(parser, words, insn, source, target, false);
  uint32_t word;
  if (target->second != PTX_NO_OPERAND)
    return ptx_fail(parser, "'|' where one destination is wanted");
  if (!ptx_target(parser, target, words->types[0], &word) || !ptx_emit_word(parser, word))
    return false;
  if (source->kind == PTX_OPERAND_SPECIAL && words->types[0] != PTX_PRED) {
    insn->op = PTX_OP_SPECIAL;
    insn->target = (uint32_t)source->number;
    return true;
  }
  if (source->kind == PTX_OPERAND_SYMBOL)
    return emit_symbol_move(parser, words, insn, source);
  return ptx_source(parser, source, words->types[0], &word) && ptx_emit_word(parser, word);
}

static bool is_packed(ptx_type type) {
  return type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_E4M3X2 || type == PTX_E5M2X2;
}

/* Checks that a conversion has the right rounding modifiers. */
static bool check_conversion(ptx_parser *parser, const ptx_words *words) {
  const ptx_type to = words->types[0], from = words->types[1];
  const ptx_type_info *a = &ptx_type_infos[to], *b = &ptx_type_infos[from];
  const bool whole = words->fields[PTX_CLASS_WHOLE] != 0;
  const bool round = words->fields[PTX_CLASS_ROUND] != 0;
  const bool a_float = a->kind == PTX_KIND_FLOAT, b_float = b->kind == PTX_KIND_FLOAT;
  const bool known = a->kind != PTX_KIND_PRED && a->kind != PTX_KIND_BIT &&
                     b->kind != PTX_KIND_PRED && b->kind != PTX_KIND_BIT && from != PTX_TF32 &&
                     !((PTX_T_PAIR >> to | PTX_T_PAIR >> from) & 1);
  const bool packs = is_packed(to) || is_packed(from);
  const bool fits = (from == PTX_F32 && is_packed(to)) ||
                    (to == PTX_F16X2 && (from == PTX_E4M3X2 || from == PTX_E5M2X2)) ||
                    (from == PTX_F16X2 && (to == PTX_E4M3X2 || to == PTX_E5M2X2));
  const bool tf32 = to == PTX_TF32;
  if (!known || (packs && !fits) || (tf32 && from != PTX_F32))
    return ptx_fail(parser, "unknown types in 'cvt.%s.%s'", a->word, b->word);
  bool needs_round = a_float && (!b_float || a->bits < b->bits || tf32 || packs);
  needs_round |= (to == PTX_F16 && from == PTX_BF16) || (to == PTX_BF16 && from == PTX_F16);
  needs_round &= !whole;
  const bool needs_whole = !a_float && b_float;
  if (needs_round && !round)
    return ptx_fail(parser, "'cvt.%s.%s' needs a rounding such as .rn", a->word, b->word);
  if (needs_whole && !whole)
    return ptx_fail(parser, "'cvt.%s.%s' needs a rounding such as .rzi", a->word, b->word);
  if (whole && !b_float)
    return ptx_fail(parser, "'cvt.%s.%s' takes no rounding to an integer", a->word, b->word);
  return true;
}

static bool emit_conversion(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                            uint32_t guard, ptx_chain *chain) {
  if (!check_conversion(parser, words))
    return false;
  const ptx_operand *target = ptx_take(parser, chain);
  const ptx_operand *source = target ? ptx_take(parser, chain) : NULL;
  uint32_t to, from;
  unsigned bits;
  if (!source || !ptx_target_wide(parser, target, words->types[0], &to, &bits))
    return false;
  insn->dshift = (uint8_t)(64 - bits);
  insn->flags |= chain->next ? PTX_FLAG_COUNT : 0;
  if (source->kind == PTX_OPERAND_SPECIAL) {
    /* Makes this instruction the move of the special register, and appends the conversion. */
    ptx_words move = {.op = PTX_OP_MOV, .types = {words->types[1]}, .type_count = 1};
    from = ptx_new_slots(parser, 1);
    const ptx_insn conversion = *insn;
    insn->op = PTX_OP_SPECIAL;
    insn->family = PTX_FAMILY_MOVE;
    insn->shift = (uint8_t)(64 - ptx_type_infos[words->types[1]].bits);
    insn->target = (uint32_t)source->number;
    if (!ptx_emit_word(parser, from))
      return false;
    ptx_insn *next = ptx_emit_insn(parser, &move, guard);
    if (!next)
      return false;
    const uint32_t operands = next->operands;
    *next = conversion;
    next->operands = operands;
    return ptx_emit_word(parser, to) && ptx_emit_word(parser, from);
  }
  if (!ptx_source_wide(parser, source, words->types[1], &from) || !ptx_emit_word(parser, to) ||
      !ptx_emit_word(parser, from))
    return false;
  const bool pair = is_packed(words->types[0]) && words->types[1] == PTX_F32;
  return !pair || ptx_emit_source(parser, chain, PTX_F32);
}

/* Emits a load's or store's scalar or vector. *bits receives the width of a load's registers. */
static bool emit_elements(ptx_parser *parser, const ptx_operand *operand, const ptx_insn *insn,
                          bool load, unsigned *bits) {
  const uint32_t count = insn->count;
  const ptx_type type = (ptx_type)insn->type;
  *bits = 0;
  if (count * ptx_type_infos[type].bits > 256)
    return ptx_fail(parser, "a vector of more than 256 bits");
  const bool vector = operand->kind == PTX_OPERAND_VECTOR;
  const bool whole = operand->kind == PTX_OPERAND_SLOT && operand->vector == count && count > 1;
  if (!whole && (count > 1) != vector)
    return ptx_fail(parser, "a vector of %u elements is wanted", count);
  if (vector && operand->count != count)
    return ptx_fail(parser, "a vector of %u elements where %u are wanted", operand->count, count);
  for (uint32_t i = 0; i < count; i++) {
    ptx_operand one = vector ? *ptx_child(parser, operand, i) : *operand;
    if (whole) {
      one.slot += i;
      one.vector = 1;
    }
    uint32_t word;
    unsigned own;
    if (!(load ? ptx_target_wide(parser, &one, type, &word, &own)
               : ptx_source_wide(parser, &one, type, &word)) ||
        !ptx_emit_word(parser, word))
      return false;
    if (load && *bits < own)
      *bits = own;
  }
  return true;
}

static bool emit_hint(ptx_parser *parser, const ptx_words *words, ptx_chain *chain) {
  uint32_t ignored;
  if (!words->fields[PTX_CLASS_HINT])
    return true;
  const ptx_operand *hint = ptx_take(parser, chain);
  return hint && ptx_source(parser, hint, PTX_B64, &ignored);
}

static bool emit_load(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                      ptx_chain *chain) {
  const ptx_operand *target = ptx_take(parser, chain);
  unsigned bits;
  if (!target || !emit_elements(parser, target, insn, true, &bits))
    return false;
  insn->dshift = (uint8_t)(64 - bits);
  ptx_space space = (ptx_space)insn->space;
  if (!ptx_emit_address(parser, chain, &space))
    return false;
  insn->space = (uint8_t)space;
  return emit_hint(parser, words, chain);
}

static bool emit_store(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                       ptx_chain *chain) {
  ptx_space space = (ptx_space)insn->space;
  if (space == PTX_SPACE_CONST)
    return ptx_fail(parser, "a store to .const");
  if (!ptx_emit_address(parser, chain, &space))
    return false;
  insn->space = (uint8_t)space;
  const ptx_operand *source = ptx_take(parser, chain);
  unsigned bits;
  return source && emit_elements(parser, source, insn, false, &bits) &&
         emit_hint(parser, words, chain);
}

/* Returns the set of types that an atomic operation accepts. */
static uint32_t atomic_types(uint8_t operation) {
  const uint32_t bits = PTX_T_BITS32_64, half = PTX_T_HALF;
  const uint32_t integers = PTX_T_INT32_64;
  switch (operation) {
  case PTX_M_ATOMIC_AND:
  case PTX_M_ATOMIC_OR:
  case PTX_M_ATOMIC_XOR:
    return bits;
  case PTX_M_ATOMIC_CAS:
  case PTX_M_ATOMIC_EXCH:
    return PTX_T_BITS16_64 | PTX_T(U32) | PTX_T(U64) | PTX_T(S32) | PTX_T(S64);
  case PTX_M_ATOMIC_ADD:
    return (integers & ~PTX_T(S64)) | PTX_T(S64) | PTX_T_FLOAT | half;
  case PTX_M_ATOMIC_INC:
  case PTX_M_ATOMIC_DEC:
    return PTX_T(U32);
  default:
    return integers | half;
  }
}

static bool emit_atomic(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                        ptx_chain *chain, bool result) {
  const ptx_type type = words->types[0];
  if (!(atomic_types(insn->mode) >> type & 1))
    return ptx_fail(parser, "unknown type '.%s' of this atomic operation",
                    ptx_type_infos[type].word);
  const bool swap = insn->mode == PTX_M_ATOMIC_CAS;
  if (!result && (swap || insn->mode == PTX_M_ATOMIC_EXCH))
    return ptx_fail(parser, "'red' has neither .cas nor .exch");
  ptx_space space = (ptx_space)insn->space;
  if (space == PTX_SPACE_CONST || space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM)
    return ptx_fail(parser, "an atomic operation is on .global or .shared memory");
  if (!(result ? ptx_emit_target(parser, chain, type) : ptx_emit_word(parser, PTX_SLOT_SINK)) ||
      !ptx_emit_address(parser, chain, &space) || !ptx_emit_source(parser, chain, type) ||
      (swap && !ptx_emit_source(parser, chain, type)))
    return false;
  insn->space = (uint8_t)space;
  return emit_hint(parser, words, chain);
}

static bool emit_product(ptx_parser *parser, const ptx_words *words, ptx_chain *chain) {
  const ptx_type type = words->types[0];
  const bool wide = words->fields[PTX_CLASS_PART] == PTX_M_PART_WIDE;
  const ptx_type result = wide ? ptx_twice(type) : type;
  return ptx_emit_target(parser, chain, result) && ptx_emit_source(parser, chain, type) &&
         ptx_emit_source(parser, chain, type) &&
         (words->op != PTX_OP_MAD_I || ptx_emit_source(parser, chain, result));
}

/* Emits cp.async as a synchronous copy, so that its groups are always complete. */
static bool emit_copy(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                      ptx_chain *chain) {
  if (insn->mode == PTX_M_GROUP_WAIT_GROUP)
    return ptx_emit_source(parser, chain, PTX_B32);
  if (insn->mode != PTX_M_ASYNC_ASYNC)
    return true;
  ptx_space to = PTX_SPACE_SHARED, from = PTX_SPACE_GLOBAL;
  return ptx_emit_address(parser, chain, &to) && ptx_emit_address(parser, chain, &from) &&
         ptx_emit_source(parser, chain, PTX_B32) &&
         (chain->next && !words->fields[PTX_CLASS_HINT] ? ptx_emit_source(parser, chain, PTX_B32)
                                                        : ptx_emit_number(parser, UINT32_MAX)) &&
         emit_hint(parser, words, chain);
}

/* Emits the words destination, base, offset, operand; a missing one is the sink or 0. */
static bool emit_mbarrier(ptx_parser *parser, ptx_insn *insn, ptx_chain *chain) {
  ptx_space space = (ptx_space)insn->space;
  switch (insn->mode) {
  case PTX_M_MBARRIER_PENDING_COUNT:
    return ptx_emit_target(parser, chain, PTX_B32) && ptx_emit_source(parser, chain, PTX_B64);
  case PTX_M_MBARRIER_INIT:
  case PTX_M_MBARRIER_INVAL:
    if (!ptx_emit_word(parser, PTX_SLOT_SINK) || !ptx_emit_address(parser, chain, &space))
      return false;
    insn->space = (uint8_t)space;
    return insn->mode == PTX_M_MBARRIER_INVAL ? ptx_emit_number(parser, 0)
                                              : ptx_emit_source(parser, chain, PTX_B32);
  case PTX_M_MBARRIER_ARRIVE:
  case PTX_M_MBARRIER_ARRIVE_DROP:
    if (!ptx_emit_target(parser, chain, PTX_B64) || !ptx_emit_address(parser, chain, &space))
      return false;
    insn->space = (uint8_t)space;
    return chain->next ? ptx_emit_source(parser, chain, PTX_B32) : ptx_emit_number(parser, 1);
  default: {
    const bool parity = insn->flags & PTX_FLAG_PARITY;
    uint32_t ignored;
    if (!ptx_emit_target(parser, chain, PTX_PRED) || !ptx_emit_address(parser, chain, &space) ||
        !ptx_emit_source(parser, chain, parity ? PTX_B32 : PTX_B64))
      return false;
    insn->space = (uint8_t)space;
    const ptx_operand *hint = chain->next ? ptx_take(parser, chain) : NULL;
    return !hint || ptx_source(parser, hint, PTX_B32, &ignored);
  }
  }
}

bool ptx_emit_memory(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                     ptx_chain *chain) {
  switch (letter) {
  case 'm':
    return emit_move(parser, words, insn, chain);
  case 'v':
    return emit_conversion(parser, words, insn, insn->guard, chain);
  case 'l':
    return emit_load(parser, words, insn, chain);
  case 's':
    return emit_store(parser, words, insn, chain);
  case 'a':
    return emit_atomic(parser, words, insn, chain, true);
  case 'r':
    return emit_atomic(parser, words, insn, chain, false);
  case 'w':
    return emit_product(parser, words, chain);
  case 'p':
    return emit_copy(parser, words, insn, chain);
  case 'y':
    return emit_mbarrier(parser, insn, chain);
  default: { /* f: a hint, of which only the address is checked */
    ptx_space space = (ptx_space)insn->space;
    uint32_t ignored;
    if (!ptx_emit_address(parser, chain, &space))
      return false;
    const ptx_operand *size = words->op == PTX_OP_DISCARD ? ptx_take(parser, chain) : NULL;
    return words->op != PTX_OP_DISCARD || (size && ptx_source(parser, size, PTX_B32, &ignored));
  }
  }
}
