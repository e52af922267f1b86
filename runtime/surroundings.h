/* Which of the process's surroundings a driver's compiler goes by. Any thread. */
#ifndef SPECPI_SURROUNDINGS_H
#define SPECPI_SURROUNDINGS_H

#include "../plugins/base/cache_key.h"

/*
 * The hash of the variables that drivers' compilers read and of the processor's features, as they
 * were at the first call: a part of the keys of programs. A directory in a home that several
 * machines share has programs of each kind of them.
 */
cache_hash surroundings_hash(void);

#endif
