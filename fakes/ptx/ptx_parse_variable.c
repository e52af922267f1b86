/* Parses declarations of variables and registers, and initial values. */
#include "ptx_parse.h"

#include <string.h>

enum { FRAME_LIMIT = 512 << 10, NESTING_LIMIT = 16 };

/* X(word, KIND) */
#define HANDLES(X) X("texref", TEXTURE) X("samplerref", SAMPLER) X("surfref", SURFACE)

static bool parse_align(ptx_parser *parser, uint32_t *ret) {
  uint64_t align;
  if (!ptx_need_number(parser, 1 << 16, &align))
    return false;
  if (align == 0 || (align & (align - 1)) != 0)
    return ptx_fail(parser, ".align %llu is no power of two", (unsigned long long)align);
  *ret = (uint32_t)align;
  return true;
}

/* Parses .attribute(.managed) and .attribute(.unified(a, b)). */
static bool parse_attribute(ptx_parser *parser, ptx_declared *ret) {
  if (!ptx_need_mark(parser, '('))
    return false;
  do {
    if (ptx_take_dot(parser, "managed"))
      ret->managed = true;
    else
      return ptx_fail(parser, "unknown attribute '.%.*s'", PTX_SHOWN(parser->token));
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ')');
}

static bool take_handle(ptx_parser *parser, ptx_declared *ret) {
#define HANDLE(word, KIND)                                                                         \
  if (ptx_take_dot(parser, word)) {                                                                \
    ret->handle = PTX_VARIABLE_##KIND;                                                             \
    ret->type = PTX_U64;                                                                           \
    return true;                                                                                   \
  }
  HANDLES(HANDLE)
#undef HANDLE
  return false;
}

bool ptx_parse_declared(ptx_parser *parser, ptx_declared *ret) {
  *ret = (ptx_declared){.vector = 1, .handle = -1};
  for (;;) {
    if (ptx_take_dot(parser, "align")) {
      if (!parse_align(parser, &ret->align))
        return false;
    } else if (ptx_take_dot(parser, "attribute")) {
      if (!parse_attribute(parser, ret))
        return false;
    } else if (ptx_take_dot(parser, "v2"))
      ret->vector = 2;
    else if (ptx_take_dot(parser, "v4"))
      ret->vector = 4;
    else
      break;
  }
  if (!take_handle(parser, ret) && !ptx_take_type(parser, &ret->type))
    return ptx_fail(parser, "unknown type '%s%.*s'", parser->token.kind == PTX_TOKEN_DOT ? "." : "",
                    PTX_SHOWN(parser->token));
  const uint32_t size = ptx_type_infos[ret->type].bits / 8u * ret->vector;
  if (ret->align < size && !ret->align)
    ret->align = size ? size : 1;
  return true;
}

bool ptx_parse_extents(ptx_parser *parser, uint64_t *count, bool *unsized) {
  *count = 1;
  *unsized = false;
  for (bool first = true; ptx_take_mark(parser, '['); first = false) {
    uint64_t extent = 0;
    if (first && ptx_is_mark(parser, ']'))
      *unsized = true;
    else if (!ptx_need_number(parser, PTX_VARIABLE_LIMIT, &extent))
      return false;
    if (!*unsized || !first)
      *count *= extent;
    if (*count > PTX_VARIABLE_LIMIT)
      return ptx_fail(parser, "an array of more than %d elements", PTX_VARIABLE_LIMIT);
    if (!ptx_need_mark(parser, ']'))
      return false;
  }
  return true;
}

ptx_global *ptx_declare_global(ptx_parser *parser, const ptx_token *name, bool *existing) {
  ptx_module *module = parser->module;
  ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, name->text, name->length);
  *existing = symbol && symbol->depth == parser->symbols.depth;
  if (*existing && symbol->kind != PTX_SYMBOL_GLOBAL) {
    ptx_fail(parser, "'%.*s' is declared twice", PTX_SHOWN(*name));
    return NULL;
  }
  if (*existing)
    return symbol->global;
  symbol = ptx_symbols_add(&parser->symbols, name->text, name->length, PTX_SYMBOL_GLOBAL);
  ptx_global *global = ptx_arena_take(module->arena, sizeof(*global));
  if (!symbol || !global || !PTX_GROW(module->globals, module->global_count, module->global_room)) {
    ptx_fail_memory(parser);
    return NULL;
  }
  module->globals[module->global_count++] = global;
  symbol->global = global;
  global->name = symbol->name;
  global->module = module;
  global->handle = -1;
  global->line = name->line;
  return global;
}

/* The bytes of an initial value, which grow while it is parsed. */
typedef struct bytes {
  unsigned char *items;
  size_t count, room;
} bytes;

static bool put_bytes(ptx_parser *parser, ptx_global *global, bytes *to, uint64_t value,
                      unsigned size) {
  for (unsigned i = 0; i < size; i++) {
    if (to->count >= PTX_VARIABLE_LIMIT)
      return ptx_fail(parser, "too many initial values of '%s'", global->name);
    if (to->count == to->room) {
      const size_t room = to->room ? 2 * to->room : 64;
      unsigned char *items = ptx_arena_take(parser->module->arena, room);
      if (!items)
        return ptx_fail_memory(parser);
      if (to->count)
        memcpy(items, to->items, to->count);
      to->items = items;
      to->room = room;
    }
    to->items[to->count++] = (unsigned char)(value >> 8 * i);
  }
  return true;
}

/* Parses symbol, symbol+4 or generic(symbol)+4. shift selects a part of the address. */
static bool put_symbol(ptx_parser *parser, ptx_global *global, bytes *to, unsigned size,
                       unsigned shift) {
  const bool generic = ptx_token_is(&parser->token, PTX_TOKEN_WORD, "generic");
  if (generic) {
    ptx_next(parser);
    if (!ptx_need_mark(parser, '('))
      return false;
  }
  const ptx_token name = parser->token;
  ptx_symbol *symbol = ptx_symbols_find(&parser->symbols, name.text, name.length);
  if (name.kind != PTX_TOKEN_WORD || !symbol || symbol->kind != PTX_SYMBOL_GLOBAL)
    return ptx_fail(parser, "unknown symbol '%.*s' in an initial value", PTX_SHOWN(name));
  ptx_next(parser);
  int64_t addend = 0;
  for (bool closed = false;;) {
    if (generic && !closed && ptx_take_mark(parser, ')'))
      closed = true;
    const bool minus = ptx_is_mark(parser, '-');
    if (!minus && !ptx_is_mark(parser, '+')) {
      if (generic && !closed)
        return ptx_need_mark(parser, ')');
      break;
    }
    ptx_next(parser);
    uint64_t number;
    if (!ptx_need_number(parser, UINT32_MAX, &number))
      return false;
    addend += minus ? -(int64_t)number : (int64_t)number;
    if (addend > INT32_MAX || addend < INT32_MIN)
      return ptx_fail(parser, "an address too far from '%s'", symbol->name);
  }
  if (!PTX_GROW(global->fixups, global->fixup_count, global->fixup_room))
    return ptx_fail_memory(parser);
  global->fixups[global->fixup_count++] =
      (ptx_fixup){to->count, symbol->global, addend, (uint8_t)size, (uint8_t)shift};
  if (symbol->global->function)
    symbol->global->address_taken = true;
  return put_bytes(parser, global, to, 0, size);
}

/* Parses 0xff00(symbol), one byte of an address. */
static bool put_masked(ptx_parser *parser, ptx_global *global, bytes *to, unsigned size,
                       uint64_t mask) {
  unsigned shift = 0;
  while (shift < 56 && mask >> shift != 0xff)
    shift += 8;
  if (mask >> shift != 0xff || size != 1)
    return ptx_fail(parser, "0x%llx(...) is no byte of an address", (unsigned long long)mask);
  ptx_next(parser);
  return put_symbol(parser, global, to, size, shift) && ptx_need_mark(parser, ')');
}

static bool put_value(ptx_parser *parser, ptx_global *global, bytes *to, ptx_type type) {
  const unsigned size = ptx_type_infos[type].bits / 8u;
  const bool minus = ptx_take_mark(parser, '-');
  const ptx_token token = parser->token;
  if (token.kind == PTX_TOKEN_WORD && !minus)
    return put_symbol(parser, global, to, size, 0);
  uint64_t bits = token.number;
  if (token.kind == PTX_TOKEN_NUMBER) {
    ptx_next(parser);
    if (ptx_is_mark(parser, '(') && !minus)
      return put_masked(parser, global, to, size, bits);
    if (ptx_type_infos[type].kind == PTX_KIND_FLOAT && size >= 4) {
      const double value = minus ? -(double)bits : (double)bits;
      const float narrow = (float)value;
      bits = 0;
      memcpy(&bits, size == 4 ? (const void *)&narrow : (const void *)&value, size);
      return put_bytes(parser, global, to, bits, size);
    }
    return put_bytes(parser, global, to, minus ? 0 - bits : bits, size);
  }
  if (token.kind != PTX_TOKEN_F32 && token.kind != PTX_TOKEN_F64)
    return ptx_fail(parser, "an initial value is expected, not '%.*s'", PTX_SHOWN(token));
  ptx_next(parser);
  if (minus)
    bits ^= token.kind == PTX_TOKEN_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  const bool narrow = token.kind == PTX_TOKEN_F32;
  if (narrow && type == PTX_F64) {
    float value;
    const uint32_t low = (uint32_t)bits;
    memcpy(&value, &low, sizeof(value));
    const double wide = (double)value;
    memcpy(&bits, &wide, sizeof(bits));
  } else if (!narrow && type == PTX_F32) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    const float less = (float)value;
    bits = 0;
    memcpy(&bits, &less, sizeof(less));
  } else if (type != (narrow ? PTX_F32 : PTX_F64) && size != (narrow ? 4 : 8))
    return ptx_fail(parser, "a floating-point value for a variable of type .%s",
                    ptx_type_infos[type].word);
  return put_bytes(parser, global, to, bits, size);
}

/* Parses values with nested braces. Like PTX, refuses an inner row with missing values. */
static bool put_values(ptx_parser *parser, ptx_global *global, bytes *to, ptx_type type,
                       unsigned nesting) {
  if (!ptx_take_mark(parser, '{'))
    return put_value(parser, global, to, type);
  if (nesting >= NESTING_LIMIT)
    return ptx_fail(parser, "too many nested braces");
  if (ptx_take_mark(parser, '}'))
    return true;
  do {
    if (!put_values(parser, global, to, type, nesting + 1))
      return false;
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, '}');
}

static bool parse_value(ptx_parser *parser, ptx_global *global, const ptx_declared *declared,
                        bool unsized) {
  if (declared->handle >= 0) /* in PTX, a sampler's settings */
    return ptx_fail(parser, "initial values of '%s' are not supported", global->name);
  if (global->space == PTX_SPACE_SHARED)
    return ptx_fail(parser, "'%s' is shared, and has an initial value", global->name);
  bytes to = {0};
  if (!put_values(parser, global, &to, declared->type, 0))
    return false;
  global->bytes = to.items;
  global->byte_count = to.count;
  if (unsized) {
    global->size = to.count;
    global->unsized = false;
  } else if (to.count > global->size)
    return ptx_fail(parser, "%llu bytes of initial values for the %llu of '%s'",
                    (unsigned long long)to.count, (unsigned long long)global->size, global->name);
  return true;
}

/* Checks a second declaration of a variable. One of the two must be .extern. */
static bool same_variable(ptx_parser *parser, const ptx_global *global, ptx_linkage linkage,
                          ptx_space space) {
  if (global->function || global->space != space ||
      (linkage != PTX_LINKAGE_EXTERN && global->linkage != PTX_LINKAGE_EXTERN))
    return ptx_fail(parser, "'%s' is declared twice", global->name);
  return true;
}

static bool parse_global(ptx_parser *parser, const ptx_token *name, ptx_linkage linkage,
                         ptx_space space, const ptx_declared *declared) {
  bool existing;
  ptx_global *global = ptx_declare_global(parser, name, &existing);
  uint64_t count;
  bool unsized;
  if (!global || (existing && !same_variable(parser, global, linkage, space)) ||
      !ptx_parse_extents(parser, &count, &unsized))
    return false;
  if (existing && linkage == PTX_LINKAGE_EXTERN)
    return true;
  const uint64_t element = ptx_type_infos[declared->type].bits / 8u * (uint64_t)declared->vector;
  if (declared->type == PTX_PRED)
    return ptx_fail(parser, "'%s' is in memory, and of type .pred", global->name);
  global->linkage = linkage;
  global->space = space;
  global->handle = (int8_t)declared->handle;
  global->managed = declared->managed;
  global->align = declared->align;
  global->unsized = unsized;
  global->size = declared->handle >= 0 ? 0 : (unsized ? 0 : count * element);
  global->dynamic = space == PTX_SPACE_SHARED && linkage == PTX_LINKAGE_EXTERN;
  if (global->size > PTX_VARIABLE_LIMIT)
    return ptx_fail(parser, "'%s' has %llu bytes, more than %d", global->name,
                    (unsigned long long)global->size, PTX_VARIABLE_LIMIT);
  if (ptx_take_mark(parser, '=')) {
    if (linkage == PTX_LINKAGE_EXTERN)
      return ptx_fail(parser, "'%s' is .extern, and has an initial value", global->name);
    return parse_value(parser, global, declared, unsized);
  }
  if (unsized && linkage != PTX_LINKAGE_EXTERN && declared->handle < 0)
    return ptx_fail(parser, "the array '%s' has no size", global->name);
  return true;
}

/* Parses a variable in the frame's local memory: .local, or .param for a call. */
static bool parse_frame_variable(ptx_parser *parser, const ptx_token *name, ptx_space space,
                                 const ptx_declared *declared) {
  ptx_function *function = parser->function;
  const ptx_symbol *known = ptx_symbols_find(&parser->symbols, name->text, name->length);
  if (known && known->depth == parser->symbols.depth)
    return ptx_fail(parser, "'%.*s' is declared twice", PTX_SHOWN(*name));
  ptx_symbol *symbol =
      ptx_symbols_add(&parser->symbols, name->text, name->length, PTX_SYMBOL_FRAME);
  if (!symbol)
    return ptx_fail_memory(parser);
  uint64_t count;
  bool unsized;
  if (!ptx_parse_extents(parser, &count, &unsized))
    return false;
  const uint64_t size = count * (ptx_type_infos[declared->type].bits / 8u) * declared->vector;
  const uint64_t offset =
      (function->frame_bytes + (uint64_t)declared->align - 1) & ~((uint64_t)declared->align - 1);
  if (unsized || size + offset > FRAME_LIMIT)
    return ptx_fail(parser, "'%s' does not fit the %d bytes of a thread's local memory",
                    symbol->name, FRAME_LIMIT);
  symbol->space = space;
  symbol->offset = (uint32_t)offset;
  symbol->size = size;
  symbol->type = declared->type;
  function->frame_bytes = (uint32_t)(offset + size);
  if (declared->align > function->frame_align)
    function->frame_align = declared->align;
  return true;
}

bool ptx_parse_variable(ptx_parser *parser, ptx_linkage linkage, ptx_space space) {
  ptx_declared declared;
  if (!ptx_parse_declared(parser, &declared))
    return false;
  do {
    const ptx_token name = parser->token;
    if (name.kind != PTX_TOKEN_WORD)
      return ptx_fail(parser, "a variable's name is expected, not '%.*s'", PTX_SHOWN(name));
    ptx_next(parser);
    if (space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM
            ? !parse_frame_variable(parser, &name, space, &declared)
            : !parse_global(parser, &name, linkage, space, &declared))
      return false;
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ';');
}

static bool parse_register(ptx_parser *parser, const ptx_declared *declared) {
  const ptx_token name = parser->token;
  if (name.kind != PTX_TOKEN_WORD)
    return ptx_fail(parser, "a register's name is expected, not '%.*s'", PTX_SHOWN(name));
  ptx_next(parser);
  const ptx_symbol *known = ptx_symbols_find(&parser->symbols, name.text, name.length);
  if (known && known->depth == parser->symbols.depth)
    return ptx_fail(parser, "'%.*s' is declared twice", PTX_SHOWN(name));
  uint64_t count = 0;
  const bool range = ptx_take_mark(parser, '<');
  if (range && (!ptx_need_number(parser, UINT32_MAX, &count) || !ptx_need_mark(parser, '>')))
    return false;
  ptx_symbol *symbol = ptx_symbols_add(&parser->symbols, name.text, name.length,
                                       range ? PTX_SYMBOL_RANGE : PTX_SYMBOL_REGISTER);
  if (!symbol)
    return ptx_fail_memory(parser);
  symbol->type = declared->type;
  symbol->vector = declared->vector;
  symbol->count = count;
  if (!range)
    symbol->slot = ptx_new_slots(parser, symbol->vector);
  return true;
}

bool ptx_parse_registers(ptx_parser *parser) {
  ptx_declared declared;
  if (!ptx_parse_declared(parser, &declared))
    return false;
  if (declared.handle >= 0)
    return ptx_fail(parser, "a register of a texture's type");
  do {
    if (!parse_register(parser, &declared))
      return false;
  } while (ptx_take_mark(parser, ','));
  return ptx_need_mark(parser, ';');
}
