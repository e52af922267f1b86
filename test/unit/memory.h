/*
 * Allocation under control: a program that links this with -Wl,--wrap= for malloc, calloc,
 * realloc and free, and for strdup, strndup, asprintf and vasprintf where its code calls them, can
 * make the nth allocation fail and sees what is still held. One thread watches; allocations of all
 * threads count.
 */
#ifndef SPECPI_TEST_UNIT_MEMORY_H
#define SPECPI_TEST_UNIT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Counts since memory_watch. */
typedef struct memory_use {
  size_t calls; /* allocations asked for, the failed one included */
  size_t bytes; /* asked for, together */
  long held;    /* blocks allocated and not freed; negative when older ones were freed */
  bool failed;  /* the nth allocation was reached */
} memory_use;

enum { MEMORY_NEVER = -1 };

/* Starts to count; allocation number fail (from 0) fails, none with MEMORY_NEVER. */
void memory_watch(long fail);

/* Blocks held now, while it counts. */
long memory_held(void);

/* Stops to count, and to fail. */
memory_use memory_unwatch(void);

#endif
