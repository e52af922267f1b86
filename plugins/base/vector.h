/* A growing array: its items, count, and capacity. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Gives the array at *items, the address of the pointer to it, space for count elements, 1 or more.
 * Returns false when memory is exhausted, and leaves the array unchanged.
 */
static inline bool vector_resize(void *items, size_t count, size_t element_size) {
  void *old;
  if (count > SIZE_MAX / 2 / element_size)
    return false;
  memcpy(&old, items, sizeof old);
  void *grown = realloc(old, count * element_size);
  if (grown == NULL)
    return false;
  memcpy(items, &grown, sizeof grown);
  return true;
}

/* Makes space for this many more elements after the first count. Fails as vector_resize does. */
static inline bool vector_extend(void *items, size_t *capacity, size_t count, size_t more,
                                 size_t element_size) {
  if (more > SIZE_MAX / 2 - count)
    return false;
  if (count + more <= *capacity)
    return true;
  size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
  if (wanted < count + more)
    wanted = count + more;
  if (!vector_resize(items, wanted, element_size))
    return false;
  *capacity = wanted;
  return true;
}

/* Makes space for one more element. */
static inline bool vector_reserve(void *items, size_t *capacity, size_t count,
                                  size_t element_size) {
  return count < *capacity || vector_extend(items, capacity, count, 1, element_size);
}

/* VECTOR declares a growing array of a type; its owner frees items. VECTOR_RESERVE makes space for
 * one more element, VECTOR_EXTEND for more of them. */
#define VECTOR(type)                                                                               \
  struct {                                                                                         \
    type *items;                                                                                   \
    size_t count;                                                                                  \
    size_t capacity;                                                                               \
  }
#define VECTOR_RESERVE(vector)                                                                     \
  vector_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, sizeof *(vector)->items)
#define VECTOR_EXTEND(vector, more)                                                                \
  vector_extend(&(vector)->items, &(vector)->capacity, (vector)->count, more,                      \
                sizeof *(vector)->items)

#endif
