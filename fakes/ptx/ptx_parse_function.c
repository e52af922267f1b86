/* Parses functions: heads, directives, scopes, labels, and statements. */
#include "ptx_parse.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAL_LIMIT = 4096 };

static bool open_scope(ptx_parser *parser) {
  if (!ptx_symbols_open(&parser->symbols))
    return ptx_fail(parser, "more than %d nested blocks", PTX_SCOPE_LIMIT - 2);
  parser->pending_begins[parser->symbols.depth] = parser->pending_count;
  return true;
}

static void reach(ptx_parser *parser, const ptx_pending *pending, uint32_t target) {
  ptx_module *module = parser->module;
  if (pending->in_table)
    module->tables[pending->table].targets[pending->element] = target;
  else
    module->code[pending->insn].target = target;
}

/* Closes a scope. Resolves branches to its labels, and leaves the others to the outer scope. */
static void close_scope(ptx_parser *parser) {
  const uint32_t depth = parser->symbols.depth;
  size_t left = parser->pending_begins[depth];
  for (size_t i = left; i < parser->pending_count; i++) {
    const ptx_pending pending = parser->pending[i];
    const ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, pending.name, pending.length);
    if (symbol && symbol->kind == PTX_SYMBOL_LABEL && symbol->depth == depth)
      reach(parser, &pending, symbol->index);
    else
      parser->pending[left++] = pending;
  }
  parser->pending_count = left;
  ptx_symbols_close(&parser->symbols);
}

/* Skips .ptr .global .align 4, which has no effect here. */
static bool skip_pointer(ptx_parser *parser) {
  if (!ptx_take_dot(parser, "ptr"))
    return true;
  const char *spaces[] = {"global", "shared", "local", "const", "param"};
  for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
    if (ptx_take_dot(parser, spaces[i]))
      break;
  uint64_t align;
  return !ptx_take_dot(parser, "align") || ptx_need_number(parser, 1 << 16, &align);
}

/* Parses a formal parameter. For a .reg, slot is 1 and offset its type until it is bound. */
static bool parse_formal(ptx_parser *parser, ptx_formals *formals) {
  const bool memory = ptx_take_dot(parser, "param");
  if (!memory && !ptx_take_dot(parser, "reg"))
    return ptx_fail(parser, ".param or .reg is expected, not '%.*s'", PTX_SHOWN(parser->token));
  ptx_declared declared;
  if (!ptx_parse_declared(parser, &declared) || !skip_pointer(parser))
    return false;
  const ptx_token name = parser->token;
  if (name.kind != PTX_TOKEN_WORD)
    return ptx_fail(parser, "a parameter's name is expected, not '%.*s'", PTX_SHOWN(name));
  ptx_next(parser);
  uint64_t count;
  bool unsized;
  if (!ptx_parse_extents(parser, &count, &unsized))
    return false;
  const uint64_t size = count * (ptx_type_infos[declared.type].bits / 8u) * declared.vector;
  if (unsized || size > PTX_PARAMETER_LIMIT || formals->count >= FORMAL_LIMIT)
    return ptx_fail(parser, "the parameter '%.*s' is too large, or has no size", PTX_SHOWN(name));
  char *copy = ptx_name(parser, name.text, name.length);
  if (!copy)
    return false;
  if (!PTX_GROW(formals->items, formals->count, formals->room))
    return ptx_fail_memory(parser);
  formals->items[formals->count++] = (ptx_formal){.name = copy,
                                                  .size = (uint32_t)size,
                                                  .align = declared.align,
                                                  .slot = memory ? 0 : 1,
                                                  .offset = memory ? 0 : (uint32_t)declared.type};
  return true;
}

static bool parse_formals(ptx_parser *parser, ptx_formals *formals) {
  if (!ptx_take_mark(parser, '(') || ptx_take_mark(parser, ')'))
    return true;
  do {
    if (!parse_formal(parser, formals))
      return false;
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ')');
}

static bool bind_formal(ptx_parser *parser, ptx_formal *formal) {
  ptx_function *function = parser->function;
  const size_t length = strlen(formal->name);
  const bool blank = strcmp(formal->name, "_") == 0;
  if (!blank && ptx_symbols_find(&parser->symbols, formal->name, length) &&
      ptx_symbols_find(&parser->symbols, formal->name, length)->depth == parser->symbols.depth)
    return ptx_fail(parser, "'%s' is declared twice", formal->name);
  const ptx_symbol_kind kind = formal->slot         ? PTX_SYMBOL_REGISTER
                               : function->is_entry ? PTX_SYMBOL_PARAMETER
                                                    : PTX_SYMBOL_FRAME;
  ptx_symbol *symbol = ptx_symbols_add(&parser->symbols, formal->name, length, kind);
  if (!symbol)
    return ptx_fail_memory(parser);
  symbol->size = formal->size;
  symbol->space = PTX_SPACE_PARAM;
  if (formal->slot) {
    symbol->type = (ptx_type)formal->offset;
    formal->slot = symbol->slot = ptx_new_slots(parser, 1);
    return function->is_entry
               ? ptx_fail(parser, "an entry's parameter '%s' is a .reg", formal->name)
               : true;
  }
  uint32_t *end = function->is_entry ? &function->entry.parameter_bytes : &function->frame_bytes;
  const uint64_t offset = (*end + (uint64_t)formal->align - 1) & ~((uint64_t)formal->align - 1);
  if (offset + formal->size > PTX_PARAMETER_LIMIT * 2u)
    return ptx_fail(parser, "the parameters of '%s' are too large", function->entry.name);
  symbol->offset = formal->offset = (uint32_t)offset;
  *end = (uint32_t)offset + formal->size;
  if (!function->is_entry && formal->align > function->frame_align)
    function->frame_align = formal->align;
  return true;
}

static bool bind_formals(ptx_parser *parser) {
  ptx_function *function = parser->function;
  for (size_t i = 0; i < function->results.count; i++)
    if (!bind_formal(parser, &function->results.items[i]))
      return false;
  for (size_t i = 0; i < function->parameters.count; i++)
    if (!bind_formal(parser, &function->parameters.items[i]))
      return false;
  if (function->is_entry && function->entry.parameter_bytes > PTX_PARAMETER_LIMIT)
    return ptx_fail(parser, "the entry '%s' has %u bytes of parameters, more than %d",
                    function->entry.name, function->entry.parameter_bytes, PTX_PARAMETER_LIMIT);
  return true;
}

static bool parse_dimensions(ptx_parser *parser, uint32_t ret[3]) {
  for (int i = 0; i < 3; i++)
    ret[i] = 1;
  int count = 0;
  do {
    uint64_t number;
    if (count == 3)
      return ptx_fail(parser, "more than three dimensions");
    if (!ptx_need_number(parser, UINT32_MAX, &number))
      return false;
    ret[count++] = (uint32_t)number;
  } while (ptx_take_mark(parser, ','));
  return true;
}

static bool parse_count(ptx_parser *parser, uint32_t *ret) {
  uint64_t number;
  if (!ptx_need_number(parser, UINT32_MAX, &number))
    return false;
  *ret = (uint32_t)number;
  return true;
}

/* Parses the words between a function's parameters and its body. */
static bool parse_attributes(ptx_parser *parser) {
  ptx_entry *entry = &parser->function->entry;
  uint32_t ignored;
  while (parser->token.kind == PTX_TOKEN_DOT) {
    bool done;
    if (ptx_take_dot(parser, "reqntid"))
      done = parse_dimensions(parser, entry->reqntid);
    else if (ptx_take_dot(parser, "maxntid"))
      done = parse_dimensions(parser, entry->maxntid);
    else if (ptx_take_dot(parser, "reqnctapercluster"))
      done = parse_dimensions(parser, entry->cluster);
    else if (ptx_take_dot(parser, "minnctapersm"))
      done = parse_count(parser, &entry->minnctapersm);
    else if (ptx_take_dot(parser, "maxnreg"))
      done = parse_count(parser, &entry->maxnreg);
    else if (ptx_take_dot(parser, "maxnctapersm") || ptx_take_dot(parser, "maxclusterrank"))
      done = parse_count(parser, &ignored);
    else if (ptx_take_dot(parser, "noreturn") || ptx_take_dot(parser, "explicitcluster") ||
             ptx_take_dot(parser, "blocksareclusters"))
      done = true;
    else if (ptx_take_dot(parser, "pragma")) {
      done = parser->token.kind == PTX_TOKEN_STRING;
      if (done)
        ptx_next(parser);
      done = done ? ptx_need_mark(parser, ';') : ptx_fail(parser, ".pragma wants a string");
    } else
      done = ptx_fail(parser, "unknown directive '.%.*s' of a function", PTX_SHOWN(parser->token));
    if (!done)
      return false;
  }
  return true;
}

static void skip_line_info(ptx_parser *parser) {
  const uint32_t line = parser->token.line;
  while (parser->token.line == line && parser->token.kind != PTX_TOKEN_END)
    ptx_next(parser);
}

static bool parse_table(ptx_parser *parser, const ptx_token *name) {
  ptx_module *module = parser->module;
  if (!PTX_GROW(module->tables, module->table_count, module->table_room))
    return ptx_fail_memory(parser);
  const uint32_t index = (uint32_t)module->table_count++;
  ptx_table *table = &module->tables[index];
  *table = (ptx_table){0};
  ptx_symbol *symbol =
      ptx_symbols_add(&parser->symbols, name->text, name->length, PTX_SYMBOL_TABLE);
  if (!symbol)
    return ptx_fail_memory(parser);
  symbol->index = index;
  do {
    const ptx_token label = parser->token;
    if (label.kind != PTX_TOKEN_WORD)
      return ptx_fail(parser, "a label is expected, not '%.*s'", PTX_SHOWN(label));
    if (!PTX_GROW(table->targets, table->count, table->room) ||
        !PTX_GROW(parser->pending, parser->pending_count, parser->pending_room))
      return ptx_fail_memory(parser);
    parser->pending[parser->pending_count++] = (ptx_pending){.name = label.text,
                                                             .length = label.length,
                                                             .line = label.line,
                                                             .in_table = true,
                                                             .table = index,
                                                             .element = (uint32_t)table->count};
    table->targets[table->count++] = 0;
    ptx_next(parser);
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ';');
}

static bool parse_prototype(ptx_parser *parser, const ptx_token *name, bool targets) {
  if (!ptx_symbols_add(&parser->symbols, name->text, name->length, PTX_SYMBOL_PROTOTYPE))
    return ptx_fail_memory(parser);
  bool done = true;
  if (targets) {
    while (parser->token.kind == PTX_TOKEN_WORD || ptx_is_mark(parser, ','))
      ptx_next(parser);
  } else {
    ptx_formals formals = {0};
    done = parse_formals(parser, &formals);
    if (done && ptx_token_is(&parser->token, PTX_TOKEN_WORD, "_"))
      ptx_next(parser);
    done = done && parse_formals(parser, &formals);
    free(formals.items);
    if (done)
      ptx_take_dot(parser, "noreturn");
  }
  return done && ptx_need_mark(parser, ';');
}

static bool parse_label(ptx_parser *parser, const ptx_token *name) {
  const ptx_symbol *known = ptx_symbols_find(&parser->symbols, name->text, name->length);
  if (known && known->depth == parser->symbols.depth)
    return ptx_fail(parser, "the label '%.*s' is defined twice", PTX_SHOWN(*name));
  if (ptx_take_dot(parser, "branchtargets"))
    return parse_table(parser, name);
  if (ptx_take_dot(parser, "callprototype"))
    return parse_prototype(parser, name, false);
  if (ptx_take_dot(parser, "calltargets"))
    return parse_prototype(parser, name, true);
  ptx_symbol *symbol =
      ptx_symbols_add(&parser->symbols, name->text, name->length, PTX_SYMBOL_LABEL);
  if (!symbol)
    return ptx_fail_memory(parser);
  symbol->index = (uint32_t)parser->module->code_count;
  return true;
}

static bool parse_declaration(ptx_parser *parser) {
  if (ptx_take_dot(parser, "reg"))
    return ptx_parse_registers(parser);
  if (ptx_take_dot(parser, "local"))
    return ptx_parse_variable(parser, PTX_LINKAGE_LOCAL, PTX_SPACE_LOCAL);
  if (ptx_take_dot(parser, "param"))
    return ptx_parse_variable(parser, PTX_LINKAGE_LOCAL, PTX_SPACE_PARAM);
  if (ptx_take_dot(parser, "shared"))
    return ptx_parse_variable(parser, PTX_LINKAGE_LOCAL, PTX_SPACE_SHARED);
  if (ptx_take_dot(parser, "global"))
    return ptx_parse_variable(parser, PTX_LINKAGE_LOCAL, PTX_SPACE_GLOBAL);
  if (ptx_take_dot(parser, "const"))
    return ptx_parse_variable(parser, PTX_LINKAGE_LOCAL, PTX_SPACE_CONST);
  if (ptx_is_dot(parser, "loc")) {
    skip_line_info(parser);
    return true;
  }
  if (ptx_take_dot(parser, "pragma")) {
    if (parser->token.kind != PTX_TOKEN_STRING)
      return ptx_fail(parser, ".pragma wants a string");
    ptx_next(parser);
    return ptx_need_mark(parser, ';');
  }
  return ptx_fail(parser, "unknown directive '.%.*s'", PTX_SHOWN(parser->token));
}

static bool parse_guard(ptx_parser *parser, uint32_t *guard) {
  const bool negated = ptx_take_mark(parser, '!');
  ptx_operand operand = {0};
  if (!ptx_find_register(parser, &parser->token, &operand))
    return ptx_fail(parser, "unknown predicate '%.*s'", PTX_SHOWN(parser->token));
  if (operand.type != PTX_PRED)
    return ptx_fail(parser, "'%.*s' guards an instruction, and is no .pred",
                    PTX_SHOWN(parser->token));
  *guard = operand.slot | (negated ? PTX_NEGATED : 0);
  ptx_next(parser);
  return true;
}

static bool parse_statement(ptx_parser *parser) {
  if (ptx_take_mark(parser, ';'))
    return true;
  if (ptx_take_mark(parser, '{'))
    return open_scope(parser);
  if (parser->token.kind == PTX_TOKEN_DOT)
    return parse_declaration(parser);
  uint32_t guard = PTX_NO_GUARD;
  const bool guarded = ptx_take_mark(parser, '@');
  if (guarded && !parse_guard(parser, &guard))
    return false;
  const ptx_token word = parser->token;
  if (word.kind == PTX_TOKEN_END)
    return ptx_fail(parser, "the text ends in the function '%s'", parser->function->entry.name);
  if (word.kind != PTX_TOKEN_WORD)
    return ptx_fail(parser, "an instruction is expected, not '%.*s'", PTX_SHOWN(word));
  ptx_next(parser);
  if (!guarded && ptx_take_mark(parser, ':'))
    return parse_label(parser, &word);
  return ptx_parse_instruction(parser, &word, guard);
}

static bool parse_body(ptx_parser *parser) {
  ptx_function *function = parser->function;
  const uint32_t outer = parser->symbols.depth;
  function->defined = true;
  function->begin = (uint32_t)parser->module->code_count;
  function->slots = PTX_SLOT_FIRST;
  function->frame_align = 16;
  if (!bind_formals(parser) || !open_scope(parser))
    return false;
  while (parser->symbols.depth > outer) {
    if (ptx_take_mark(parser, '}'))
      close_scope(parser);
    else if (!parse_statement(parser))
      return false;
  }
  if (parser->pending_count) {
    parser->line = parser->pending[0].line;
    return ptx_fail(parser, "the label '%.*s' is not defined",
                    (int)(parser->pending[0].length < 60 ? parser->pending[0].length : 60),
                    parser->pending[0].name);
  }
  if (!ptx_emit_exit(parser, function->is_entry ? PTX_OP_EXIT : PTX_OP_RET))
    return false;
  function->end = (uint32_t)parser->module->code_count;
  memset(parser->ranged, 0, sizeof(parser->ranged));
  return true;
}

static ptx_builtin builtin_of(const char *name) {
  if (strcmp(name, "vprintf") == 0)
    return PTX_BUILTIN_VPRINTF;
  return strcmp(name, "__assertfail") == 0 ? PTX_BUILTIN_ASSERT : PTX_BUILTIN_NONE;
}

static ptx_function *new_function(ptx_parser *parser, ptx_global *global, bool entry) {
  ptx_module *module = parser->module;
  ptx_function *function = ptx_arena_take(module->arena, sizeof(*function));
  if (!function || !PTX_GROW(module->functions, module->function_count, module->function_room)) {
    ptx_fail_memory(parser);
    return NULL;
  }
  module->functions[module->function_count++] = function;
  global->function = function;
  function->global = global;
  function->module = module;
  function->is_entry = entry;
  function->entry.name = global->name;
  function->entry.version = module->version;
  function->entry.target = module->target;
  function->line = global->line;
  return function;
}

static bool same_formals(const ptx_formals *a, const ptx_formals *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i].size != b->items[i].size)
      return false;
  return true;
}

/* Finds or declares a function with these results, and takes over the formals. */
static ptx_function *declare_variable(ptx_parser *parser, const ptx_token *name,
                                      ptx_linkage linkage, bool entry, const ptx_formals *results) {
  bool existing;
  ptx_global *global = ptx_declare_global(parser, name, &existing);
  if (!global)
    return NULL;
  ptx_function *function = global->function;
  if (existing && (!function || function->is_entry != entry)) {
    ptx_fail(parser, "'%s' is declared twice", global->name);
    return NULL;
  }
  if (!existing) {
    function = new_function(parser, global, entry);
    if (!function)
      return NULL;
    function->results = *results;
    global->linkage = linkage;
    function->builtin = linkage == PTX_LINKAGE_EXTERN ? builtin_of(global->name) : 0;
  } else {
    const bool same = same_formals(&function->results, results);
    if (!same) {
      ptx_fail(parser, "the results of '%s' differ from an earlier declaration", global->name);
      return NULL;
    }
    free(function->results.items);
    function->results = *results;
    if (global->linkage == PTX_LINKAGE_EXTERN)
      global->linkage = linkage;
  }
  return function;
}

static bool parse_parameters(ptx_parser *parser, bool known) {
  ptx_function *function = parser->function;
  const ptx_formals before = function->parameters;
  function->parameters = (ptx_formals){0};
  bool done = parse_formals(parser, &function->parameters);
  if (done && known && !same_formals(&before, &function->parameters))
    done = ptx_fail(parser, "the parameters of '%s' differ from an earlier declaration",
                    function->entry.name);
  free(before.items);
  return done;
}

bool ptx_parse_function(ptx_parser *parser, ptx_linkage linkage, bool entry) {
  ptx_formals results = {0};
  if (!entry && !parse_formals(parser, &results)) {
    free(results.items);
    return false;
  }
  const ptx_token name = parser->token;
  if (name.kind != PTX_TOKEN_WORD) {
    free(results.items);
    return ptx_fail(parser, "a function's name is expected, not '%.*s'", PTX_SHOWN(name));
  }
  const size_t known = parser->module->function_count;
  ptx_function *function = declare_variable(parser, &name, linkage, entry, &results);
  if (!function) {
    free(results.items);
    return false;
  }
  ptx_next(parser);
  parser->function = function;
  if (!parse_parameters(parser, known == parser->module->function_count) ||
      !parse_attributes(parser))
    return false;
  if (ptx_take_mark(parser, ';'))
    return true;
  if (function->defined)
    return ptx_fail(parser, "'%s' is defined twice", function->entry.name);
  if (linkage == PTX_LINKAGE_EXTERN)
    return ptx_fail(parser, "'%s' is .extern, and has a body", function->entry.name);
  if (!ptx_need_mark(parser, '{') || !open_scope(parser))
    return false;
  const bool done = parse_body(parser);
  if (done)
    close_scope(parser);
  parser->function = NULL;
  return done;
}
