/* Builds a device image: a kernel with any number of 32-bit constants. */
#ifndef SPECPI_BENCH_CACHE_IMAGE_H
#define SPECPI_BENCH_CACHE_IMAGE_H

#include <specpi/specpi.h>
#include <stdint.h>

enum { CACHE_IMAGE_MOST = 1024 }; /* largest number of constants */

/*
 * Creates an input bundle for a device from a module of kernels/many.cl, with this number of
 * constants, whose names are "c0", "c1" and so on. Ends the program on errors.
 */
specpi_bundle cache_image_bundle(specpi_device device, const unsigned char *begin,
                                 const unsigned char *end, unsigned constants);

/* Returns the name of a constant, a static string. number must be below CACHE_IMAGE_MOST. */
const char *cache_image_constant(unsigned number);

/* Launches the module's kernel once, and returns its result. Ends the program on errors. */
uint32_t cache_image_run(specpi_queue queue, specpi_kernel kernel);

#endif
