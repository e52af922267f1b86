/* The choice of a work-group size for launches that leave it to the plugin. */
#ifndef OBJECTS_LOCAL_SIZE_H
#define OBJECTS_LOCAL_SIZE_H

#include <pi/pi.h>

#include <stdatomic.h>
#include <stddef.h>

struct kernel_limits;

/* The input of a choice, and the choice. */
typedef struct local_size_entry {
  atomic_uint serial; /* odd while it is written */
  atomic_size_t global[3];
  atomic_size_t local_memory;
  atomic_uint local[3]; /* 0 before the first choice */
} local_size_entry;

enum { LOCAL_SIZE_ENTRIES = 4 };

/*
 * The latest choices for a kernel on a device, zeroed at first. Any thread may read or add at any
 * time.
 */
typedef struct local_size_cache {
  local_size_entry entries[LOCAL_SIZE_ENTRIES];
  atomic_uint next; /* the entry that the next new one replaces */
} local_size_cache;

/*
 * Finds an earlier choice for this range and the arguments' bytes of local memory; false when there
 * is none.
 */
bool local_size_find(const local_size_cache *cache, const size_t global[3], size_t local_memory,
                     pi_uint32 local[3]);

/* Adds a choice in place of the oldest one, unless another thread is writing there. */
void local_size_add(local_size_cache *cache, const size_t global[3], size_t local_memory,
                    const pi_uint32 local[3]);

/* Returns whether work-groups of this size divide a range and are within the limits. */
bool local_size_fits(const struct kernel_limits *limits, const size_t global[3],
                     const pi_uint32 local[3]);

/*
 * Chooses the local size that divides the range, is within the limits, and has the fewest idle
 * lanes; among equals the one with the most work-items, then with the longest rows. preferred is
 * the number of work-items that the device runs best: more are not chosen unless there would be too
 * many groups. False when no size is within the limits.
 */
bool local_size_choose(const struct kernel_limits *limits, const size_t global[3], size_t preferred,
                       pi_uint32 local[3]);

#endif
