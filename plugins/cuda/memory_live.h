/*
 * List of live memory objects, kept only if the platform reports backend opencl. There runtimes set
 * a kernel's memory objects as 8 plain bytes. The list tells if such bytes are the handle of a
 * memory object, or a value that only looks like one.
 */
#ifndef CUDA_MEMORY_LIVE_H
#define CUDA_MEMORY_LIVE_H

#include "memory.h"

/* Adds a new object. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result memory_live_add(pi_mem mem);

/* Removes an object when its last reference is released. */
void memory_live_remove(pi_mem mem);

/* Returns whether these 8 bytes are the handle of a live object. Takes no lock. */
bool memory_live_has(const void *bytes);

#endif
