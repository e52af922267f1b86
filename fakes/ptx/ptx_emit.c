/* Emits instructions whose operands are described by their row of ptx_opcodes.def. */
#include "ptx_parse.h"

#include <string.h>

/* The classes of modifiers for an instruction's mode, and for its detail. */
static const ptx_class modes[] = {
    PTX_CLASS_TEST,   PTX_CLASS_ATOMIC,  PTX_CLASS_SHUFFLE,   PTX_CLASS_VOTE,   PTX_CLASS_PERMUTE,
    PTX_CLASS_SIDE,   PTX_CLASS_QUERY,   PTX_CLASS_MBARRIER,  PTX_CLASS_GROUP,  PTX_CLASS_ASYNC,
    PTX_CLASS_DETAIL, PTX_CLASS_OUTSIDE, PTX_CLASS_COMPONENT, PTX_CLASS_ACTION, PTX_CLASS_EXCESS};
static const ptx_class details[] = {PTX_CLASS_GEOMETRY, PTX_CLASS_UNIT, PTX_CLASS_EXCESS};

/* X(CLASS, FLAG): modifiers that become a flag. */
#define FLAGS(X)                                                                                   \
  X(SAT, SAT)                                                                                      \
  X(SATFINITE, SATFINITE)                                                                          \
  X(RELU, RELU)                                                                                    \
  X(APPROX, APPROX)                                                                                \
  X(NANS, NAN)                                                                                     \
  X(XORSIGN, XORSIGN)                                                                              \
  X(CC, CC)                                                                                        \
  X(SHIFTAMT, SHIFTAMT)                                                                            \
  X(TO, TO)                                                                                        \
  X(PARITY, PARITY)                                                                                \
  X(NOCOMPLETE, NOCOMPLETE)

static uint8_t first_of(const ptx_words *words, const ptx_class *classes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (words->fields[classes[i]])
      return words->fields[classes[i]];
  return 0;
}

static uint8_t space_of(uint8_t modifier) {
  switch (modifier) {
  case PTX_M_SPACE_GLOBAL:
    return PTX_SPACE_GLOBAL;
  case PTX_M_SPACE_CONST:
    return PTX_SPACE_CONST;
  case PTX_M_SPACE_SHARED:
  case PTX_M_SPACE_SHARED_CTA:
  case PTX_M_SPACE_SHARED_CLUSTER:
    return PTX_SPACE_SHARED;
  case PTX_M_SPACE_LOCAL:
    return PTX_SPACE_LOCAL;
  case PTX_M_SPACE_PARAM:
  case PTX_M_SPACE_PARAM_ENTRY:
  case PTX_M_SPACE_PARAM_FUNC:
    return PTX_SPACE_PARAM;
  default:
    return PTX_SPACE_GENERIC;
  }
}

static uint8_t vector_of(uint8_t modifier) {
  switch (modifier) {
  case PTX_M_VECTOR_V2:
    return 2;
  case PTX_M_VECTOR_V4:
    return 4;
  case PTX_M_VECTOR_V8:
    return 8;
  default:
    return 1;
  }
}

static uint32_t flags_of(const ptx_words *words) {
  uint32_t flags = 0;
#define FLAG(CLASS, NAME) flags |= words->fields[PTX_CLASS_##CLASS] ? PTX_FLAG_##NAME : 0;
  FLAGS(FLAG)
#undef FLAG
  flags |= words->fields[PTX_CLASS_FTZ] == PTX_M_FTZ_FTZ ? PTX_FLAG_FTZ : 0;
  flags |= words->fields[PTX_CLASS_FORMAT] == PTX_M_FORMAT_P ? PTX_FLAG_FORMATTED : 0;
  flags |= ptx_type_infos[words->types[0]].kind == PTX_KIND_SIGNED ? PTX_FLAG_SIGNED : 0;
  flags |= ptx_type_infos[words->types[1]].kind == PTX_KIND_SIGNED ? PTX_FLAG_SIGNED2 : 0;
  return flags;
}

ptx_insn *ptx_emit_insn(ptx_parser *parser, const ptx_words *words, uint32_t guard) {
  ptx_module *module = parser->module;
  if (module->code_count >= PTX_SLOT_MASK || module->operand_count >= PTX_SLOT_MASK ||
      !PTX_GROW(module->code, module->code_count, module->code_room)) {
    ptx_fail_memory(parser);
    return NULL;
  }
  ptx_insn *insn = &module->code[module->code_count++];
  const uint8_t shift = (uint8_t)(64 - ptx_type_infos[words->types[0]].bits);
  *insn = (ptx_insn){.op = (uint16_t)words->op,
                     .family = words->op < PTX_OP_COUNT ? ptx_op_infos[words->op].family
                                                        : PTX_FAMILY_MOVE,
                     .type = (uint8_t)words->types[0],
                     .type2 = (uint8_t)words->types[words->type_count > 1],
                     .shift = shift,
                     .dshift = shift,
                     .count = vector_of(words->fields[PTX_CLASS_VECTOR]),
                     .space = space_of(words->fields[PTX_CLASS_SPACE]),
                     .round = words->fields[PTX_CLASS_ROUND],
                     .whole = words->fields[PTX_CLASS_WHOLE],
                     .part = words->fields[PTX_CLASS_PART],
                     .compare = words->fields[PTX_CLASS_COMPARE],
                     .combine = words->fields[PTX_CLASS_COMBINE],
                     .mode = first_of(words, modes, sizeof(modes) / sizeof(*modes)),
                     .detail = first_of(words, details, sizeof(details) / sizeof(*details)),
                     .flags = flags_of(words),
                     .guard = guard,
                     .operands = (uint32_t)module->operand_count,
                     .line = parser->line};
  return insn;
}

bool ptx_emit_word(ptx_parser *parser, uint32_t word) {
  ptx_module *module = parser->module;
  if (!PTX_GROW(module->operands, module->operand_count, module->operand_room))
    return ptx_fail_memory(parser);
  module->operands[module->operand_count++] = word;
  return true;
}

bool ptx_emit_exit(ptx_parser *parser, ptx_op op) {
  const ptx_words words = {.op = op};
  return ptx_emit_insn(parser, &words, PTX_NO_GUARD) != NULL;
}

const ptx_operand *ptx_take(ptx_parser *parser, ptx_chain *chain) {
  const ptx_operand *operand = chain->next;
  if (!operand) {
    ptx_fail(parser, "too few operands");
    return NULL;
  }
  chain->next = operand->next == PTX_NO_OPERAND ? NULL : &parser->operands[operand->next];
  return operand;
}

const ptx_operand *ptx_child(const ptx_parser *parser, const ptx_operand *operand, uint32_t index) {
  int child = operand->first;
  while (index-- > 0 && child != PTX_NO_OPERAND)
    child = parser->operands[child].next;
  return child == PTX_NO_OPERAND ? NULL : &parser->operands[child];
}

bool ptx_emit_source(ptx_parser *parser, ptx_chain *chain, ptx_type type) {
  const ptx_operand *operand = ptx_take(parser, chain);
  uint32_t word;
  return operand && ptx_source(parser, operand, type, &word) && ptx_emit_word(parser, word);
}

bool ptx_emit_target(ptx_parser *parser, ptx_chain *chain, ptx_type type) {
  const ptx_operand *operand = ptx_take(parser, chain);
  uint32_t word;
  if (operand && operand->second != PTX_NO_OPERAND)
    return ptx_fail(parser, "'|' where one destination is wanted");
  return operand && ptx_target(parser, operand, type, &word) && ptx_emit_word(parser, word);
}

/* Emits two words for d|p, d or _|p. */
static bool emit_target_and_predicate(ptx_parser *parser, ptx_chain *chain, ptx_type type) {
  const ptx_operand *operand = ptx_take(parser, chain);
  uint32_t word, predicate = PTX_SLOT_SINK;
  if (!operand || !ptx_target(parser, operand, type, &word))
    return false;
  if (operand->second != PTX_NO_OPERAND &&
      !ptx_target(parser, &parser->operands[operand->second], PTX_PRED, &predicate))
    return false;
  return ptx_emit_word(parser, word) && ptx_emit_word(parser, predicate);
}

bool ptx_emit_number(ptx_parser *parser, uint64_t value) {
  uint32_t word;
  return ptx_constant(parser, value, &word) && ptx_emit_word(parser, word);
}

bool ptx_emit_address(ptx_parser *parser, ptx_chain *chain, ptx_space *space) {
  const ptx_operand *operand = ptx_take(parser, chain);
  uint32_t base;
  int64_t offset;
  if (!operand || !ptx_address(parser, operand, space, &base, &offset))
    return false;
  if (operand->count != 1)
    return ptx_fail(parser, "more than an address in brackets");
  return ptx_emit_word(parser, base) && ptx_emit_word(parser, (uint32_t)(int32_t)offset);
}

ptx_type ptx_twice(ptx_type type) {
  switch (type) {
  case PTX_U16:
    return PTX_U32;
  case PTX_S16:
    return PTX_S32;
  case PTX_U32:
    return PTX_U64;
  case PTX_S32:
    return PTX_S64;
  default:
    return type;
  }
}

ptx_type ptx_bits_type(unsigned bits) {
  return bits == 8 ? PTX_B8 : bits == 16 ? PTX_B16 : bits == 32 ? PTX_B32 : PTX_B64;
}

/* Emits a pointer, which may have 64 or 32 bits. */
static bool emit_pointer(ptx_parser *parser, ptx_chain *chain) {
  const bool narrow = chain->next && chain->next->kind == PTX_OPERAND_SLOT &&
                      ptx_type_infos[chain->next->type].bits == 32;
  return ptx_emit_source(parser, chain, narrow ? PTX_U32 : PTX_U64);
}

static bool emit_operand(ptx_parser *parser, const ptx_words *words, char letter, bool pair,
                         ptx_chain *chain) {
  const ptx_type type = words->types[0];
  if (pair)
    return emit_target_and_predicate(parser, chain,
                                     letter == 'q'   ? PTX_PRED
                                     : letter == 'U' ? PTX_B32
                                                     : type);
  switch (letter) {
  case 'd':
    return ptx_emit_target(parser, chain, type);
  case 'w':
    return ptx_emit_target(parser, chain, ptx_twice(type));
  case 'U':
    return ptx_emit_target(parser, chain, PTX_B32);
  case 'q':
    return ptx_emit_target(parser, chain, PTX_PRED);
  case 'a':
    if (chain->next && chain->next->negated)
      return ptx_fail(parser, "'!' before an operand of '%s'", ptx_op_infos[words->op].mnemonic);
    return ptx_emit_source(parser, chain, type);
  case 'b':
    return ptx_emit_source(parser, chain, words->types[1]);
  case 'W':
    return ptx_emit_source(parser, chain, ptx_twice(type));
  case 'u':
    return ptx_emit_source(parser, chain, PTX_B32);
  case 'p':
    return ptx_emit_source(parser, chain, PTX_PRED);
  default:
    return emit_pointer(parser, chain);
  }
}

static bool emit_operands(ptx_parser *parser, const ptx_words *words, const char *letters,
                          ptx_chain *chain) {
  for (; *letters; letters++) {
    const bool optional = *letters == '?';
    letters += optional;
    if (optional && !chain->next) {
      if (!ptx_emit_number(parser, 0))
        return false;
      continue;
    }
    const bool pair = letters[1] == '|';
    if (!emit_operand(parser, words, *letters, pair, chain))
      return false;
    letters += pair;
  }
  return true;
}

/* Makes the checks of an instruction's words that a row cannot describe. */
static bool check_words(ptx_parser *parser, const ptx_words *words) {
  const uint8_t *fields = words->fields;
  const char *name = ptx_op_infos[words->op].mnemonic;
  const bool exact =
      words->op == PTX_OP_DIV_F || words->op == PTX_OP_RCP || words->op == PTX_OP_SQRT;
  if (exact && !fields[PTX_CLASS_ROUND] && !fields[PTX_CLASS_APPROX])
    return ptx_fail(parser, "'%s' needs a rounding, .approx or .full", name);
  if (fields[PTX_CLASS_ROUND] == PTX_M_ROUND_RNA && words->op != PTX_OP_CVT)
    return ptx_fail(parser, "modifier '.rna' does not fit '%s'", name);
  if (fields[PTX_CLASS_PART] == PTX_M_PART_WIDE &&
      (ptx_type_infos[words->types[0]].bits == 64 ||
       (words->op != PTX_OP_MUL_I && words->op != PTX_OP_MAD_I)))
    return ptx_fail(parser, "modifier '.wide' does not fit '%s.%s'", name,
                    ptx_type_infos[words->types[0]].word);
  const uint8_t compare = fields[PTX_CLASS_COMPARE];
  const ptx_type compared = words->types[words->op == PTX_OP_SET];
  const bool unsigned_only = compare >= PTX_M_COMPARE_LO && compare <= PTX_M_COMPARE_HS;
  const bool float_only = compare >= PTX_M_COMPARE_EQU;
  if (compare && (ptx_type_infos[compared].kind == PTX_KIND_FLOAT ? unsigned_only : float_only))
    return ptx_fail(parser, "this comparison is not one of '%s.%s'", name,
                    ptx_type_infos[compared].word);
  if (compare && fields[PTX_CLASS_COMBINE] == PTX_M_COMBINE_POPC)
    return ptx_fail(parser, "modifier '.popc' does not fit '%s'", name);
  if (words->op == PTX_OP_BALLOT && fields[PTX_CLASS_VOTE] != PTX_M_VOTE_BALLOT)
    return ptx_fail(parser, "'vote' with .b32 needs .ballot");
  if (words->op == PTX_OP_VOTE && fields[PTX_CLASS_VOTE] == PTX_M_VOTE_BALLOT)
    return ptx_fail(parser, "'vote.ballot' needs .b32");
  const bool warp = words->op == PTX_OP_SHFL || words->op == PTX_OP_VOTE ||
                    words->op == PTX_OP_BALLOT || words->op == PTX_OP_MATCH ||
                    words->op == PTX_OP_REDUX || words->op == PTX_OP_ELECT;
  if (warp && fields[PTX_CLASS_ACTION] != PTX_M_ACTION_SYNC)
    return ptx_fail(parser, "'%s' needs .sync", name);
  if (words->op == PTX_OP_MATCH && fields[PTX_CLASS_VOTE] != PTX_M_VOTE_ALL &&
      fields[PTX_CLASS_VOTE] != PTX_M_VOTE_ANY)
    return ptx_fail(parser, "'match' needs .all or .any");
  return true;
}

bool ptx_emit(ptx_parser *parser, const ptx_words *words, uint32_t guard) {
  int first;
  uint32_t count;
  if (!check_words(parser, words) || !ptx_parse_operands(parser, &first, &count))
    return false;
  ptx_chain chain = {first == PTX_NO_OPERAND ? NULL : &parser->operands[first]};
  ptx_insn *insn = ptx_emit_insn(parser, words, guard);
  if (!insn)
    return false;
  const char *letters = ptx_op_infos[words->op].operands;
  bool done;
  if (*letters != '*')
    done = emit_operands(parser, words, letters, &chain);
  else if (ptx_op_infos[words->op].family == PTX_FAMILY_TEXTURE)
    done = ptx_emit_texture(parser, words, letters[1], insn, &chain);
  else if (strchr("bxck", letters[1]))
    done = ptx_emit_control(parser, words, letters[1], insn, &chain);
  else
    done = ptx_emit_memory(parser, words, letters[1], insn, &chain);
  return done && (!chain.next ||
                  ptx_fail(parser, "too many operands of '%s'", ptx_op_infos[words->op].mnemonic));
}
