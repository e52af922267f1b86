/*
 * Pools of unified shared memory. A pool counts its allocations, may fill them with zeros, and may
 * have a limit. Device memory comes from the driver's own pool, if the device has such pools: it
 * keeps freed memory, and allocates and frees in the order of a queue. All other memory is that of
 * usm_allocate. What the plugin keeps of it (block_pool.h) does not count, so that its reserved
 * bytes are its bytes in use.
 */
#ifndef OBJECTS_USM_POOL_H
#define OBJECTS_USM_POOL_H

#include "sink.h"
#include "usm.h"

/* A number of bytes: now, and its maximum since the last restart. */
typedef struct usm_count {
  atomic_size_t now;
  atomic_size_t highest;
} usm_count;

typedef struct usm_pool {
  object_head handle;
  pi_context context;      /* a reference unless is_own */
  pi_device device;        /* device whose memory it is; NULL: any device of the context */
  pi_native_handle native; /* the driver's pool for device memory, or 0 */
  bool is_zeroed;          /* allocations are filled with zeros */
  bool is_own;             /* made by the context, which frees it at its end */
  size_t most;             /* limit of the bytes in use; 0: no limit */
  usm_count used;          /* bytes in use; an enqueued free no longer counts */
  usm_count apart;         /* bytes of used that are not from the driver's pool */
  atomic_size_t kept;      /* free bytes to keep, as the application asked */
} usm_pool;

/*
 * A new pool with one reference; the parameters as in usm_pool. PI_ERROR_OUT_OF_HOST_MEMORY, or the
 * driver's code.
 */
pi_result usm_pool_create(pi_context context, pi_device device, bool is_zeroed, size_t most,
                          usm_pool **ret);

/* Add or drop a reference to a pool. Each allocation has one. */
static inline void usm_pool_retain(usm_pool *pool) {
  object_retain(&pool->handle);
}
void usm_pool_release(usm_pool *pool);

/*
 * As usm_allocate. PI_ERROR_INVALID_CONTEXT: the pool is of another context;
 * PI_ERROR_INVALID_VALUE: the pool is of another device; PI_ERROR_OUT_OF_RESOURCES: the pool's
 * limit is reached.
 */
pi_result usm_pool_allocate(usm_pool *pool, pi_context context, pi_device device, pi_usm_type type,
                            const pi_usm_mem_properties *properties, size_t size,
                            pi_uint32 alignment, void **ret);

/* usm_free for an allocation that may be from a pool. */
pi_result usm_pool_free(pi_context context, void *pointer);

/*
 * Allocate and free as whole commands of a queue. Commands after the allocation and before the free
 * may use memory of the driver's pool; a free without a wait list waits for all commands of the
 * queue. Other memory is allocated at once, and freed by usm_free after a marker.
 * Also the errors of sink_begin. A free that fails may still have freed the memory.
 */
pi_result usm_pool_enqueue_allocation(usm_pool *pool, sink *sink, pi_usm_type type, size_t size,
                                      void **ret);
pi_result usm_pool_enqueue_free(sink *sink, void *pointer);

/* The pool of the allocation that starts at base, or NULL. */
usm_pool *usm_pool_find(pi_context context, uintptr_t base);

/*
 * The pool's memory in bytes, in use or kept: now, or its maximum since usm_pool_restart_highest.
 * The maximum is the sum of two: that of the driver's pool and that of all other memory, which may
 * have been at different times.
 */
pi_result usm_pool_reserved(usm_pool *pool, bool is_highest, size_t *ret);
pi_result usm_pool_restart_highest(usm_pool *pool);

/* Set how many free bytes the pool keeps, and give back all free memory beyond size bytes now. */
pi_result usm_pool_keep(usm_pool *pool, size_t size);
pi_result usm_pool_trim(usm_pool *pool, size_t size);

/* Restarts the maximum of a count at its current value. */
void usm_count_restart(usm_count *count);

/*
 * Return and set the default pool of a device in a context. If no pool is set, or the set one has
 * ended, or if own, it is the context's own pool for the device. The caller gets a reference;
 * setting a pool takes none. PI_ERROR_OUT_OF_HOST_MEMORY, or the driver's code.
 */
pi_result usm_pool_of_device(pi_context context, pi_device device, bool own, usm_pool **ret);
pi_result usm_pool_set_device(pi_context context, pi_device device, usm_pool *pool);

#endif
