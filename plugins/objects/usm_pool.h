/*
 * Pools of unified shared memory. A pool counts its allocations, may fill them with zeros, and may
 * have a limit. Device memory comes from a pool of the driver's own, where the device has any: that
 * keeps freed memory, and allocates and frees in the order of a queue. The driver allocates and
 * frees all other memory piece by piece, so that its reserved bytes are those in use.
 */
#ifndef OBJECTS_USM_POOL_H
#define OBJECTS_USM_POOL_H

#include "sink.h"
#include "usm.h"

/* Bytes: now, and the most since the last restart. */
typedef struct usm_count {
  atomic_size_t now;
  atomic_size_t highest;
} usm_count;

typedef struct usm_pool {
  object_head handle;
  pi_context context;      /* a reference, but of a context's own pool */
  pi_device device;        /* of its memory; NULL: any of the context */
  pi_native_handle native; /* the driver's pool, for device memory; 0: there is none */
  bool is_zeroed;          /* allocations are zeros */
  bool is_own;             /* the context's own, which ends it */
  size_t most;             /* bytes that may be in use; 0: any number */
  usm_count used;          /* until a free is enqueued */
  usm_count apart;         /* of these, those outside the driver's pool */
  atomic_size_t kept;      /* free bytes that the application wants to stay */
} usm_pool;

/*
 * A new pool with one reference; most and is_zeroed as above. PI_ERROR_OUT_OF_HOST_MEMORY, or the
 * driver's code.
 */
pi_result usm_pool_create(pi_context context, pi_device device, bool is_zeroed, size_t most,
                          usm_pool **ret);

/* Add or drop a reference. Each allocation has one. */
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

/* usm_free for an allocation of a pool or of none. */
pi_result usm_pool_free(pi_context context, void *pointer);

/*
 * The same as whole commands of a queue, with the errors of sink_begin. Commands after the
 * allocation and before the free may use memory of the driver's pool; a free without a wait list
 * waits for all commands of the queue. Other memory is there at once, and is freed at once, when
 * everything in the context is complete. A free whose event is lost may have been carried out.
 */
pi_result usm_pool_enqueue_allocation(usm_pool *pool, sink *sink, pi_usm_type type, size_t size,
                                      void **ret);
pi_result usm_pool_enqueue_free(sink *sink, void *pointer);

/* The pool of an allocation, by its first byte; NULL: none. */
usm_pool *usm_pool_find(pi_context context, uintptr_t base);

/*
 * The pool's bytes of the device or the host, in use or kept: now, or the most since
 * .._restart_highest. For several kinds it is the sum of each kind's most, at whatever times.
 */
pi_result usm_pool_reserved(usm_pool *pool, bool is_highest, size_t *ret);
pi_result usm_pool_restart_highest(usm_pool *pool);

/* Keeps so many bytes when they are free, and gives back now all but so many. */
pi_result usm_pool_keep(usm_pool *pool, size_t size);
pi_result usm_pool_trim(usm_pool *pool, size_t size);

/* Restarts the most in use, from now on. */
void usm_count_restart(usm_count *count);

/*
 * The default pool of a device of a context: its own unless another one was set, and lives. own:
 * its own one, whatever was set. The caller gets a reference; setting one takes none.
 * PI_ERROR_OUT_OF_HOST_MEMORY, or the driver's code.
 */
pi_result usm_pool_of_device(pi_context context, pi_device device, bool own, usm_pool **ret);
pi_result usm_pool_set_device(pi_context context, pi_device device, usm_pool *pool);

#endif
