/*
 * A random kernel as OpenCL C. Its text follows from a seed and numbers alone; all of its parts are
 * numbered, and a part can be left out without a change of any other, which is how a failure
 * shrinks.
 */
#ifndef DIFFERENTIAL_KERNEL_H
#define DIFFERENTIAL_KERNEL_H

#include <stdint.h>

/* The launch of a kernel and its output: COLUMNS numbers for each item, and COUNTERS of all. */
enum { ITEMS = 96, COLUMNS = 48, COUNTERS = 16, INPUTS = 1024, CONSTANTS = 4, PARTS_MAX = 4096 };

typedef struct kernel {
  uint64_t seed;
  uint32_t index;      /* of the kernel, in all of the seed's */
  uint32_t group_size; /* of the case's kernels */
  uint32_t sub_group_size;
  unsigned char without[PARTS_MAX]; /* parts that are left out */
  uint32_t parts;                   /* written by kernel_write */
} kernel;

/* Writes the kernel "kernel<index>" and its functions; until memory_free_all. */
const char *kernel_write(kernel *of);

#endif
