/*
 * Makes the nth allocation fail and counts the blocks still held. The program must be linked with
 * -Wl,--wrap= for malloc, calloc, realloc and free, and, if its code calls them, for strdup,
 * strndup, asprintf and vasprintf. One thread watches; the allocations of all threads count.
 */
#ifndef SPECPI_TEST_UNIT_MEMORY_H
#define SPECPI_TEST_UNIT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Counts since memory_watch(). */
typedef struct memory_use {
  size_t calls; /* allocations requested, including the failed one */
  size_t bytes; /* sum of the requested sizes */
  long held;    /* blocks allocated and not freed; negative if older ones were freed */
  bool failed;  /* the nth allocation was requested, and failed */
} memory_use;

enum { MEMORY_NEVER = -1 };

/* Starts counting. Allocation number `fail` (from 0) fails; none does with MEMORY_NEVER. */
void memory_watch(long fail);

/* Returns the current number of held blocks. */
long memory_held(void);

/* Stops counting, so that no allocation fails any more; returns the counts. */
memory_use memory_unwatch(void);

#endif
