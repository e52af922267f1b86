/*
 * CUDA's own pools of device memory, for those of ../objects/usm_pool.h. They belong to a device,
 * and so does what is allocated from one: the driver knows no context of it.
 */
#ifndef CUDA_MEMORY_POOL_H
#define CUDA_MEMORY_POOL_H

#include "context.h"

/* Memory of a pool, which any stream may use at once. The context is current. */
pi_result memory_pool_take(pi_context context, pi_native_handle pool, size_t size, void **ret);

/* Ends the pools that are kept for a device, which nobody uses any more. */
void memory_pools_destroy(pi_device device);

#endif
