/*
 * What a plugin keeps beside a driver's handle: a map from the handle to it. Looking one up
 * takes no lock and waits for nobody, so that a launch may do it.
 */
#ifndef PI_BASE_SIDE_TABLE_H
#define PI_BASE_SIDE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Belongs to its bucket for good, used or not, so a reader never meets freed memory. */
typedef struct pi_side_slot {
  _Atomic(const void *) key; /* NULL: free */
  _Atomic(void *) value;
  _Atomic(struct pi_side_slot *) next;
} pi_side_slot;

enum { PI_SIDE_TABLE_BITS = 10 };

/*
 * In static storage it is empty from the start. The first key of a bucket has its place
 * there, others take spare ones, and only when those have run out memory is allocated.
 * Places are used again and never given back.
 */
typedef struct pi_side_table {
  pi_side_slot buckets[1 << PI_SIDE_TABLE_BITS];
  pi_side_slot spare[1 << PI_SIDE_TABLE_BITS];
  size_t spare_used;
} pi_side_table;

/*
 * The value of a key, NULL when there is none. May run beside anything. Its answer means
 * something only while nobody puts or removes the same key: who looks up a handle has a
 * reference to it.
 */
void *pi_side_table_find(const pi_side_table *table, const void *key);

/*
 * Gives a key, which must have none, a value; neither is NULL. false without memory. Calls
 * of this and of pi_side_table_remove must not overlap each other.
 */
bool pi_side_table_put(pi_side_table *table, const void *key, void *value);

/* Takes a key and its value out; a key that is not there, or NULL, is fine. */
void pi_side_table_remove(pi_side_table *table, const void *key);

#endif
