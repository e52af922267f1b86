/* Chooses the work-group size of launches for which the application gives none. */
#ifndef OBJECTS_LOCAL_SIZE_H
#define OBJECTS_LOCAL_SIZE_H

#include <pi/pi.h>

#include <stdatomic.h>
#include <stddef.h>

struct kernel_limits;

/* The inputs of an earlier choice, and the local size that was chosen. */
typedef struct local_size_entry {
  atomic_uint serial; /* odd while a thread writes the entry */
  atomic_size_t global[3];
  atomic_size_t local_memory;
  atomic_uint local[3]; /* 0: the entry is unused */
} local_size_entry;

enum { LOCAL_SIZE_ENTRIES = 4 };

/* The latest choices for a kernel on a device. All zeros at first. Thread safe without locks. */
typedef struct local_size_cache {
  local_size_entry entries[LOCAL_SIZE_ENTRIES];
  atomic_uint next; /* the next new choice replaces this entry (modulo LOCAL_SIZE_ENTRIES) */
} local_size_cache;

/*
 * Finds an earlier choice for this range and this number of bytes of local-memory arguments.
 * Returns false if there is none.
 */
bool local_size_find(const local_size_cache *cache, const size_t global[3], size_t local_memory,
                     pi_uint32 local[3]);

/* Replaces the oldest choice, unless another thread is writing that entry. */
void local_size_add(local_size_cache *cache, const size_t global[3], size_t local_memory,
                    const pi_uint32 local[3]);

/* Returns whether work-groups of this size divide a range and are within the limits. */
bool local_size_fits(const struct kernel_limits *limits, const size_t global[3],
                     const pi_uint32 local[3]);

/*
 * Chooses a local size that divides the range and is within the limits. Of these it chooses the one
 * with the fewest idle lanes, then the most work-items, then the longest rows. preferred is the
 * number of work-items that suits the device best; it is exceeded only if there would be too many
 * groups otherwise. Returns false if no size is within the limits.
 */
bool local_size_choose(const struct kernel_limits *limits, const size_t global[3], size_t preferred,
                       pi_uint32 local[3]);

#endif
