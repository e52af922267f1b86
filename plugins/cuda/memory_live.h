/*
 * List of live memory objects. On a platform that reports backend opencl, runtimes set memory
 * objects as 8 plain bytes. A number that only looks like an address must not be followed, so the
 * objects are listed there. Other backends list nothing.
 */
#ifndef CUDA_MEMORY_LIVE_H
#define CUDA_MEMORY_LIVE_H

#include "memory.h"

/* Lists a new object. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result memory_live_add(pi_mem mem);

/* Removes an object, when its last reference goes. */
void memory_live_remove(pi_mem mem);

/* Returns whether these 8 bytes are the handle of a live object. Takes no lock. */
bool memory_live_has(const void *bytes);

#endif
