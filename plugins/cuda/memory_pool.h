/*
 * CUDA's own pools of device memory, which implement ../objects/usm_pool.h. A pool and its memory
 * belong to a device, not to a context.
 */
#ifndef CUDA_MEMORY_POOL_H
#define CUDA_MEMORY_POOL_H

#include "context.h"

/* Allocates from a pool, and waits, so that any stream may use the memory. context is current. */
pi_result memory_pool_take(pi_context context, pi_native_handle pool, size_t size, void **ret);

/* Destroys the unused pools that are kept for a device. */
void memory_pools_destroy(pi_device device);

#endif
