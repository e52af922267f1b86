/*
 * CUDA's own pools of device memory, for those of ../objects/usm_pool.h. Pools and their memory
 * belong to a device: the driver knows no context of them.
 */
#ifndef CUDA_MEMORY_POOL_H
#define CUDA_MEMORY_POOL_H

#include "context.h"

/* Allocates from a pool; any stream may use the memory at once. The context is current. */
pi_result memory_pool_take(pi_context context, pi_native_handle pool, size_t size, void **ret);

/* Destroys the pools kept for a device, which nobody uses any more. */
void memory_pools_destroy(pi_device device);

#endif
