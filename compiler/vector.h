/* A growing array: items, how many there are, how many have space. */
#ifndef COMPILER_VECTOR_H
#define COMPILER_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes space for one more element of the array at *items; false when memory is exhausted,
 * and then the array is as before.
 */
bool vector_reserve(void *items, size_t *capacity, size_t count, size_t element_size);

/* The members of a growing array of a type, and the space for one more. The owner frees items. */
#define VECTOR(type)                                                                               \
  struct {                                                                                         \
    type *items;                                                                                   \
    size_t count;                                                                                  \
    size_t capacity;                                                                               \
  }
#define VECTOR_RESERVE(vector)                                                                     \
  vector_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, sizeof *(vector)->items)

#endif
