/*
 * A plugin's own data beside a driver's handle: a map from the handle to it. A look-up takes no
 * lock and waits for nobody, so that a launch may do it.
 */
#ifndef BASE_SIDE_TABLE_H
#define BASE_SIDE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A slot belongs to its bucket for good, used or not, so a reader never meets freed memory. */
typedef struct side_slot {
  _Atomic(const void *) key; /* NULL: free */
  _Atomic(void *) value;
  _Atomic(struct side_slot *) next;
} side_slot;

enum { SIDE_TABLE_BITS = 10 };

/*
 * In static storage it is empty from the start. The first key of a bucket has its place there,
 * others take spare places, and only when those have run out memory is allocated. Places are used
 * again and never given back.
 */
typedef struct side_table {
  side_slot buckets[1 << SIDE_TABLE_BITS];
  side_slot spare[1 << SIDE_TABLE_BITS];
  size_t spare_used;
} side_table;

/*
 * The value of a key, NULL when there is none. May run beside anything. The answer is valid only
 * while nobody puts or removes the same key: the caller has a reference to the handle.
 */
void *side_table_find(const side_table *table, const void *key);

/*
 * Gives a key, which must have none, a value; neither is NULL. false without memory. Calls of this
 * function and of side_table_remove must not overlap.
 */
bool side_table_put(side_table *table, const void *key, void *value);

/* Removes a key and its value; a missing key, or NULL, is fine. */
void side_table_remove(side_table *table, const void *key);

#endif
