/* The choice of a work-group size for launches that leave it to the plugin. */
#ifndef PI_CUDA_LOCAL_SIZE_H
#define PI_CUDA_LOCAL_SIZE_H

#include "device.h"

#include <stdatomic.h>

/* What a choice depends on, and the choice. */
typedef struct local_size_entry {
  atomic_uint serial; /* odd while it is written */
  atomic_size_t global[3];
  atomic_size_t dynamic_shared;
  atomic_uint local[3]; /* 0 before the first choice */
} local_size_entry;

enum { LOCAL_SIZE_ENTRIES = 4 };

/* The latest choices of a kernel; any thread may look into it or add to it at any time. */
typedef struct local_size_cache {
  local_size_entry entries[LOCAL_SIZE_ENTRIES];
} local_size_cache;

/* A choice that is there for this range; false when it is not. */
bool local_size_find(const local_size_cache *cache, const size_t global[3], size_t dynamic_shared,
                     unsigned local[3]);

/* Adds a choice; does nothing while another thread adds one at the same place. */
void local_size_add(local_size_cache *cache, const size_t global[3], size_t dynamic_shared,
                    const unsigned local[3]);

/*
 * The local size of at most threads work-items that divides the range, fits the device and its
 * grids, and has the fewest idle lanes; among equals the one with the most work-items, then with
 * the longest rows. preferred is how many work-items the device runs best: more are not chosen.
 * False when no size gives a grid that the device has.
 */
bool local_size_choose(const struct pi_device_object *device, const size_t global[3],
                       size_t threads, size_t preferred, unsigned local[3]);

#endif
