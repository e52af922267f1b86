/* Declarations that both programs and the reference share. */
#ifndef SPECPI_EXAMPLES_BLUR_H
#define SPECPI_EXAMPLES_BLUR_H

#define BLUR_RADIUS_MAX 8

#ifndef __OPENCL_C_VERSION__

#include "picture.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of radii that the programs use. */
enum { BLUR_RADII = 3 };
extern const int blur_radii[BLUR_RADII];

/* The constant "weights", as in blur.cl. */
typedef struct blur_weights {
  int32_t at[BLUR_RADIUS_MAX + 1];
} blur_weights;

/* A Gaussian bell that ends at the radius; all weights of a row add up to 65536. */
blur_weights blur_weights_of(int radius);

/*
 * The input of blur_rows: the picture with BLUR_RADIUS_MAX more pixels on each side, which are
 * copies of those at the edge. Ends the program if memory is exhausted. The caller frees pixels.
 */
picture blur_padded(const picture *of);

/* The expected result: the filter on the host, with the same steps as in blur.cl. */
picture blur_reference(const picture *padded, int radius);

/* Counts the equal bytes of two pictures of the same size. */
size_t blur_equal_bytes(const picture *a, const picture *b);

#ifdef __cplusplus
}
#endif

#endif

#endif
