/* Memory of a module, and the names that are known at a place of the text. */
#ifndef SPECPI_TEST_PTX_SYMBOLS_H
#define SPECPI_TEST_PTX_SYMBOLS_H

#include "ptx_code.h"

/* Memory that is freed as a whole. */
typedef struct ptx_arena ptx_arena;

ptx_arena *ptx_arena_create(void);
void ptx_arena_free(ptx_arena *arena);

/* size bytes of zeroes, aligned for anything; NULL when there is no memory. */
void *ptx_arena_take(ptx_arena *arena, size_t size);

/* A copy with a zero byte after it; NULL when there is no memory. */
char *ptx_arena_text(ptx_arena *arena, const char *text, size_t length);

typedef enum ptx_symbol_kind {
  PTX_SYMBOL_REGISTER,  /* slot, type; a vector has the next slots, too */
  PTX_SYMBOL_RANGE,     /* name<count>: registers of type */
  PTX_SYMBOL_GLOBAL,    /* global */
  PTX_SYMBOL_FRAME,     /* a variable or parameter in the frame's local memory: offset, size */
  PTX_SYMBOL_PARAMETER, /* an entry's: offset, size */
  PTX_SYMBOL_LABEL,     /* index of an instruction */
  PTX_SYMBOL_TABLE,     /* .branchtargets: index */
  PTX_SYMBOL_PROTOTYPE  /* .callprototype, or .calltargets */
} ptx_symbol_kind;

typedef struct ptx_symbol {
  const char *name;
  size_t length;
  struct ptx_symbol *next; /* in the bucket */
  uint32_t bucket, depth;
  ptx_symbol_kind kind;
  ptx_type type;
  ptx_space space;
  uint32_t slot, vector; /* vector: elements, or 1 */
  uint64_t count, size;
  uint32_t offset, index;
  ptx_global *global;
} ptx_symbol;

enum { PTX_SCOPE_LIMIT = 64, PTX_BUCKETS = 4096 };

/* Scopes: the module's is 0, a function's 1, and those of braces in it follow. */
typedef struct ptx_symbols {
  ptx_arena *arena;
  ptx_symbol *buckets[PTX_BUCKETS];
  ptx_symbol **known; /* of all open scopes, in order */
  size_t known_count, known_room;
  size_t begins[PTX_SCOPE_LIMIT]; /* of a scope in known */
  uint32_t depth;
} ptx_symbols;

/* The innermost symbol of that name; NULL when there is none. */
ptx_symbol *ptx_symbols_find(const ptx_symbols *symbols, const char *name, size_t length);

/*
 * A new symbol in the innermost scope, with a copy of the name; NULL when there is no memory. The
 * caller has seen that the scope has none of that name.
 */
ptx_symbol *ptx_symbols_add(ptx_symbols *symbols, const char *name, size_t length,
                            ptx_symbol_kind kind);

/* Opens a scope; false when there are too many. Closing forgets its symbols. */
bool ptx_symbols_open(ptx_symbols *symbols);
void ptx_symbols_close(ptx_symbols *symbols);

#endif
