#include "ptx_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The architectures that .target may name. */
static const unsigned char targets[] = {10, 11, 12, 13,  20,  21,  30,  32,  35, 37, 50,
                                        52, 53, 60, 61,  62,  70,  72,  75,  80, 86, 87,
                                        88, 89, 90, 100, 101, 103, 110, 120, 121};

enum { NEWEST_VERSION = 90 };

const ptx_type_info ptx_type_infos[PTX_TYPE_COUNT] = {
#define TYPE(NAME, word, bits, kind) {word, bits, PTX_KIND_##kind},
    PTX_TYPES(TYPE)
#undef TYPE
};

const char *ptx_status_text(ptx_status status) {
  switch (status) {
#define TEXT(NAME, text)                                                                           \
  case PTX_##NAME:                                                                                 \
    return text;
    PTX_STATUSES(TEXT)
#undef TEXT
  }
  return "an unknown status";
}

bool ptx_fail(ptx_parser *parser, const char *format, ...) {
  char sentence[400];
  va_list list;
  va_start(list, format);
  vsnprintf(sentence, sizeof(sentence), format, list);
  va_end(list);
  ptx_say(parser->log, "line %u: %s", (unsigned)parser->line, sentence);
  parser->status = PTX_INVALID_PTX;
  return false;
}

bool ptx_fail_memory(ptx_parser *parser) {
  ptx_say(parser->log, "line %u: no memory for what the text declares", (unsigned)parser->line);
  parser->status = PTX_OUT_OF_MEMORY;
  return false;
}

void ptx_next(ptx_parser *parser) {
  parser->token = ptx_lex(&parser->lexer);
  parser->line = parser->token.line;
}

bool ptx_is_mark(const ptx_parser *parser, char mark) {
  return parser->token.kind == PTX_TOKEN_MARK && parser->token.mark == mark;
}

bool ptx_is_dot(const ptx_parser *parser, const char *word) {
  return ptx_token_is(&parser->token, PTX_TOKEN_DOT, word);
}

bool ptx_take_mark(ptx_parser *parser, char mark) {
  if (!ptx_is_mark(parser, mark))
    return false;
  ptx_next(parser);
  return true;
}

bool ptx_take_dot(ptx_parser *parser, const char *word) {
  if (!ptx_is_dot(parser, word))
    return false;
  ptx_next(parser);
  return true;
}

bool ptx_need_mark(ptx_parser *parser, char mark) {
  if (ptx_take_mark(parser, mark))
    return true;
  if (parser->token.kind == PTX_TOKEN_END)
    return ptx_fail(parser, "the text ends where '%c' is expected", mark);
  return ptx_fail(parser, "'%c' is expected, not '%.*s'", mark, PTX_SHOWN(parser->token));
}

bool ptx_need_number(ptx_parser *parser, uint64_t max, uint64_t *ret) {
  if (parser->token.kind != PTX_TOKEN_NUMBER)
    return ptx_fail(parser, "a number is expected, not '%.*s'", PTX_SHOWN(parser->token));
  if (parser->token.number > max)
    return ptx_fail(parser, "%llu is too large, the most here is %llu",
                    (unsigned long long)parser->token.number, (unsigned long long)max);
  *ret = parser->token.number;
  ptx_next(parser);
  return true;
}

bool ptx_find_type(const ptx_token *token, ptx_type *ret) {
  for (int i = 0; i < PTX_TYPE_COUNT; i++)
    if (ptx_token_is(token, PTX_TOKEN_DOT, ptx_type_infos[i].word)) {
      *ret = (ptx_type)i;
      return true;
    }
  return false;
}

bool ptx_take_type(ptx_parser *parser, ptx_type *ret) {
  if (!ptx_find_type(&parser->token, ret))
    return false;
  ptx_next(parser);
  return true;
}

char *ptx_name(ptx_parser *parser, const char *text, size_t length) {
  char *name = ptx_arena_text(parser->module->arena, text, length);
  if (!name)
    ptx_fail_memory(parser);
  return name;
}

static bool parse_version(ptx_parser *parser) {
  /* The token is a fraction, because the lexer reads 7.0 as one. */
  const ptx_token token = parser->token;
  unsigned major, minor;
  const size_t digits = ptx_lex_digits(token.text, token.length, &major);
  if (digits < 1 || digits + 2 != token.length || token.text[digits] != '.' ||
      ptx_lex_digits(token.text + digits + 1, 1, &minor) != 1)
    return ptx_fail(parser, ".version wants two numbers such as 7.0, not '%.*s'", PTX_SHOWN(token));
  parser->module->version = 10 * major + minor;
  const unsigned most = parser->limits.version ? parser->limits.version : NEWEST_VERSION;
  if (parser->module->version > most) {
    ptx_fail(parser, "PTX .version %u.%u is not supported, the newest is %u.%u", major, minor,
             most / 10, most % 10);
    parser->status = PTX_UNSUPPORTED_VERSION;
    return false;
  }
  ptx_next(parser);
  return true;
}

static bool known_target(unsigned number) {
  for (size_t i = 0; i < sizeof targets; i++) {
    if (targets[i] == number)
      return true;
  }
  return false;
}

static bool parse_architecture(ptx_parser *parser) {
  const ptx_token token = parser->token;
  unsigned number = 0;
  const bool named = token.length > 3 && memcmp(token.text, "sm_", 3) == 0;
  const size_t end =
      named ? 3 + ptx_lex_digits(token.text + 3, token.length - 3, &number) : token.length;
  const bool suffix = end + 1 == token.length && (token.text[end] == 'a' || token.text[end] == 'f');
  if (!named || !known_target(number) || (end != token.length && !suffix))
    return ptx_fail(parser, "unknown .target '%.*s'", PTX_SHOWN(token));
  parser->module->target = number;
  const unsigned most = parser->limits.target;
  if (most && (number > most || (suffix && number != most))) {
    ptx_fail(parser, ".target %.*s is not one that a device of sm_%u runs", PTX_SHOWN(token), most);
    parser->status = PTX_UNSUPPORTED_TARGET;
    return false;
  }
  ptx_next(parser);
  return true;
}

static bool parse_target(ptx_parser *parser) {
  if (!parse_architecture(parser))
    return false;
  while (ptx_take_mark(parser, ',')) {
    const ptx_token token = parser->token;
    parser->module->texmode_independent |=
        ptx_token_is(&token, PTX_TOKEN_WORD, "texmode_independent");
    if (!ptx_token_is(&token, PTX_TOKEN_WORD, "texmode_independent") &&
        !ptx_token_is(&token, PTX_TOKEN_WORD, "texmode_unified") &&
        !ptx_token_is(&token, PTX_TOKEN_WORD, "debug"))
      return ptx_fail(parser, "unknown option '%.*s' of .target", PTX_SHOWN(token));
    ptx_next(parser);
  }
  return true;
}

/* Parses .version, .target and .address_size at the start of a text. */
static bool parse_head(ptx_parser *parser) {
  if (parser->token.kind == PTX_TOKEN_END)
    return ptx_fail(parser, "the text is empty");
  if (!ptx_take_dot(parser, "version"))
    return ptx_fail(parser, "the text does not begin with .version");
  if (!parse_version(parser))
    return false;
  if (!ptx_take_dot(parser, "target"))
    return ptx_fail(parser, ".target is missing after .version");
  if (!parse_target(parser))
    return false;
  uint64_t bits = 0;
  if (!ptx_take_dot(parser, "address_size"))
    return ptx_fail(parser, ".address_size is missing after .target: only 64 is supported");
  if (parser->token.kind == PTX_TOKEN_NUMBER && parser->token.number != 64)
    return ptx_fail(parser, ".address_size %llu is not supported, 64 is",
                    (unsigned long long)parser->token.number);
  return ptx_need_number(parser, 64, &bits);
}

/* Skips debug information up to the closing brace. */
static bool skip_section(ptx_parser *parser) {
  while (!ptx_is_mark(parser, '{') && parser->token.kind != PTX_TOKEN_END)
    ptx_next(parser);
  while (!ptx_is_mark(parser, '}') && parser->token.kind != PTX_TOKEN_END)
    ptx_next(parser);
  return ptx_need_mark(parser, '}');
}

/* Skips .file 1 "name" and its optional numbers. */
static bool skip_file(ptx_parser *parser) {
  uint64_t number;
  if (!ptx_need_number(parser, UINT32_MAX, &number))
    return false;
  if (parser->token.kind != PTX_TOKEN_STRING)
    return ptx_fail(parser, ".file wants a name, not '%.*s'", PTX_SHOWN(parser->token));
  ptx_next(parser);
  while (ptx_take_mark(parser, ','))
    if (!ptx_need_number(parser, UINT64_MAX, &number))
      return false;
  return true;
}

static bool skip_pragma(ptx_parser *parser) {
  do {
    if (parser->token.kind != PTX_TOKEN_STRING)
      return ptx_fail(parser, ".pragma wants a string, not '%.*s'", PTX_SHOWN(parser->token));
    ptx_next(parser);
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ';');
}

static ptx_linkage parse_linkage(ptx_parser *parser) {
  if (ptx_take_dot(parser, "extern"))
    return PTX_LINKAGE_EXTERN;
  if (ptx_take_dot(parser, "visible"))
    return PTX_LINKAGE_VISIBLE;
  if (ptx_take_dot(parser, "weak"))
    return PTX_LINKAGE_WEAK;
  return ptx_take_dot(parser, "common") ? PTX_LINKAGE_COMMON : PTX_LINKAGE_LOCAL;
}

static bool parse_alias(ptx_parser *parser) {
  return ptx_fail(parser, "unsupported directive '.alias'");
}

static bool parse_directive(ptx_parser *parser) {
  if (ptx_take_dot(parser, "section"))
    return skip_section(parser);
  if (ptx_take_dot(parser, "file"))
    return skip_file(parser);
  if (ptx_take_dot(parser, "pragma"))
    return skip_pragma(parser);
  if (ptx_is_dot(parser, "alias"))
    return parse_alias(parser);
  const ptx_linkage linkage = parse_linkage(parser);
  if (ptx_take_dot(parser, "entry"))
    return ptx_parse_function(parser, linkage, true);
  if (ptx_take_dot(parser, "func"))
    return ptx_parse_function(parser, linkage, false);
  if (ptx_take_dot(parser, "global") || ptx_is_dot(parser, "texref") ||
      ptx_is_dot(parser, "samplerref") || ptx_is_dot(parser, "surfref"))
    return ptx_parse_variable(parser, linkage, PTX_SPACE_GLOBAL);
  if (ptx_take_dot(parser, "const"))
    return ptx_parse_variable(parser, linkage, PTX_SPACE_CONST);
  if (ptx_take_dot(parser, "shared"))
    return ptx_parse_variable(parser, linkage, PTX_SPACE_SHARED);
  if (parser->token.kind == PTX_TOKEN_DOT)
    return ptx_fail(parser, "unknown directive '.%.*s'", PTX_SHOWN(parser->token));
  return ptx_fail(parser, "a directive is expected, not '%.*s'", PTX_SHOWN(parser->token));
}

static bool parse_text(ptx_parser *parser) {
  ptx_next(parser);
  if (!parse_head(parser))
    return false;
  while (parser->token.kind != PTX_TOKEN_END)
    if (!ptx_take_mark(parser, ';') && !parse_directive(parser))
      return false;
  return true;
}

void ptx_module_free(ptx_module *module) {
  if (!module)
    return;
  for (size_t i = 0; i < module->global_count; i++)
    free(module->globals[i]->fixups);
  for (size_t i = 0; i < module->function_count; i++) {
    free(module->functions[i]->parameters.items);
    free(module->functions[i]->results.items);
    free(module->functions[i]->references);
  }
  for (size_t i = 0; i < module->table_count; i++)
    free(module->tables[i].targets);
  free(module->code);
  free(module->operands);
  free(module->constants);
  free(module->relocs);
  free(module->globals);
  free(module->functions);
  free(module->calls);
  free(module->tables);
  ptx_arena_free(module->arena);
  free(module);
}

ptx_status ptx_parse(const char *text, size_t size, const ptx_limits *limits, ptx_module **ret,
                     ptx_log *log) {
  ptx_say(log, "%s", "");
  ptx_parser *parser = calloc(1, sizeof(*parser));
  ptx_module *module = calloc(1, sizeof(*module));
  if (module)
    module->arena = ptx_arena_create();
  if (!parser || !module || !module->arena) {
    free(parser);
    ptx_module_free(module);
    return PTX_OUT_OF_MEMORY;
  }
  const char *zero = memchr(text, '\0', size);
  parser->lexer = (ptx_lexer){text, zero ? zero : text + size, 1};
  parser->log = log;
  parser->module = module;
  parser->symbols.arena = module->arena;
  if (limits)
    parser->limits = *limits;
  const bool done = parse_text(parser);
  const ptx_status status = done ? PTX_OK : parser->status;
  free(parser->symbols.known);
  free(parser->pending);
  free(parser);
  if (done)
    *ret = module;
  else
    ptx_module_free(module);
  return status;
}
