/*
 * The cache of built programs, and of their kernels. A program is kept by all that decides on its
 * code; one that reads its constants from a buffer is shared by all values, and has an entry for
 * each set of them that has been asked for. Any thread.
 */
#ifndef SPECPI_PROGRAM_CACHE_H
#define SPECPI_PROGRAM_CACHE_H

#include "bundle.h"

/*
 * As program_build, from the cache if the program is there. source->image is one that image_own
 * gave. Threads that ask for one program at the same time get the one that the first of them
 * builds, or its error.
 */
specpi_result program_cache_get(const program_source *source, program **ret);

#endif
