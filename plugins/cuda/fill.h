/*
 * Fills by CUDA's commands: the driver sets elements of 1, 2 or 4 bytes, in rows with a pitch. Any
 * other pattern becomes several such commands, and copies of what they wrote.
 */
#ifndef CUDA_FILL_H
#define CUDA_FILL_H

#include "../checks/rect.h"
#include "cuda.h"

/* One command of a fill. Steps have an order: one may copy what an earlier one wrote. */
typedef struct fill_step {
  bool is_copy;       /* rows are copied from; else each element of rows is set to value */
  fill_area rows;     /* width is in bytes in both cases */
  CUdeviceptr from;   /* of a copy: rows of the same width, height and pitch; no overlap */
  unsigned element;   /* of a memset: 1, 2 or 4 bytes; pointer and pitch are multiples of it */
  unsigned int value; /* of a memset: the element, little endian */
} fill_step;

/* State of a fill between two steps. Only fill.c uses the members. */
typedef struct fill {
  fill_area rows;
  const unsigned char *pattern; /* the caller's */
  size_t period;                /* bytes after which the pattern repeats itself */
  unsigned element;
  size_t set;     /* bytes of the pattern that memsets cover so far */
  size_t started; /* bytes of the first row that the memsets fill */
  size_t width;   /* bytes of the first row that are filled */
  size_t height;  /* rows that are filled */
} fill;

/*
 * Prepares to fill rows with a repeated pattern of pattern_size bytes, which must not change until
 * the last step is made. width and height are not 0, pattern_size is not 0 and divides width.
 * Allocates nothing and does not call the driver.
 */
void fill_begin(fill *fill, const fill_area *rows, const void *pattern, size_t pattern_size);

/*
 * The next command; false when none is left. A pattern with a period of 1, 2 or 4 bytes in aligned
 * memory needs one. Any other pattern needs a memset for each of its 4 bytes (for each byte, where
 * it or its place is odd), then copies that double the filled part: as many as log2 of the number
 * of repetitions.
 */
bool fill_next(fill *fill, fill_step *ret);

/* Enqueues one step; the stream's context is current. */
pi_result fill_enqueue_step(CUstream stream, const fill_step *step);

/*
 * Enqueues a whole fill, as fill_begin describes it; a width or height of 0 enqueues nothing. The
 * stream's context is current, and the caller has checked the range. The pattern is not needed
 * afterwards. A failure is the driver's; steps that were enqueued before it run all the same.
 */
pi_result fill_enqueue(CUstream stream, const fill_area *rows, const void *pattern,
                       size_t pattern_size);

#endif
