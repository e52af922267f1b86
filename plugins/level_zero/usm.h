/* Unified shared memory for internal use by the plugin. */
#ifndef LEVEL_ZERO_USM_H
#define LEVEL_ZERO_USM_H

#include "../objects/usm.h"
#include "context.h"

/*
 * Allocates size bytes of host memory that the devices of a context reach. The caller frees it with
 * usm_free_host when no command uses it any more. Passes on the driver's errors.
 */
pi_result usm_alloc_host(pi_context context, size_t size, void **ret);
void usm_free_host(pi_context context, void *memory);

/* Allocates device memory. flags are bits of PI_MEM_ALLOC_FLAGS. */
pi_result usm_alloc_device(pi_context context, pi_device device, unsigned flags, size_t size,
                           pi_uint32 alignment, void **ret);

#endif
