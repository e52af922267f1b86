#include "local_size.h"

#include <string.h>

bool local_size_find(const local_size_cache *cache, const size_t global[3], uint32_t local[3]) {
  for (int i = 0; i < LOCAL_SIZE_ENTRIES; i++) {
    const local_size_entry *it = &cache->entries[i];
    if (it->global[0] != global[0] || it->global[1] != global[1] || it->global[2] != global[2] ||
        it->local[0] == 0)
      continue;
    memcpy(local, it->local, sizeof it->local);
    return true;
  }
  return false;
}

void local_size_add(local_size_cache *cache, const size_t global[3], const uint32_t local[3]) {
  local_size_entry *it = &cache->entries[cache->next];
  cache->next = (cache->next + 1) % LOCAL_SIZE_ENTRIES;
  memcpy(it->global, global, sizeof it->global);
  memcpy(it->local, local, sizeof it->local);
}

bool local_size_fits(const size_t global[3], const uint32_t local[3], size_t items,
                     const uint32_t limits[3]) {
  size_t all = 1;
  for (int i = 0; i < 3; i++) {
    if (local[i] == 0 || local[i] > limits[i] || global[i] % local[i] != 0)
      return false;
    all *= local[i];
    if (all > items)
      return false;
  }
  return true;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The largest divisor of a number up to a limit, of those that are multiples if there are any. */
static uint32_t divisor(size_t number, size_t limit, size_t multiple) {
  uint32_t best = 1;
  bool is_multiple = multiple <= 1;
  for (size_t i = 1; i <= smaller(number, limit); i++) {
    if (number % i != 0)
      continue;
    const bool suits = multiple <= 1 || i % multiple == 0;
    if (suits >= is_multiple) {
      best = (uint32_t)i;
      is_multiple = suits;
    }
  }
  return best;
}

void local_size_choose(const size_t global[3], size_t items, const uint32_t limits[3],
                       uint32_t multiple, uint32_t local[3]) {
  for (int i = 0; i < 3; i++) {
    local[i] = divisor(global[i], smaller(items, limits[i]), i == 0 ? multiple : 1);
    items /= local[i];
  }
}
