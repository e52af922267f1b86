/*
 * Which memory objects live. On a platform that reports backend opencl, runtimes set memory objects
 * as 8 plain bytes; a number that happens to look like an address must not be looked into, so that
 * the objects are listed there. On other backends nothing is listed.
 */
#ifndef CUDA_MEMORY_LIVE_H
#define CUDA_MEMORY_LIVE_H

#include "memory.h"

/* Lists a new object. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result memory_live_add(pi_mem mem);

/* Takes it out, when its last reference goes. */
void memory_live_remove(pi_mem mem);

/* Returns whether these 8 bytes are the handle of a live object. Takes no lock. */
bool memory_live_has(const void *bytes);

#endif
