#include "local_size.h"

#include "launch.h"

/* ---- Earlier choices ---- */

/*
 * Compares an entry and reads its local size while another thread may write it. The members are
 * consistent if the serial number is even and the same before and after reading: acquire and
 * release keep the loads and stores in order.
 */
static bool find_entry(const local_size_entry *entry, const size_t global[3], size_t local_memory,
                       pi_uint32 local[3]) {
  const unsigned serial = atomic_load_explicit(&entry->serial, memory_order_acquire);
  if (serial % 2 != 0 ||
      atomic_load_explicit(&entry->local_memory, memory_order_acquire) != local_memory)
    return false;
  for (int i = 0; i < 3; i++) {
    if (atomic_load_explicit(&entry->global[i], memory_order_acquire) != global[i])
      return false;
    local[i] = atomic_load_explicit(&entry->local[i], memory_order_acquire);
  }
  return local[0] != 0 && atomic_load_explicit(&entry->serial, memory_order_relaxed) == serial;
}

bool local_size_find(const local_size_cache *cache, const size_t global[3], size_t local_memory,
                     pi_uint32 local[3]) {
  for (int i = 0; i < LOCAL_SIZE_ENTRIES; i++)
    if (find_entry(&cache->entries[i], global, local_memory, local))
      return true;
  return false;
}

void local_size_add(local_size_cache *cache, const size_t global[3], size_t local_memory,
                    const pi_uint32 local[3]) {
  const unsigned next = atomic_fetch_add_explicit(&cache->next, 1, memory_order_relaxed);
  local_size_entry *entry = &cache->entries[next % LOCAL_SIZE_ENTRIES];
  unsigned serial = atomic_load_explicit(&entry->serial, memory_order_relaxed);
  if (serial % 2 != 0 || !atomic_compare_exchange_strong(&entry->serial, &serial, serial + 1))
    return;
  atomic_store_explicit(&entry->local_memory, local_memory, memory_order_release);
  for (int i = 0; i < 3; i++) {
    atomic_store_explicit(&entry->global[i], global[i], memory_order_release);
    atomic_store_explicit(&entry->local[i], local[i], memory_order_release);
  }
  atomic_store_explicit(&entry->serial, serial + 2, memory_order_release);
}

/* ---- The choice ---- */

/* A candidate for the local size. */
typedef struct choice {
  pi_uint32 local[3];
  size_t threads; /* work-items; 0: no candidate yet */
  size_t lanes;   /* threads, rounded up to whole warps or sub-groups */
} choice;

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/*
 * Returns whether `one` uses a larger fraction of a multiprocessor's lanes; if equal, whether it
 * has more threads, and then whether its rows are longer. Blocks of two warps or more can fill a
 * multiprocessor; smaller ones cannot, because the number of blocks is limited.
 */
static bool is_better(const choice *one, const choice *than, size_t warp) {
  if (than->threads == 0)
    return true;
  const size_t mine = one->threads * than->lanes * smaller(one->lanes, 2 * warp);
  const size_t others = than->threads * one->lanes * smaller(than->lanes, 2 * warp);
  if (mine != others)
    return mine > others;
  if (one->threads != than->threads)
    return one->threads > than->threads;
  return one->local[0] > than->local[0];
}

/* Returns whether size divides a dimension into at most max_groups groups. */
static bool divides(size_t global, size_t size, size_t max_groups) {
  return global % size == 0 && global / size <= max_groups;
}

bool local_size_fits(const kernel_limits *limits, const size_t global[3],
                     const pi_uint32 local[3]) {
  size_t items = 1;
  for (int i = 0; i < 3; i++) {
    if (local[i] == 0 || local[i] > limits->max_group[i] ||
        !divides(global[i], local[i], limits->max_groups[i]))
      return false;
    items *= local[i];
    if (items > limits->max_items)
      return false;
  }
  return true;
}

/* Tries all sizes of at most budget work-items, and updates *best. */
static void choose_within(const kernel_limits *limits, const size_t global[3], size_t budget,
                          choice *best) {
  const size_t lanes = limits->preferred_multiple;
  const size_t *most = limits->max_group, *groups = limits->max_groups;
  for (size_t x = 1; x <= smaller(budget, smaller(most[0], global[0])); x++) {
    if (!divides(global[0], x, groups[0]))
      continue;
    for (size_t y = 1; y <= smaller(budget / x, smaller(most[1], global[1])); y++) {
      if (!divides(global[1], y, groups[1]))
        continue;
      for (size_t z = 1; z <= smaller(budget / x / y, smaller(most[2], global[2])); z++) {
        if (!divides(global[2], z, groups[2]))
          continue;
        choice choice = {{(pi_uint32)x, (pi_uint32)y, (pi_uint32)z}, x * y * z, 0};
        choice.lanes = (choice.threads + lanes - 1) / lanes * lanes;
        if (is_better(&choice, best, lanes))
          *best = choice;
      }
    }
  }
}

bool local_size_choose(const kernel_limits *limits, const size_t global[3], size_t preferred,
                       pi_uint32 local[3]) {
  /* Tries more than preferred work-items only if with fewer there would be too many groups. */
  const size_t budgets[2] = {smaller(preferred, limits->max_items), limits->max_items};
  choice best = {.threads = 0};
  for (int b = 0; b < 2 && best.threads == 0; b++)
    choose_within(limits, global, budgets[b], &best);
  for (int i = 0; i < 3; i++)
    local[i] = best.local[i];
  return best.threads != 0;
}
