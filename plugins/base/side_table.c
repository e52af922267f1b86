#include "side_table.h"

#include <stdint.h>
#include <stdlib.h>

/* Uses Fibonacci hashing: the high bits of the product depend on all lower bits of the address. */
static size_t bucket_of(const void *key) {
  return (size_t)((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >>
                  (64 - SIDE_TABLE_BITS));
}

static side_slot *next_of(const side_slot *slot) {
  return atomic_load_explicit(&slot->next, memory_order_acquire);
}

/*
 * Returns the slot of a key; NULL if there is none. Loading the key with acquire makes the value
 * visible that was stored before the key.
 */
static const side_slot *find_slot(const side_table *table, const void *key) {
  if (!key)
    return NULL;
  const side_slot *slot = &table->buckets[bucket_of(key)];
  while (slot && atomic_load_explicit(&slot->key, memory_order_acquire) != key)
    slot = next_of(slot);
  return slot;
}

void *side_table_find(const side_table *table, const void *key) {
  const side_slot *slot = find_slot(table, key);
  return slot ? atomic_load_explicit(&slot->value, memory_order_relaxed) : NULL;
}

static side_slot *new_slot(side_table *table) {
  if (table->spare_used < sizeof table->spare / sizeof table->spare[0])
    return &table->spare[table->spare_used++];
  return calloc(1, sizeof(side_slot));
}

bool side_table_put(side_table *table, const void *key, void *value) {
  side_slot *last = NULL;
  side_slot *slot = &table->buckets[bucket_of(key)];
  while (slot && atomic_load_explicit(&slot->key, memory_order_relaxed)) {
    last = slot;
    slot = next_of(slot);
  }
  if (!slot) {
    slot = new_slot(table);
    if (!slot)
      return false;
    atomic_store_explicit(&last->next, slot, memory_order_release);
  }
  atomic_store_explicit(&slot->value, value, memory_order_relaxed);
  atomic_store_explicit(&slot->key, key, memory_order_release);
  return true;
}

void side_table_remove(side_table *table, const void *key) {
  side_slot *slot = (side_slot *)find_slot(table, key);
  if (slot)
    atomic_store_explicit(&slot->key, NULL, memory_order_relaxed);
}
