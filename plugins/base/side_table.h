/*
 * Map from a driver's handle to the plugin's own data for it. A look-up takes no lock and never
 * waits, so that launches can use it.
 */
#ifndef BASE_SIDE_TABLE_H
#define BASE_SIDE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A slot stays in its bucket even if its key is removed, so that readers never use freed memory. */
typedef struct side_slot {
  _Atomic(const void *) key; /* NULL: free */
  _Atomic(void *) value;
  _Atomic(struct side_slot *) next;
} side_slot;

enum { SIDE_TABLE_BITS = 10 };

/*
 * A table in static storage starts empty. The first key of a bucket is in the bucket itself, and
 * further keys use spare slots. Memory is allocated only when all spare slots are used. Slots are
 * reused, but never freed.
 */
typedef struct side_table {
  side_slot buckets[1 << SIDE_TABLE_BITS];
  side_slot spare[1 << SIDE_TABLE_BITS];
  size_t spare_used;
} side_table;

/*
 * Returns the value of a key; NULL if there is none. Any thread may call it at any time. The caller
 * has a reference to the handle, so that no thread adds or removes the same key meanwhile.
 */
void *side_table_find(const side_table *table, const void *key);

/*
 * Adds a key, which is not in the table, with its value; neither may be NULL. Returns false if
 * memory runs out. The caller makes sure that calls of this function and of side_table_remove do
 * not overlap.
 */
bool side_table_put(side_table *table, const void *key, void *value);

/* Removes a key and its value. Does nothing if the key is missing or NULL. */
void side_table_remove(side_table *table, const void *key);

#endif
