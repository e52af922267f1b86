/* A growing array: its items, count, and capacity. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes space for one more element of the array at *items, the address of the pointer to it.
 * Returns false when memory is exhausted, and leaves the array unchanged.
 */
static inline bool vector_reserve(void *items, size_t *capacity, size_t count,
                                  size_t element_size) {
  if (count < *capacity)
    return true;
  const size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
  if (wanted > SIZE_MAX / 2 / element_size)
    return false;
  void *old;
  memcpy(&old, items, sizeof old);
  void *grown = realloc(old, wanted * element_size);
  if (grown == NULL)
    return false;
  memcpy(items, &grown, sizeof grown);
  *capacity = wanted;
  return true;
}

/* VECTOR declares a growing array of a type; its owner frees items. VECTOR_RESERVE makes space for
 * one more element. */
#define VECTOR(type)                                                                               \
  struct {                                                                                         \
    type *items;                                                                                   \
    size_t count;                                                                                  \
    size_t capacity;                                                                               \
  }
#define VECTOR_RESERVE(vector)                                                                     \
  vector_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, sizeof *(vector)->items)

#endif
