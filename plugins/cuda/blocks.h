/*
 * Pools of freed memory, see ../objects/block_pool.h. A CUcontext has one pool, which all PI
 * contexts over it share. In a context of several devices a freed block also waits for the commands
 * of the other devices. Any thread may call each function. member is a context of one device, and
 * is current.
 */
#ifndef CUDA_BLOCKS_H
#define CUDA_BLOCKS_H

#include "../objects/block_pool.h"
#include "context.h"

/* Attaches a context to its pool, or detaches it; the last one to leave destroys the pool. */
pi_result blocks_hold(pi_context member);
void blocks_yield(pi_context member);

/* Adds a queue whose commands may use the memory; removes it before its streams are destroyed. */
void blocks_add_queue(pi_queue queue);
void blocks_remove_queue(pi_queue queue);

/*
 * Allocates size bytes at *ret. Host memory is pinned and mapped for all contexts.
 * PI_ERROR_OUT_OF_RESOURCES: the driver has too little memory, even after blocks_trim.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result blocks_allocate(pi_context member, block_kind kind, size_t size, void **ret);

/*
 * Frees the block that starts at pointer, and makes the context of its pool current. Returns false
 * if no block in use starts there; then the caller frees pointer by the driver's functions.
 */
bool blocks_free(pi_context context, void *pointer);

/*
 * Returns whether a block of the context starts at base; *size is the requested size, 0 when the
 * block is idle.
 */
bool blocks_find(pi_context context, uintptr_t base, size_t *size);

/* Marks the block that starts at base as unfit for reuse: it goes to the driver when freed. */
void blocks_spoil(pi_context context, uintptr_t base);

/*
 * Gives all idle blocks back to the driver; returns whether there were any. Does nothing while an
 * unset user event holds a stream back, because the driver's free would wait for that stream.
 */
bool blocks_trim(pi_context member);

/* Returns the bytes of device memory that are idle in the pool of the device's primary context. */
size_t blocks_idle(pi_device device);

#endif
