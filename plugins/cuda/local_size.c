#include "local_size.h"

/* ---- Choices that were made ---- */

static size_t place_of(const size_t global[3], size_t dynamic_shared) {
  const size_t mixed = (global[0] ^ global[1] * 31 ^ global[2] * 961 ^ dynamic_shared * 7) *
                       (size_t)0x9e3779b97f4a7c15u;
  return mixed >> 32 & (LOCAL_SIZE_ENTRIES - 1);
}

/*
 * The members are read one by one while another thread may write them: each load and store is
 * ordered with those around it, so that an entry whose serial number is even and the same before
 * and after was whole.
 */
bool local_size_find(const local_size_cache *cache, const size_t global[3], size_t dynamic_shared,
                     unsigned local[3]) {
  const local_size_entry *it = &cache->entries[place_of(global, dynamic_shared)];
  const unsigned serial = atomic_load_explicit(&it->serial, memory_order_acquire);
  bool same = serial % 2 == 0 &&
              atomic_load_explicit(&it->dynamic_shared, memory_order_acquire) == dynamic_shared;
  for (int i = 0; i < 3; i++) {
    same = same && atomic_load_explicit(&it->global[i], memory_order_acquire) == global[i];
    local[i] = atomic_load_explicit(&it->local[i], memory_order_acquire);
  }
  return same && local[0] != 0 && atomic_load_explicit(&it->serial, memory_order_relaxed) == serial;
}

void local_size_add(local_size_cache *cache, const size_t global[3], size_t dynamic_shared,
                    const unsigned local[3]) {
  local_size_entry *it = &cache->entries[place_of(global, dynamic_shared)];
  unsigned serial = atomic_load_explicit(&it->serial, memory_order_relaxed);
  if (serial % 2 != 0 || !atomic_compare_exchange_strong(&it->serial, &serial, serial + 1))
    return;
  atomic_store_explicit(&it->dynamic_shared, dynamic_shared, memory_order_release);
  for (int i = 0; i < 3; i++) {
    atomic_store_explicit(&it->global[i], global[i], memory_order_release);
    atomic_store_explicit(&it->local[i], local[i], memory_order_release);
  }
  atomic_store_explicit(&it->serial, serial + 2, memory_order_release);
}

/* ---- The choice ---- */

/* The best size so far. */
typedef struct choice {
  unsigned local[3];
  size_t threads; /* 0: there is none yet */
  size_t lanes;   /* of whole warps that these take */
} choice;

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/*
 * Compares the parts of a multiprocessor's lanes that work, as fractions; then the sizes, then the
 * rows. A multiprocessor takes a limited number of blocks, which fill it if they have two warps.
 */
static bool is_better(const choice *it, const choice *than, size_t warp) {
  if (than->threads == 0)
    return true;
  const size_t mine = it->threads * than->lanes * smaller(it->lanes, 2 * warp);
  const size_t others = than->threads * it->lanes * smaller(than->lanes, 2 * warp);
  if (mine != others)
    return mine > others;
  if (it->threads != than->threads)
    return it->threads > than->threads;
  return it->local[0] > than->local[0];
}

/* Whether size divides a dimension of the range into no more groups than a grid has. */
static bool fits(size_t global, size_t size, size_t max_groups) {
  return global % size == 0 && global / size <= max_groups;
}

bool local_size_choose(const struct pi_device_object *device, const size_t global[3],
                       size_t threads, size_t preferred, unsigned local[3]) {
  const size_t limits[3] = {(size_t)device->driver.max_block_x, (size_t)device->driver.max_block_y,
                            (size_t)device->driver.max_block_z};
  const size_t groups[3] = {(size_t)device->driver.max_grid_x, (size_t)device->driver.max_grid_y,
                            (size_t)device->driver.max_grid_z};
  const size_t warp = (size_t)device->driver.warp_size;
  /* More than the device runs best only where a grid would have too many groups otherwise. */
  const size_t budgets[2] = {smaller(preferred, threads), threads};
  choice best = {.threads = 0};
  for (int b = 0; b < 2 && best.threads == 0; b++) {
    const size_t budget = budgets[b];
    for (size_t x = 1; x <= smaller(budget, smaller(limits[0], global[0])); x++) {
      if (!fits(global[0], x, groups[0]))
        continue;
      for (size_t y = 1; y <= smaller(budget / x, smaller(limits[1], global[1])); y++) {
        if (!fits(global[1], y, groups[1]))
          continue;
        for (size_t z = 1; z <= smaller(budget / x / y, smaller(limits[2], global[2])); z++) {
          if (!fits(global[2], z, groups[2]))
            continue;
          choice it = {{(unsigned)x, (unsigned)y, (unsigned)z}, x * y * z, 0};
          it.lanes = (it.threads + warp - 1) / warp * warp;
          if (is_better(&it, &best, warp))
            best = it;
        }
      }
    }
  }
  for (int i = 0; i < 3; i++)
    local[i] = best.local[i];
  return best.threads != 0;
}
