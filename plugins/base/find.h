/* Searches in sorted arrays. Elements are found by a key, as bsearch does; equal ones may follow
 * each other. */
#ifndef BASE_FIND_H
#define BASE_FIND_H

#include <stddef.h>
#include <stdint.h>

/* The order of elements that begin with an id, for qsort and bsearch. A key is the id alone. */
static inline int compare_ids(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/*
 * Returns the index of the first of count sorted elements that does not precede key; count if all
 * do. compare gets the key and an element.
 */
static inline size_t find_first(const void *key, const void *items, size_t count, size_t size,
                                int (*compare)(const void *, const void *)) {
  size_t low = 0;
  for (size_t high = count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (compare(key, (const char *)items + middle * size) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the first of count elements, sorted by compare_ids, that has the id; NULL if none has. */
static inline void *find_id(uint32_t id, const void *items, size_t count, size_t size) {
  const size_t index = find_first(&id, items, count, size, compare_ids);
  if (index == count)
    return NULL;
  const char *found = (const char *)items + index * size;
  return compare_ids(&id, found) == 0 ? (void *)found : NULL;
}

#endif
