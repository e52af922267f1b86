/* The choice of a work-group size for launches that leave it to the plugin. */
#ifndef PI_LEVEL_ZERO_LOCAL_SIZE_H
#define PI_LEVEL_ZERO_LOCAL_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range and what was chosen for it. */
typedef struct local_size_entry {
  size_t global[3];
  uint32_t local[3]; /* 0 before the first choice */
} local_size_entry;

enum { LOCAL_SIZE_ENTRIES = 4 };

/* The latest choices of a kernel on a device; zeroed it is empty. Its owner has the lock. */
typedef struct local_size_cache {
  local_size_entry entries[LOCAL_SIZE_ENTRIES];
  unsigned next; /* the entry that the next new one replaces */
} local_size_cache;

/* A choice that is there for this range; false when it is not. */
bool local_size_find(const local_size_cache *cache, const size_t global[3], uint32_t local[3]);

/* Adds a choice, in the place of the oldest one. */
void local_size_add(local_size_cache *cache, const size_t global[3], const uint32_t local[3]);

/*
 * Whether groups of this size divide a range, and have at most items work-items and no more in a
 * dimension than limits says.
 */
bool local_size_fits(const size_t global[3], const uint32_t local[3], size_t items,
                     const uint32_t limits[3]);

/*
 * A size that fits: the largest divisors in the first dimension, then in the next. multiple is what
 * the device runs best a multiple of; among the divisors of the first dimension one is preferred.
 */
void local_size_choose(const size_t global[3], size_t items, const uint32_t limits[3],
                       uint32_t multiple, uint32_t local[3]);

#endif
