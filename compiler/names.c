#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t hash_name(const char *name) {
  uint64_t h = 14695981039346656037u;
  for (; *name != '\0'; name++)
    h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

/* Returns a name's entry, or the free entry for it. The map is never full. */
static name_map_entry *seek_name(const name_map *map, const char *name) {
  size_t i = hash_name(name) & (map->capacity - 1);
  while (map->entries[i].name != NULL && strcmp(map->entries[i].name, name) != 0)
    i = (i + 1) & (map->capacity - 1);
  return &map->entries[i];
}

bool name_map_find(const name_map *map, const char *name, size_t *value) {
  if (map->capacity == 0)
    return false;
  const name_map_entry *entry = seek_name(map, name);
  if (entry->name == NULL)
    return false;
  *value = entry->value;
  return true;
}

bool name_map_add(name_map *map, const char *name, size_t value) {
  if (map->count >= map->capacity / 2) {
    name_map grown = {.capacity = map->capacity == 0 ? 16 : map->capacity * 2};
    grown.entries = calloc(grown.capacity, sizeof *grown.entries);
    if (grown.entries == NULL)
      return false;
    for (size_t i = 0; i < map->capacity; i++)
      if (map->entries[i].name != NULL)
        *seek_name(&grown, map->entries[i].name) = map->entries[i];
    grown.count = map->count;
    free(map->entries);
    *map = grown;
  }
  *seek_name(map, name) = (name_map_entry){.name = name, .value = value};
  map->count++;
  return true;
}

void name_map_free(name_map *map) {
  free(map->entries);
  *map = (name_map){0};
}
