/* Reference counts of objects. */
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

/* Drops a reference. Returns whether it was the last one, so that the caller frees the object. */
static inline bool references_drop(references *count) {
  return atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel) == 1;
}

#endif
