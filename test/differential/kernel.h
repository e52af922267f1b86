/*
 * A random kernel in OpenCL C, which depends only on the members of kernel. All of its parts are
 * numbered. Leaving a part out does not change the others, so that failing kernels can be reduced.
 */
#ifndef DIFFERENTIAL_KERNEL_H
#define DIFFERENTIAL_KERNEL_H

#include <stdint.h>

/* Sizes of a launch and its output: COLUMNS numbers for each item, and COUNTERS for all. */
enum { ITEMS = 96, COLUMNS = 48, COUNTERS = 16, INPUTS = 1024, CONSTANTS = 4, PARTS_MAX = 4096 };

typedef struct kernel {
  uint64_t seed;
  uint32_t index;      /* of the kernel among all kernels of the seed */
  uint32_t group_size; /* the same for all kernels of a case */
  uint32_t sub_group_size;
  unsigned char without[PARTS_MAX]; /* parts that are left out */
  uint32_t parts;                   /* number of parts, set by kernel_write */
} kernel;

/* Returns the source of "kernel<index>" and its functions, until memory_free_all. */
const char *kernel_write(kernel *of);

#endif
