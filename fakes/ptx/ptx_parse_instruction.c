/* Parses an instruction's modifiers and types, and finds the row of ptx_opcodes.def that fits. */
#include "ptx_parse.h"

#include <string.h>

const ptx_op_info ptx_op_infos[PTX_OP_COUNT] = {
#define PTX_OP(NAME, mnemonic, FAMILY, types, count, classes, required, operands)                  \
  {mnemonic, types, count, PTX_FAMILY_##FAMILY, classes, required, operands},
#include "ptx_opcodes.def"
#undef PTX_OP
};

typedef struct modifier {
  const char *word;
  uint8_t class;
  uint8_t value;
} modifier;

static const modifier modifiers[] = {
#define MODIFIER(CLASS, VALUE, word) {word, PTX_CLASS_##CLASS, PTX_M_##CLASS##_##VALUE},
    PTX_MODIFIERS(MODIFIER)
#undef MODIFIER
};

_Static_assert(PTX_MODIFIER_COUNT <= 256, "a modifier is one byte");
_Static_assert(PTX_CLASS_COUNT <= 64, "a set of classes is 64 bits");

enum { MODIFIER_WORDS = 16 };

/* The modifiers of an instruction, as in the text. */
typedef struct dots {
  ptx_token items[MODIFIER_WORDS];
  size_t count;
} dots;

static bool collect_dots(ptx_parser *parser, dots *ret) {
  while (parser->token.kind == PTX_TOKEN_DOT) {
    if (ret->count == MODIFIER_WORDS)
      return ptx_fail(parser, "more than %d modifiers", MODIFIER_WORDS);
    ret->items[ret->count++] = parser->token;
    ptx_next(parser);
  }
  return true;
}

static bool find_mnemonic(const ptx_token *mnemonic, uint32_t *ret) {
  for (uint32_t i = 0; i < PTX_OP_COUNT; i++)
    if (ptx_token_is(mnemonic, PTX_TOKEN_WORD, ptx_op_infos[i].mnemonic)) {
      *ret = i;
      return true;
    }
  return false;
}

/* Stores a modifier in the words. Returns false if the row does not accept it. */
static bool take_modifier(const ptx_op_info *info, const ptx_token *dot, ptx_words *words) {
  for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++) {
    const modifier *entry = &modifiers[i];
    /* cp.async.ca.shared.global is the only instruction with two state spaces. */
    const bool again = words->op == PTX_OP_CP && entry->value == PTX_M_SPACE_GLOBAL;
    if (!(info->classes >> entry->class & 1) || (words->fields[entry->class] && !again) ||
        !ptx_token_is(dot, PTX_TOKEN_DOT, entry->word))
      continue;
    words->fields[entry->class] = entry->value;
    return true;
  }
  return false;
}

static bool known_modifier(const ptx_token *dot) {
  for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
    if (ptx_token_is(dot, PTX_TOKEN_DOT, modifiers[i].word))
      return true;
  return false;
}

/* Fills in the words for a row. If it does not fit, *bad is the first bad modifier, or NULL. */
static bool fit(uint32_t row, const dots *all, ptx_words *words, const ptx_token **bad) {
  const ptx_op_info *info = &ptx_op_infos[row];
  *words = (ptx_words){.op = (ptx_op)row};
  *bad = NULL;
  for (size_t i = 0; i < all->count; i++) {
    ptx_type type;
    if (ptx_find_type(&all->items[i], &type) && words->type_count < 4)
      words->types[words->type_count++] = type;
    else if (!take_modifier(info, &all->items[i], words)) {
      *bad = &all->items[i];
      return false;
    }
  }
  if (words->type_count && info->types && !(info->types >> words->types[0] & 1))
    return false;
  return info->count < 0 || words->type_count == (uint32_t)info->count;
}

static bool check_required(ptx_parser *parser, const ptx_words *words) {
  const ptx_op_info *info = &ptx_op_infos[words->op];
  for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
    if ((info->required >> modifiers[i].class & 1) && !words->fields[modifiers[i].class])
      return ptx_fail(parser, "'%s' lacks a modifier such as '.%s'", info->mnemonic,
                      modifiers[i].word);
  return true;
}

static bool refuse_mnemonic(ptx_parser *parser, const ptx_token *mnemonic, const dots *all,
                            const ptx_token *bad) {
  char text[128] = {0};
  size_t used = mnemonic->length < 40 ? mnemonic->length : 40;
  memcpy(text, mnemonic->text, used);
  for (size_t i = 0; i < all->count; i++) {
    const size_t length = all->items[i].length;
    if (used + length + 2 > sizeof(text))
      break;
    text[used++] = '.';
    memcpy(text + used, all->items[i].text, length);
    used += length;
  }
  text[used] = '\0';
  if (bad && !known_modifier(bad))
    return ptx_fail(parser, "unknown modifier '.%.*s' in '%s'", PTX_SHOWN(*bad), text);
  if (bad)
    return ptx_fail(parser, "modifier '.%.*s' does not fit '%s'", PTX_SHOWN(*bad), text);
  return ptx_fail(parser, "unknown types in '%s'", text);
}

bool ptx_parse_instruction(ptx_parser *parser, const ptx_token *mnemonic, uint32_t guard) {
  parser->line = mnemonic->line;
  uint32_t row;
  if (!find_mnemonic(mnemonic, &row))
    return ptx_fail(parser, "unknown instruction '%.*s'", PTX_SHOWN(*mnemonic));
  dots all = {0};
  if (!collect_dots(parser, &all))
    return false;
  const char *name = ptx_op_infos[row].mnemonic;
  ptx_words words;
  const ptx_token *bad, *first_bad = NULL;
  bool found = false;
  for (; row < PTX_OP_COUNT && strcmp(ptx_op_infos[row].mnemonic, name) == 0; row++) {
    found = fit(row, &all, &words, &bad);
    if (found)
      break;
    if (bad && (!first_bad || bad > first_bad))
      first_bad = bad;
  }
  parser->line = mnemonic->line;
  if (!found)
    return refuse_mnemonic(parser, mnemonic, &all, first_bad);
  if (!check_required(parser, &words) || !ptx_emit(parser, &words, guard))
    return false;
  return ptx_need_mark(parser, ';');
}
