/* A growing array: its items, count, and capacity. */
#ifndef COMPILER_VECTOR_H
#define COMPILER_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes space for one more element of the array at *items. Returns false when memory is exhausted,
 * and leaves the array unchanged.
 */
bool vector_reserve(void *items, size_t *capacity, size_t count, size_t element_size);

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
