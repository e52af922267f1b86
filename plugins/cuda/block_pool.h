/*
 * Keeps freed memory for reuse, because cuMemAlloc and cuMemFree take 60 to 130 microseconds and
 * cuMemFree waits for the device. Four block sizes for each power of two leave less than a fifth of
 * a block unused. A freed block is idle. It is reused once all commands have ended that any queue
 * of the context had before the free (fence.h), so that any queue may use it then.
 *
 * A CUcontext has one pool, which all PI contexts over it share. In a context of several devices a
 * freed block also waits for the commands of the other devices. Any thread may call each function.
 * member is a context of one device, and is current.
 */
#ifndef CUDA_BLOCK_POOL_H
#define CUDA_BLOCK_POOL_H

#include "context.h"

/* X(NAME, the driver's allocating function): the kinds of memory. Each kind has its own blocks. */
#define BLOCK_KINDS(X)                                                                             \
  X(DEVICE, "cuMemAlloc")                                                                          \
  X(SHARED, "cuMemAllocManaged")                                                                   \
  X(HOST, "cuMemHostAlloc")

typedef enum block_kind {
#define BLOCK_KIND(NAME, call) BLOCK_##NAME,
  BLOCK_KINDS(BLOCK_KIND)
#undef BLOCK_KIND
      BLOCK_KIND_COUNT
} block_kind;

typedef struct block_pool block_pool;

/* Attaches a context to its pool, or detaches it; the last one to leave destroys the pool. */
pi_result block_pool_hold(pi_context member);
void block_pool_yield(pi_context member);

/* Adds a queue whose commands may use the memory; removes it before its streams are destroyed. */
void block_pool_add_queue(pi_queue queue);
void block_pool_remove_queue(pi_queue queue);

/*
 * Allocates size bytes at *ret. Host memory is pinned and mapped for all contexts.
 * PI_ERROR_OUT_OF_RESOURCES: the driver has too little memory, even after block_pool_trim.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result block_allocate(pi_context member, block_kind kind, size_t size, void **ret);

/*
 * Frees the block that starts at pointer, and makes the context of its pool current. Returns false
 * if no block in use starts there; then the caller frees pointer by the driver's functions.
 */
bool block_free(pi_context context, void *pointer);

/*
 * Returns whether a block of the context starts at base; *size is the requested size, 0 when the
 * block is idle.
 */
bool block_find(pi_context context, uintptr_t base, size_t *size);

/* Marks the block that starts at base as unfit for reuse: it goes to the driver when freed. */
void block_spoil(pi_context context, uintptr_t base);

/*
 * Gives all idle blocks back to the driver; returns whether there were any. Does nothing while an
 * unset user event holds a stream back, because the driver's free would wait for that stream.
 */
bool block_pool_trim(pi_context member);

/* Returns the bytes of device memory that are idle in the pool of the device's primary context. */
size_t block_pool_idle(pi_device device);

#endif
