/* A map from names to numbers. */
#ifndef COMPILER_NAMES_H
#define COMPILER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct name_map_entry {
  const char *name; /* NULL if the entry is free */
  size_t value;
} name_map_entry;

/* A zeroed structure is an empty map. The caller owns the names, which must outlive the map. */
typedef struct name_map {
  name_map_entry *entries;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} name_map;

/* Finds a name's number; false if the map lacks the name. */
bool name_map_find(const name_map *map, const char *name, size_t *value);

/* Adds a name that is not in the map; false when memory is exhausted. */
bool name_map_add(name_map *map, const char *name, size_t value);

void name_map_free(name_map *map);

#endif
