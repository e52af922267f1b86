/*
 * Cache of builds, in two parts. Each context keeps the loaded modules of SPIR-V programs. The
 * directory of ../code/generated_cache.h keeps the cubins of SPIR-V and PTX programs, because
 * cubins load fastest.
 */
#ifndef CUDA_BUILD_CACHE_H
#define CUDA_BUILD_CACHE_H

#include "program.h"

/* Opens the cache of a new context, and closes it with the context. */
void build_cache_open(pi_context context);
void build_cache_close(pi_context context);

/* Returns whether the cache keeps builds of a program. */
bool build_cache_takes(pi_program program);

/*
 * Does what build_new does, by way of the cache. Programs share a module unless its code has
 * variables that keep values between launches. If several threads, or processes with the same
 * directory, ask for the same build at the same time, only one of them makes it.
 */
pi_result build_cache_get(const build_order *order, program_build **ret);

#endif
