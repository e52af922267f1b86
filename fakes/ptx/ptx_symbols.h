/* Memory of a module, and the symbol table of the parser. */
#ifndef SPECPI_TEST_PTX_SYMBOLS_H
#define SPECPI_TEST_PTX_SYMBOLS_H

#include "ptx_code.h"

/* An arena, whose memory is freed as a whole. */
typedef struct ptx_arena ptx_arena;

ptx_arena *ptx_arena_create(void);
void ptx_arena_free(ptx_arena *arena);

/* Returns size zeroed bytes with maximum alignment; NULL if memory is exhausted. */
void *ptx_arena_take(ptx_arena *arena, size_t size);

/* Returns a zero-terminated copy; NULL if memory is exhausted. */
char *ptx_arena_text(ptx_arena *arena, const char *text, size_t length);

typedef enum ptx_symbol_kind {
  PTX_SYMBOL_REGISTER,  /* slot, type; a vector also uses the next slots */
  PTX_SYMBOL_RANGE,     /* name<count>: registers of one type */
  PTX_SYMBOL_GLOBAL,    /* a module's symbol: global */
  PTX_SYMBOL_FRAME,     /* a variable or parameter in the frame's local memory: offset, size */
  PTX_SYMBOL_PARAMETER, /* an entry's parameter: offset, size */
  PTX_SYMBOL_LABEL,     /* index is an instruction's */
  PTX_SYMBOL_TABLE,     /* .branchtargets: index is the table's */
  PTX_SYMBOL_PROTOTYPE  /* .callprototype or .calltargets */
} ptx_symbol_kind;

typedef struct ptx_symbol {
  const char *name;
  size_t length;
  struct ptx_symbol *next; /* in the hash bucket */
  uint32_t bucket, depth;
  ptx_symbol_kind kind;
  ptx_type type;
  ptx_space space;
  uint32_t slot, vector; /* vector is the number of elements, 1 for scalars */
  uint64_t count, size;
  uint32_t offset, index;
  ptx_global *global;
} ptx_symbol;

enum { PTX_SCOPE_LIMIT = 64, PTX_BUCKETS = 4096 };

/* A stack of scopes. Scope 0 is the module's, 1 a function's, and each nested brace adds one. */
typedef struct ptx_symbols {
  ptx_arena *arena;
  ptx_symbol *buckets[PTX_BUCKETS];
  ptx_symbol **known; /* symbols of all open scopes, in order of declaration */
  size_t known_count, known_room;
  size_t begins[PTX_SCOPE_LIMIT]; /* by scope: index of its first symbol in known */
  uint32_t depth;
} ptx_symbols;

/* Returns the innermost symbol with this name; NULL if there is none. */
ptx_symbol *ptx_symbols_find(const ptx_symbols *symbols, const char *name, size_t length);

/*
 * Adds a symbol with a copy of the name to the innermost scope. Returns NULL if memory is
 * exhausted. The scope must not have a symbol with this name.
 */
ptx_symbol *ptx_symbols_add(ptx_symbols *symbols, const char *name, size_t length,
                            ptx_symbol_kind kind);

/* Opens a scope. Returns false if there are too many. Closing it removes its symbols. */
bool ptx_symbols_open(ptx_symbols *symbols);
void ptx_symbols_close(ptx_symbols *symbols);

#endif
