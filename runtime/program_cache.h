/*
 * The cache of built programs and their kernels. A program's key has everything that determines its
 * code. A program that reads its constants from a buffer is shared by all sets of values, and has
 * one more entry for each set that was requested. Any thread may use the cache.
 */
#ifndef SPECPI_PROGRAM_CACHE_H
#define SPECPI_PROGRAM_CACHE_H

#include "bundle.h"

/*
 * As program_build, but takes the program from the cache if it is there. source->image is from
 * image_own. Threads that request the same program at the same time get the one that the first of
 * them builds, or its error.
 */
specpi_result program_cache_get(const program_source *source, program **ret);

#endif
