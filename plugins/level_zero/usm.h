/* Unified shared memory for the plugin's own use. */
#ifndef LEVEL_ZERO_USM_H
#define LEVEL_ZERO_USM_H

#include "../objects/usm.h"
#include "context.h"

/*
 * Memory of the host that the devices of a context reach, of size bytes; given back with
 * usm_free_host, when no command uses it any more. Fails as the driver does.
 */
pi_result usm_alloc_host(pi_context context, size_t size, void **ret);
void usm_free_host(pi_context context, void *memory);

/* Device memory; flags are those of PI_MEM_ALLOC_FLAGS. */
pi_result usm_alloc_device(pi_context context, pi_device device, unsigned flags, size_t size,
                           pi_uint32 alignment, void **ret);

#endif
