#include "ptx_symbols.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(max_align_t) unsigned char bytes[];
} chunk;

struct ptx_arena {
  chunk *chunks;
};

ptx_arena *ptx_arena_create(void) {
  return calloc(1, sizeof(ptx_arena));
}

void ptx_arena_free(ptx_arena *arena) {
  if (!arena)
    return;
  while (arena->chunks) {
    chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  free(arena);
}

void *ptx_arena_take(ptx_arena *arena, size_t size) {
  const size_t align = _Alignof(max_align_t);
  if (size > SIZE_MAX / 2)
    return NULL;
  size = (size + align - 1) / align * align;
  if (!arena->chunks || arena->chunks->size - arena->chunks->used < size) {
    const size_t room = size > 32768 ? size : 65536;
    chunk *new = calloc(1, sizeof(*new) + room);
    if (!new)
      return NULL;
    new->next = arena->chunks;
    new->size = room;
    arena->chunks = new;
  }
  void *ret = arena->chunks->bytes + arena->chunks->used;
  arena->chunks->used += size;
  return ret;
}

char *ptx_arena_text(ptx_arena *arena, const char *text, size_t length) {
  char *copy = ptx_arena_take(arena, length + 1);
  if (copy)
    memcpy(copy, text, length);
  return copy;
}

bool ptx_grow(void *items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return true;
  const size_t more = *room ? *room * 2 : 16;
  if (more > SIZE_MAX / size / 2)
    return false;
  void *old;
  memcpy(&old, items, sizeof(old));
  void *new = realloc(old, more * size);
  if (!new)
    return false;
  memcpy(items, &new, sizeof(new));
  *room = more;
  return true;
}

void ptx_say(ptx_log *log, const char *format, ...) {
  if (!log)
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(log->text, sizeof(log->text), format, list);
  va_end(list);
}

static uint32_t bucket_of(const char *name, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return (hash ^ hash >> 16) % PTX_BUCKETS;
}

ptx_symbol *ptx_symbols_find(const ptx_symbols *symbols, const char *name, size_t length) {
  ptx_symbol *symbol = symbols->buckets[bucket_of(name, length)];
  while (symbol && (symbol->length != length || memcmp(symbol->name, name, length) != 0))
    symbol = symbol->next;
  return symbol;
}

ptx_symbol *ptx_symbols_add(ptx_symbols *symbols, const char *name, size_t length,
                            ptx_symbol_kind kind) {
  ptx_symbol *symbol = ptx_arena_take(symbols->arena, sizeof(*symbol));
  char *copy = ptx_arena_text(symbols->arena, name, length);
  if (!symbol || !copy || !PTX_GROW(symbols->known, symbols->known_count, symbols->known_room))
    return NULL;
  symbol->name = copy;
  symbol->length = length;
  symbol->kind = kind;
  symbol->vector = 1;
  symbol->depth = symbols->depth;
  symbol->bucket = bucket_of(name, length);
  symbol->next = symbols->buckets[symbol->bucket];
  symbols->buckets[symbol->bucket] = symbol;
  symbols->known[symbols->known_count++] = symbol;
  return symbol;
}

bool ptx_symbols_open(ptx_symbols *symbols) {
  if (symbols->depth + 1 >= PTX_SCOPE_LIMIT)
    return false;
  symbols->begins[++symbols->depth] = symbols->known_count;
  return true;
}

void ptx_symbols_close(ptx_symbols *symbols) {
  while (symbols->known_count > symbols->begins[symbols->depth]) {
    ptx_symbol *symbol = symbols->known[--symbols->known_count];
    symbols->buckets[symbol->bucket] = symbol->next; /* the newest symbol is first */
  }
  symbols->depth--;
}
