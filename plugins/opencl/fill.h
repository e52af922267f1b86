/*
 * Fills for which OpenCL has no command. The size of OpenCL's patterns is a power of two up to 128
 * bytes, and they must be aligned to their size. PI's patterns can have any size.
 */
#ifndef OPENCL_FILL_H
#define OPENCL_FILL_H

#include "sequence.h"

/* The memory to fill: a buffer, or USM. */
typedef struct fill_target {
  cl_mem buffer;                       /* NULL for USM */
  char *pointer;                       /* USM only */
  const opencl_extensions *extensions; /* USM only, with EnqueueMemFill and EnqueueMemcpy */
} fill_target;

/* Returns whether one OpenCL command can fill with this pattern from start (offset or address). */
static inline bool fill_is_simple(size_t pattern_size, uintptr_t start) {
  return pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0 &&
         start % pattern_size == 0;
}

/*
 * Adds commands to the sequence that fill height rows of width bytes each. The first row is at
 * offset, and each of the others pitch bytes after the one before. pattern_size divides width;
 * width and height are not 0. The pattern is not used after the return.
 */
pi_result fill_rows(sequence *sequence, const fill_target *target, size_t offset, size_t pitch,
                    size_t width, size_t height, const void *pattern, size_t pattern_size);

#endif
