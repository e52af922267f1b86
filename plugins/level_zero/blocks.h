/*
 * Pools of freed memory, see ../objects/block_pool.h. A context has a pool for the memory of each
 * device, and one for host memory and for shared memory of no device.
 *
 * A context made around a native handle that the application keeps has no pools: the application
 * may make another such context, and free memory of the one in the other.
 * SPECPI_LEVEL_ZERO_POOL_BYTES sets the limit of idle bytes. Any thread may call each function; the
 * caller holds no lock of a queue.
 */
#ifndef LEVEL_ZERO_BLOCKS_H
#define LEVEL_ZERO_BLOCKS_H

#include "../objects/block_pool.h"
#include "usm.h"

/*
 * Makes the pools of a new context; those of parts of its devices are made at their first use.
 * PI_ERROR_OUT_OF_HOST_MEMORY, or the code for the driver's failure.
 */
pi_result blocks_open(pi_context context);

/* Ends the pools of a context that no command uses any more. */
void blocks_close(pi_context context);

/*
 * Allocates as usm_take does, but a block of a pool if the request's flags, alignment and size
 * allow that.
 */
pi_result blocks_allocate(const usm_request *request, void **ret);

/*
 * Frees the block that starts at pointer. Returns false if no block in use starts there; then the
 * caller frees pointer by the driver's functions. is_unused: no command of the plugin uses it, so
 * the next allocation may have it. Does not wait for commands, unless the block must not be reused,
 * because it has had advice, or because commands of the application that the plugin cannot see may
 * use it (queue_mark_natives).
 */
bool blocks_free(pi_context context, void *pointer, bool is_unused);

/* Frees memory of blocks_allocate that no command of the plugin uses. */
void blocks_give(pi_context context, void *memory);

/* Returns whether a block starts at base, and describes it. */
bool blocks_describe(pi_context context, uintptr_t base, usm_range *ret);

/* Marks the block that starts at base as unfit for reuse: it goes to the driver when freed. */
void blocks_spoil(pi_context context, uintptr_t base);

/*
 * Gives the idle blocks that no command uses back to the driver, because it is short of memory. If
 * there are none, waits for all commands first, unless one waits for the application. Returns
 * whether it gave any back.
 */
bool blocks_trim(pi_context context);

#endif
