/*
 * Cache of builds. Of SPIR-V it keeps modules on the device, in the memory of their context. Of
 * SPIR-V and PTX it keeps cubins, which load fastest, in the directory of
 * ../code/generated_cache.h.
 */
#ifndef CUDA_BUILD_CACHE_H
#define CUDA_BUILD_CACHE_H

#include "program.h"

/* Opens the cache of a context before others know it, and closes it with the context. */
void build_cache_open(pi_context context);
void build_cache_close(pi_context context);

/* Returns whether a program's builds are kept. */
bool build_cache_takes(pi_program program);

/*
 * As build_new. Other programs may share the module, unless its code has variables that outlive a
 * launch. Threads, and processes with one directory, that want the same at the same time build it
 * once.
 */
pi_result build_cache_get(const build_order *order, program_build **ret);

#endif
