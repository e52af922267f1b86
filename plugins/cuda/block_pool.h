/*
 * Keeps freed memory for reuse, because cuMemAlloc and cuMemFree take 60 to 130 microseconds and
 * cuMemFree waits for the device. Four block sizes for each power of two leave less than a fifth of
 * a block unused. A freed block is reused when the commands have ended that the context's queues
 * had before the free (fence.h): then nobody uses the block, whatever queue comes next.
 *
 * A CUcontext has one pool, which all contexts of PI over it share. Memory of a context of several
 * devices is free when the commands of all of them have ended. Every function is safe from any
 * thread. member: a context of one device, which is current.
 */
#ifndef CUDA_BLOCK_POOL_H
#define CUDA_BLOCK_POOL_H

#include "context.h"

/* X(NAME, driver's function): kinds of memory, each with blocks of its own. */
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

/* Gives a context its pool, or takes it back; the last context to leave frees the idle blocks. */
pi_result block_pool_hold(pi_context member);
void block_pool_yield(pi_context member);

/* Adds a queue whose commands may use the memory; removes it before its streams are destroyed. */
void block_pool_add_queue(pi_queue queue);
void block_pool_remove_queue(pi_queue queue);

/*
 * Allocates size bytes from *ret on. Host memory is pinned and mapped for all contexts.
 * PI_ERROR_OUT_OF_RESOURCES: the driver has too little memory, even after all idle blocks went
 * back; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result block_allocate(pi_context member, block_kind kind, size_t size, void **ret);

/*
 * Frees a block of one of the context's pools, and makes that pool's context current. false: no
 * block in use starts at pointer, which the driver's functions then free.
 */
bool block_free(pi_context context, void *pointer);

/*
 * Returns whether a block of the context starts at base; *size is the requested size, 0 when the
 * block is idle.
 */
bool block_find(pi_context context, uintptr_t base, size_t *size);

/* Marks the block that starts at base to go back to the driver when it is freed. */
void block_spoil(pi_context context, uintptr_t base);

/* Gives everything idle back to the driver; returns whether there was anything. */
bool block_pool_trim(pi_context member);

/* Bytes of the device's memory that are idle in the pool of its primary context. */
size_t block_pool_idle(pi_device device);

#endif
