/*
 * Fills with patterns of any size. CUDA's memsets write elements of 1, 2 or 4 bytes, in rows with a
 * pitch. A fill with any other pattern consists of several memsets and copies.
 */
#ifndef CUDA_FILL_H
#define CUDA_FILL_H

#include "../checks/rect.h"
#include "cuda.h"

/* One command of a fill. The order of the steps matters: a step may copy earlier steps' output. */
typedef struct fill_step {
  bool is_copy;       /* copies from `from` to rows; else sets each element of rows to value */
  fill_area rows;     /* width is in bytes in both cases */
  CUdeviceptr from;   /* of a copy: has the width, height and pitch of rows; no overlap */
  unsigned element;   /* of a memset: size, 1, 2 or 4 bytes, which divides pointer and pitch */
  unsigned int value; /* of a memset: the element's bytes, little endian */
} fill_step;

/* State of a fill between two steps. Only fill.c uses the members. */
typedef struct fill {
  fill_area rows;
  const unsigned char *pattern; /* the caller's */
  size_t period;                /* bytes of the shortest part that repeats in the pattern */
  unsigned element;
  size_t set;     /* bytes of the pattern that memsets cover so far */
  size_t started; /* bytes of the first row that all memsets together fill */
  size_t width;   /* bytes of the first row that are filled so far */
  size_t height;  /* rows that are filled so far */
} fill;

/*
 * Prepares to fill rows with a repeated pattern. The pattern must not change before fill_next has
 * returned the last step. width, height and pattern_size are not 0, and pattern_size divides width.
 * Allocates nothing and does not call the driver.
 */
void fill_begin(fill *fill, const fill_area *rows, const void *pattern, size_t pattern_size);

/*
 * Returns the fill's next command; false when none is left. A pattern with a period of 1, 2 or 4
 * bytes needs one command in aligned memory. Any other pattern needs a memset for each 4 bytes of
 * its period (for each 2 bytes or 1 byte, if the period or the address is not a multiple of 4), and
 * then copies, whose number is about log2 of the number of repetitions.
 */
bool fill_next(fill *fill, fill_step *ret);

/* Enqueues one step; the stream's context is current. */
pi_result fill_enqueue_step(CUstream stream, const fill_step *step);

/*
 * Enqueues all steps of a fill (fill_begin); none if width or height is 0. The stream's context is
 * current, and the caller has checked the range. The pattern is not needed afterwards. Returns the
 * driver's failures; steps enqueued before a failure run all the same.
 */
pi_result fill_enqueue(CUstream stream, const fill_area *rows, const void *pattern,
                       size_t pattern_size);

#endif
