/* The parts that the kernels, both programs and the reference share. */
#ifndef SPECPI_EXAMPLES_BLUR_H
#define SPECPI_EXAMPLES_BLUR_H

#define BLUR_RADIUS_MAX 8

#ifndef __OPENCL_C_VERSION__

#include "picture.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The radii that the programs show. */
enum { BLUR_RADII = 3 };
extern const int blur_radii[BLUR_RADII];

/* The constant "weights", as in blur.cl. */
typedef struct blur_weights {
  int32_t at[BLUR_RADIUS_MAX + 1];
} blur_weights;

/* A Gaussian bell that ends at the radius; all weights of a row add up to 65536. */
blur_weights blur_weights_of(int radius);

/*
 * The picture with BLUR_RADIUS_MAX more pixels on each side, copies of those at the edge: what
 * blur_rows reads. Ends the program when there is no memory; the caller frees pixels.
 */
picture blur_padded(const picture *of);

/* The filter on the host, step by step as in blur.cl: what its results must be, byte by byte. */
picture blur_reference(const picture *padded, int radius);

/* Counts the equal bytes of two pictures of the same size. */
size_t blur_equal_bytes(const picture *a, const picture *b);

#ifdef __cplusplus
}
#endif

#endif

#endif
