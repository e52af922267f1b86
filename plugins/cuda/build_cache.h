/*
 * Builds of SPIR-V and PTX, for whoever wants the same: of SPIR-V the module on the device, in the
 * memory of its context; of both a cubin in the directory of ../code/generated_cache.h, which is
 * what loads fastest.
 */
#ifndef CUDA_BUILD_CACHE_H
#define CUDA_BUILD_CACHE_H

#include "program.h"

/* The cache of a context that nobody knows yet; and its end, with the context. */
void build_cache_open(pi_context context);
void build_cache_close(pi_context context);

/* Returns whether a program's builds are kept. */
bool build_cache_takes(pi_program program);

/*
 * As build_new. The module may be that of other programs, unless its code has variables that
 * outlive a launch. Threads, and processes with one directory, that want the same at the same time
 * have it built once.
 */
pi_result build_cache_get(const build_order *order, program_build **ret);

#endif
