/* A device image made by hand: a kernel with any number of 32-bit constants. */
#ifndef SPECPI_BENCH_CACHE_IMAGE_H
#define SPECPI_BENCH_CACHE_IMAGE_H

#include <specpi/specpi.h>
#include <stdint.h>

enum { CACHE_IMAGE_MOST = 1024 }; /* constants */

/*
 * An input bundle of a module made from kernels/many.cl with that number of constants, named "c0"
 * and so on, for a device. Ends the program on errors.
 */
specpi_bundle cache_image_bundle(specpi_device device, const unsigned char *begin,
                                 const unsigned char *end, unsigned constants);

/* The name of a constant; valid as long as the program. number is below CACHE_IMAGE_MOST. */
const char *cache_image_constant(unsigned number);

/* Launches such a module's kernel once: the number that it makes. Ends the program on errors. */
uint32_t cache_image_run(specpi_queue queue, specpi_kernel kernel);

#endif
