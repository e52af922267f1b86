/* Parses operands, and converts them to words of instructions. */
#include "ptx_parse.h"

#include "ptx_exec.h"

#include <stdio.h>
#include <string.h>

static ptx_operand *new_operand(ptx_parser *parser, int *index) {
  if (parser->operand_count == PTX_OPERAND_LIMIT) {
    ptx_fail(parser, "more than %d operands", PTX_OPERAND_LIMIT);
    return NULL;
  }
  *index = parser->operand_count++;
  ptx_operand *operand = &parser->operands[*index];
  *operand = (ptx_operand){.vector = 1,
                           .first = PTX_NO_OPERAND,
                           .last = PTX_NO_OPERAND,
                           .next = PTX_NO_OPERAND,
                           .second = PTX_NO_OPERAND};
  return operand;
}

uint32_t ptx_new_slots(ptx_parser *parser, uint32_t count) {
  const uint32_t slot = parser->function->slots;
  parser->function->slots += count;
  return slot;
}

static bool ranged_slot(ptx_parser *parser, const ptx_symbol *range, uint64_t index,
                        uint32_t *slot) {
  const size_t bucket = ((size_t)index * 31 + (size_t)range->bucket) % PTX_BUCKETS;
  for (const ptx_ranged *known = parser->ranged[bucket]; known; known = known->next)
    if (known->range == range && known->index == index) {
      *slot = known->slot;
      return true;
    }
  ptx_ranged *ranged = ptx_arena_take(parser->module->arena, sizeof(*ranged));
  if (!ranged)
    return ptx_fail_memory(parser);
  *slot = ptx_new_slots(parser, range->vector);
  *ranged = (ptx_ranged){parser->ranged[bucket], range, index, *slot};
  parser->ranged[bucket] = ranged;
  return true;
}

static bool find_ranged(ptx_parser *parser, const ptx_token *token, ptx_operand *ret) {
  uint64_t index = 0, scale = 1;
  for (size_t length = token->length; length > 1 && scale <= UINT32_MAX; length--, scale *= 10) {
    const char digit = token->text[length - 1];
    if (digit < '0' || digit > '9')
      return false;
    index += (uint64_t)(digit - '0') * scale;
    if (digit == '0' && length != token->length)
      continue; /* no index has a leading 0 */
    const ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, token->text, length - 1);
    if (symbol && symbol->kind == PTX_SYMBOL_RANGE && index < symbol->count) {
      ret->kind = PTX_OPERAND_SLOT;
      ret->type = symbol->type;
      ret->vector = symbol->vector;
      return ranged_slot(parser, symbol, index, &ret->slot);
    }
  }
  return false;
}

bool ptx_find_register(ptx_parser *parser, const ptx_token *token, ptx_operand *ret) {
  if (token->kind != PTX_TOKEN_WORD)
    return false;
  const ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, token->text, token->length);
  if (!symbol)
    return find_ranged(parser, token, ret);
  if (symbol->kind != PTX_SYMBOL_REGISTER)
    return false;
  ret->kind = PTX_OPERAND_SLOT;
  ret->type = symbol->type;
  ret->slot = symbol->slot;
  ret->vector = symbol->vector;
  return true;
}

/* Parses .x of a vector register, or its other name .r. */
static bool parse_component(ptx_parser *parser, ptx_operand *operand) {
  if (operand->vector == 1 || parser->token.kind != PTX_TOKEN_DOT)
    return true;
  static const char names[] = {'x', 'y', 'z', 'w', 'r', 'g', 'b', 'a'};
  const char *found =
      parser->token.length == 1 ? memchr(names, *parser->token.text, sizeof(names)) : NULL;
  const size_t index = found ? (size_t)(found - names) % 4 : 4;
  if (index >= operand->vector)
    return ptx_fail(parser, "a vector has no component '.%.*s'", PTX_SHOWN(parser->token));
  operand->slot += (uint32_t)index;
  operand->vector = 1;
  ptx_next(parser);
  return true;
}

static bool parse_special(ptx_parser *parser, const ptx_token *word, ptx_operand *operand) {
  static const char *const names[] = {
#define SPECIAL(NAME, word) word,
      PTX_SPECIALS(SPECIAL)
#undef SPECIAL
  };
  char name[64];
  const bool part = parser->token.kind == PTX_TOKEN_DOT;
  const int length = snprintf(name, sizeof(name), "%.*s%s%.*s", PTX_SHOWN(*word), part ? "." : "",
                              part && parser->token.length < 30 ? (int)parser->token.length : 0,
                              parser->token.text);
  const size_t envreg = sizeof("%envreg") - 1;
  unsigned number;
  operand->kind = PTX_OPERAND_SPECIAL;
  operand->number = PTX_SPECIAL_COUNT;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (strcmp(names[i], name) == 0)
      operand->number = i;
  if (strncmp(name, "%envreg", envreg) == 0 && (size_t)length > envreg &&
      ptx_lex_digits(name + envreg, (size_t)length - envreg, &number) == (size_t)length - envreg &&
      number < 32)
    operand->number = PTX_SPECIAL_ENVREG + number;
  if (operand->number == PTX_SPECIAL_COUNT)
    return ptx_fail(parser, "unknown register '%s'", name);
  if (part)
    ptx_next(parser);
  return true;
}

static bool parse_word(ptx_parser *parser, ptx_operand *operand) {
  const ptx_token word = parser->token;
  ptx_next(parser);
  if (ptx_token_is(&word, PTX_TOKEN_WORD, "_")) {
    operand->kind = PTX_OPERAND_SINK;
    return true;
  }
  if (ptx_token_is(&word, PTX_TOKEN_WORD, "WARP_SZ")) {
    operand->kind = PTX_OPERAND_NUMBER;
    operand->number = PTX_WARP;
    return true;
  }
  if (ptx_find_register(parser, &word, operand))
    return parse_component(parser, operand);
  if (parser->status != PTX_OK)
    return false;
  ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, word.text, word.length);
  if (symbol && symbol->kind != PTX_SYMBOL_RANGE) {
    operand->kind = PTX_OPERAND_SYMBOL;
    operand->symbol = symbol;
  } else if (*word.text == '%')
    return parse_special(parser, &word, operand);
  else
    operand->kind = PTX_OPERAND_UNKNOWN;
  operand->name = word.text;
  operand->length = word.length;
  return true;
}

static bool parse_literal(ptx_parser *parser, ptx_operand *operand) {
  const bool minus = ptx_take_mark(parser, '-');
  const bool inverted = !minus && ptx_take_mark(parser, '~');
  const ptx_token token = parser->token;
  operand->number = token.number;
  if (token.kind == PTX_TOKEN_NUMBER) {
    operand->kind = PTX_OPERAND_NUMBER;
    if (minus)
      operand->number = 0 - operand->number;
    if (inverted)
      operand->number = ~operand->number;
  } else if (token.kind == PTX_TOKEN_F32 && !inverted) {
    operand->kind = PTX_OPERAND_F32;
    operand->number ^= minus ? UINT64_C(1) << 31 : 0;
  } else if (token.kind == PTX_TOKEN_F64 && !inverted) {
    operand->kind = PTX_OPERAND_F64;
    operand->number ^= minus ? UINT64_C(1) << 63 : 0;
  } else if (token.kind == PTX_TOKEN_END)
    return ptx_fail(parser, "the text ends in an instruction");
  else
    return ptx_fail(parser, "an operand is expected, not '%.*s'", PTX_SHOWN(token));
  ptx_next(parser);
  return true;
}

/* Parses any number of +4, -4 or +-4 after a register or symbol. */
static bool parse_addend(ptx_parser *parser, ptx_operand *operand) {
  while (ptx_is_mark(parser, '+') || ptx_is_mark(parser, '-')) {
    bool minus = ptx_take_mark(parser, '-');
    if (!minus) {
      ptx_next(parser);
      minus = ptx_take_mark(parser, '-');
    }
    uint64_t number;
    if (!ptx_need_number(parser, UINT64_MAX, &number))
      return false;
    const int64_t addend = (int64_t)(minus ? 0 - number : number);
    if (__builtin_add_overflow(operand->addend, addend, &operand->addend))
      return ptx_fail(parser, "an offset beyond 64 bits");
  }
  return true;
}

static bool parse_operand(ptx_parser *parser, int *index, unsigned nesting);

static bool parse_children(ptx_parser *parser, int parent, char end, unsigned nesting) {
  if (ptx_take_mark(parser, end))
    return true;
  do {
    int child;
    if (!parse_operand(parser, &child, nesting + 1))
      return false;
    ptx_operand *operand = &parser->operands[parent];
    if (operand->first == PTX_NO_OPERAND)
      operand->first = child;
    else
      parser->operands[operand->last].next = child;
    operand->last = child;
    operand->count++;
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, end);
}

static bool parse_operand(ptx_parser *parser, int *index, unsigned nesting) {
  ptx_operand *operand = new_operand(parser, index);
  if (!operand)
    return false;
  if (nesting > 3)
    return ptx_fail(parser, "brackets too deep");
  operand->negated = ptx_take_mark(parser, '!');
  if (ptx_take_mark(parser, '{')) {
    operand->kind = PTX_OPERAND_VECTOR;
    return parse_children(parser, *index, '}', nesting);
  }
  if (ptx_take_mark(parser, '(')) {
    operand->kind = PTX_OPERAND_LIST;
    return parse_children(parser, *index, ')', nesting);
  }
  if (ptx_take_mark(parser, '[')) {
    operand->kind = PTX_OPERAND_ADDRESS;
    return parse_children(parser, *index, ']', nesting);
  }
  const bool word = parser->token.kind == PTX_TOKEN_WORD;
  if (!(word ? parse_word(parser, operand) : parse_literal(parser, operand)) ||
      !parse_addend(parser, operand))
    return false;
  if (ptx_take_mark(parser, '|')) {
    int second;
    if (!parse_operand(parser, &second, nesting + 1))
      return false;
    operand->second = second;
  }
  return true;
}

bool ptx_parse_operands(ptx_parser *parser, int *first, uint32_t *count) {
  parser->operand_count = 0;
  *first = PTX_NO_OPERAND;
  *count = 0;
  int last = PTX_NO_OPERAND;
  if (ptx_is_mark(parser, ';'))
    return true;
  do {
    int index;
    if (!parse_operand(parser, &index, 0))
      return false;
    if (last == PTX_NO_OPERAND)
      *first = index;
    else
      parser->operands[last].next = index;
    last = index;
    ++*count;
  } while (ptx_take_mark(parser, ','));
  /* Does not skip the semicolon yet, so that messages have the instruction's line. */
  return ptx_is_mark(parser, ';') || ptx_need_mark(parser, ';');
}

bool ptx_constant(ptx_parser *parser, uint64_t value, uint32_t *word) {
  ptx_module *module = parser->module;
  const size_t hash = (size_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
  const uint32_t recent = parser->recent[hash];
  if (recent && module->constants[recent - 1] == value) {
    *word = (recent - 1) | PTX_CONSTANT;
    return true;
  }
  if (module->constant_count >= PTX_SLOT_MASK ||
      !PTX_GROW(module->constants, module->constant_count, module->constant_room))
    return ptx_fail_memory(parser);
  *word = (uint32_t)module->constant_count | PTX_CONSTANT;
  module->constants[module->constant_count++] = value;
  parser->recent[hash] = (uint32_t)module->constant_count;
  return true;
}

bool ptx_refer(ptx_parser *parser, ptx_global *global) {
  ptx_function *function = parser->function;
  if (!global->function && global->space != PTX_SPACE_SHARED)
    return true;
  if (!PTX_GROW(function->references, function->reference_count, function->reference_room))
    return ptx_fail_memory(parser);
  function->references[function->reference_count++] = global;
  return true;
}

bool ptx_symbol_constant(ptx_parser *parser, ptx_global *global, int64_t addend, uint32_t *word) {
  ptx_module *module = parser->module;
  if (!PTX_GROW(module->constants, module->constant_count, module->constant_room) ||
      !PTX_GROW(module->relocs, module->reloc_count, module->reloc_room))
    return ptx_fail_memory(parser);
  *word = (uint32_t)module->constant_count | PTX_CONSTANT;
  module->relocs[module->reloc_count++] =
      (ptx_reloc){(uint32_t)module->constant_count, global, addend};
  module->constants[module->constant_count++] = 0;
  if (global->function)
    global->address_taken = true;
  return ptx_refer(parser, global);
}

/* Returns whether a register's type fits an operand's: not a float for an integer or vice versa. */
static bool compatible(ptx_type have, ptx_type want, bool wider) {
  const ptx_type_info *a = &ptx_type_infos[have], *b = &ptx_type_infos[want];
  if ((a->kind == PTX_KIND_PRED) != (b->kind == PTX_KIND_PRED))
    return false;
  if (a->bits != b->bits && !(wider && a->bits > b->bits))
    return false;
  const bool integers = a->kind == PTX_KIND_SIGNED || a->kind == PTX_KIND_UNSIGNED;
  const bool wants_integer = b->kind == PTX_KIND_SIGNED || b->kind == PTX_KIND_UNSIGNED;
  return !(integers && b->kind == PTX_KIND_FLOAT) && !(wants_integer && a->kind == PTX_KIND_FLOAT);
}

static bool mismatch(ptx_parser *parser, ptx_type have, ptx_type want) {
  return ptx_fail(parser, "an operand of type .%s where .%s is wanted", ptx_type_infos[have].word,
                  ptx_type_infos[want].word);
}

static uint64_t cut(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static bool number_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type,
                          uint32_t *word) {
  const ptx_type_info *info = &ptx_type_infos[type];
  if (type == PTX_PRED)
    return ptx_constant(parser, (operand->number != 0) != operand->negated, word);
  if (type == PTX_F32 || type == PTX_F64) {
    const double value = (double)(int64_t)operand->number;
    const float narrow = (float)value;
    uint64_t bits = 0;
    memcpy(&bits, type == PTX_F32 ? (const void *)&narrow : (const void *)&value, info->bits / 8u);
    return ptx_constant(parser, bits, word);
  }
  return ptx_constant(parser, cut(operand->number, info->bits), word);
}

static bool literal_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type,
                           uint32_t *word) {
  const bool narrow = operand->kind == PTX_OPERAND_F32;
  const ptx_type_info *info = &ptx_type_infos[type];
  if (info->kind != PTX_KIND_FLOAT && info->kind != PTX_KIND_BIT)
    return ptx_fail(parser, "a floating-point literal where .%s is wanted", info->word);
  uint64_t bits = operand->number;
  if (narrow && info->bits == 64) {
    float value;
    const uint32_t low = (uint32_t)bits;
    memcpy(&value, &low, sizeof(value));
    const double wide = (double)value;
    memcpy(&bits, &wide, sizeof(bits));
  } else if (!narrow && info->bits == 32) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    const float less = (float)value;
    bits = 0;
    memcpy(&bits, &less, sizeof(less));
  } else if (info->bits != (narrow ? 32 : 64))
    return ptx_fail(parser, "a floating-point literal where .%s is wanted", info->word);
  return ptx_constant(parser, bits, word);
}

static bool other_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type,
                         uint32_t *word) {
  switch (operand->kind) {
  case PTX_OPERAND_NUMBER:
    return number_source(parser, operand, type, word);
  case PTX_OPERAND_F32:
  case PTX_OPERAND_F64:
    return literal_source(parser, operand, type, word);
  case PTX_OPERAND_SYMBOL:
    if (operand->symbol->kind == PTX_SYMBOL_GLOBAL && ptx_type_infos[type].bits >= 32)
      return ptx_symbol_constant(parser, operand->symbol->global, operand->addend, word);
    return ptx_fail(parser, "'%s' is no operand of this instruction", operand->symbol->name);
  case PTX_OPERAND_SPECIAL:
    return ptx_fail(parser, "a special register is read by mov only");
  case PTX_OPERAND_UNKNOWN:
    return ptx_fail(parser, "unknown symbol '%.*s'", PTX_UNKNOWN_NAME(operand));
  default:
    return ptx_fail(parser, "a register or value is wanted as an operand of type .%s",
                    ptx_type_infos[type].word);
  }
}

static bool register_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type,
                            bool wider, uint32_t *word) {
  if (operand->vector != 1 || operand->addend)
    return ptx_fail(parser, "a single register is wanted");
  if (!compatible(operand->type, type, wider))
    return mismatch(parser, operand->type, type);
  *word = operand->slot | (operand->negated ? PTX_NEGATED : 0);
  return true;
}

static bool check_mark(ptx_parser *parser, const ptx_operand *operand, ptx_type type) {
  if (operand->negated && type != PTX_PRED)
    return ptx_fail(parser, "'!' before what is no predicate");
  return operand->second == PTX_NO_OPERAND || ptx_fail(parser, "'|' where one operand is wanted");
}

bool ptx_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word) {
  if (!check_mark(parser, operand, type))
    return false;
  if (operand->kind == PTX_OPERAND_SLOT)
    return register_source(parser, operand, type, false, word);
  return other_source(parser, operand, type, word);
}

bool ptx_source_wide(ptx_parser *parser, const ptx_operand *operand, ptx_type type,
                     uint32_t *word) {
  if (!check_mark(parser, operand, type))
    return false;
  if (operand->kind == PTX_OPERAND_SLOT)
    return register_source(parser, operand, type, true, word);
  return other_source(parser, operand, type, word);
}

bool ptx_target_wide(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word,
                     unsigned *bits) {
  *bits = ptx_type_infos[type].bits;
  if (operand->kind == PTX_OPERAND_SINK) {
    *word = PTX_SLOT_SINK;
    return true;
  }
  if (operand->kind != PTX_OPERAND_SLOT || operand->negated || operand->addend ||
      operand->vector != 1)
    return ptx_fail(parser, "a register of type .%s is wanted as the destination",
                    ptx_type_infos[type].word);
  if (!compatible(operand->type, type, true))
    return mismatch(parser, operand->type, type);
  *bits = ptx_type_infos[operand->type].bits;
  *word = operand->slot;
  return true;
}

bool ptx_target(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word) {
  unsigned bits;
  if (!ptx_target_wide(parser, operand, type, word, &bits))
    return false;
  return bits == ptx_type_infos[type].bits || mismatch(parser, operand->type, type);
}

static bool symbol_address(ptx_parser *parser, const ptx_operand *operand, ptx_space *space,
                           uint32_t *base, int64_t *offset) {
  const ptx_symbol *symbol = operand->symbol;
  ptx_space own = symbol->space;
  if (symbol->kind == PTX_SYMBOL_GLOBAL) {
    own = symbol->global->space;
    *offset = 0;
    if (symbol->global->function ||
        !ptx_symbol_constant(parser, symbol->global, operand->addend, base))
      return symbol->global->function ? ptx_fail(parser, "'%s' is a function", symbol->name)
                                      : false;
  } else if (symbol->kind == PTX_SYMBOL_FRAME) {
    *base = PTX_SLOT_FRAME;
    *offset = operand->addend + symbol->offset;
  } else if (symbol->kind == PTX_SYMBOL_PARAMETER) {
    *offset = 0;
    if (!ptx_constant(parser, PTX_WINDOW_PARAM + symbol->offset + (uint64_t)operand->addend, base))
      return false;
  } else
    return ptx_fail(parser, "'%s' is no address", symbol->name);
  if (*space != PTX_SPACE_GENERIC && *space != own)
    return ptx_fail(parser, "'%s' is in another state space than the instruction's", symbol->name);
  *space = symbol->kind == PTX_SYMBOL_FRAME ? PTX_SPACE_LOCAL : own;
  return true;
}

bool ptx_address(ptx_parser *parser, const ptx_operand *operand, ptx_space *space, uint32_t *base,
                 int64_t *offset) {
  if (operand->kind != PTX_OPERAND_ADDRESS || operand->count < 1)
    return ptx_fail(parser, "an address in brackets is wanted");
  const ptx_operand *child = &parser->operands[operand->first];
  *offset = child->addend;
  switch (child->kind) {
  case PTX_OPERAND_SLOT:
    /* ptxas accepts this, but the GPU then uses the address as one in local memory. */
    if (*space == PTX_SPACE_PARAM && !parser->function->is_entry)
      return ptx_fail(parser, "a register is no address of a function's .param");
    if ((child->type != PTX_B64 && child->type != PTX_U64 && child->type != PTX_S64 &&
         child->type != PTX_B32 && child->type != PTX_U32 && child->type != PTX_S32) ||
        child->vector != 1)
      return ptx_fail(parser, "a register of type .%s is no address",
                      ptx_type_infos[child->type].word);
    *base = child->slot;
    break;
  case PTX_OPERAND_NUMBER:
    if (!ptx_constant(parser, child->number, base))
      return false;
    break;
  case PTX_OPERAND_SYMBOL:
    if (!symbol_address(parser, child, space, base, offset))
      return false;
    break;
  case PTX_OPERAND_UNKNOWN:
    return ptx_fail(parser, "unknown symbol '%.*s'", PTX_UNKNOWN_NAME(child));
  default:
    return ptx_fail(parser, "what is in brackets is no address");
  }
  if (*offset > INT32_MAX || *offset < INT32_MIN)
    return ptx_fail(parser, "the offset of an address is beyond 32 bits");
  return true;
}
