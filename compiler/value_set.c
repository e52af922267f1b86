#include "value_set.h"

#include <stdint.h>
#include <stdlib.h>

/* Returns a value's place, or the free place for it. The set is never full. */
static LLVMValueRef *seek_value(const value_set *set, LLVMValueRef value) {
  const uint64_t hash = (uint64_t)(uintptr_t)value * 0x9E3779B97F4A7C15u;
  size_t i = (size_t)(hash >> 32) & (set->capacity - 1);
  while (set->places[i] != NULL && set->places[i] != value)
    i = (i + 1) & (set->capacity - 1);
  return &set->places[i];
}

bool value_set_has(const value_set *set, LLVMValueRef value) {
  return set->capacity > 0 && *seek_value(set, value) != NULL;
}

static bool grow(value_set *set) {
  value_set grown = {.capacity = set->capacity == 0 ? 64 : 2 * set->capacity};
  grown.places = calloc(grown.capacity, sizeof(LLVMValueRef));
  if (grown.places == NULL)
    return false;
  for (size_t i = 0; i < set->capacity; i++)
    if (set->places[i] != NULL)
      *seek_value(&grown, set->places[i]) = set->places[i];
  grown.count = set->count;
  free(set->places);
  *set = grown;
  return true;
}

bool value_set_add(value_set *set, LLVMValueRef value, bool *added) {
  if (set->count >= set->capacity / 2 && !grow(set))
    return false;
  LLVMValueRef *place = seek_value(set, value);
  if (added != NULL)
    *added = *place == NULL;
  if (*place == NULL)
    set->count++;
  *place = value;
  return true;
}

void value_set_free(value_set *set) {
  free(set->places);
  *set = (value_set){0};
}
