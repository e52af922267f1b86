/* The environment that influences drivers' compilers. Any thread may call this. */
#ifndef SPECPI_SURROUNDINGS_H
#define SPECPI_SURROUNDINGS_H

#include "../plugins/base/cache_key.h"

/*
 * The hash of the variables that drivers' compilers read and of the processor's features, at the
 * first call. It is a part of programs' keys, so that different machines can share a directory,
 * e.g. in a home.
 */
cache_hash surroundings_hash(void);

#endif
