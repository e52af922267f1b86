/* The number of references to an object, for objects that are counted. */
#ifndef SPECPI_REFERENCES_H
#define SPECPI_REFERENCES_H

#include <stdatomic.h>
#include <stdbool.h>

typedef atomic_uint references;

static inline void references_init(references *count) {
  atomic_init(count, 1);
}

static inline void references_add(references *count) {
  atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

/* Gives one up; true when it was the last one and the object goes away. */
static inline bool references_drop(references *count) {
  return atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel) == 1;
}

#endif
