/*
 * Pools of unified shared memory: what is allocated from one is counted there, may begin as zeros,
 * and may be limited. The driver allocates and frees each piece by itself: a pool keeps nothing
 * that was freed, and so reserves no more than what is in use.
 */
#ifndef OBJECTS_USM_POOL_H
#define OBJECTS_USM_POOL_H

#include "usm.h"

typedef struct usm_pool {
  object_head handle;
  pi_context context; /* a reference, but of a context's own pool */
  pi_device device;   /* whose memory it is; NULL: any of the context */
  bool is_zeroed;     /* what is allocated is zeros */
  bool is_own;        /* of the context, which ends it */
  size_t most;        /* bytes that may be in use; 0: any number */
  atomic_size_t used;
  atomic_size_t used_high;      /* the most that were in use, since it was set */
  atomic_size_t kept_threshold; /* what the application would have kept; nothing is */
} usm_pool;

/* A new pool with one reference; most and is_zeroed as above. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result usm_pool_create(pi_context context, pi_device device, bool is_zeroed, size_t most,
                          usm_pool **ret);

/* One more reference, and one less. Each allocation has one. */
static inline void usm_pool_retain(usm_pool *pool) {
  object_retain(&pool->handle);
}
void usm_pool_release(usm_pool *pool);

/*
 * As usm_allocate. PI_ERROR_INVALID_CONTEXT: the pool is of another one; PI_ERROR_INVALID_VALUE: it
 * is of another device's memory; PI_ERROR_OUT_OF_RESOURCES: its limit.
 */
pi_result usm_pool_allocate(usm_pool *pool, pi_context context, pi_device device, pi_usm_type type,
                            const pi_usm_mem_properties *properties, size_t size,
                            pi_uint32 alignment, void **ret);

/* As usm_free, of an allocation of a pool or of none. */
pi_result usm_pool_free(pi_context context, void *pointer);

/* The pool that an allocation is of, by its first byte; NULL: of none. */
usm_pool *usm_pool_find(pi_context context, uintptr_t base);

/*
 * The pool that a device of a context has for those who name none: its own unless another one was
 * set, and lives. own: the first one, whatever was set. The caller gets a reference; setting one
 * takes none. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result usm_pool_of_device(pi_context context, pi_device device, bool own, usm_pool **ret);
pi_result usm_pool_set_device(pi_context context, pi_device device, usm_pool *pool);

#endif
