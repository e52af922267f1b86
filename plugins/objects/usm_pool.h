/*
 * Pools of unified shared memory: what is allocated from one is counted there, may begin as zeros,
 * and may be limited. Device memory comes from a pool of the driver's own, where it has any for the
 * device: that keeps what was freed, and allocates and frees in the order of a queue. All else the
 * driver allocates and frees piece by piece, so that what is reserved of it is what is in use.
 */
#ifndef OBJECTS_USM_POOL_H
#define OBJECTS_USM_POOL_H

#include "sink.h"
#include "usm.h"

/* Bytes: now, and the most there were since that was set. */
typedef struct usm_count {
  atomic_size_t now;
  atomic_size_t highest;
} usm_count;

typedef struct usm_pool {
  object_head handle;
  pi_context context;      /* a reference, but of a context's own pool */
  pi_device device;        /* whose memory it is; NULL: any of the context */
  pi_native_handle native; /* the driver's pool, for device memory; 0: there is none */
  bool is_zeroed;          /* what is allocated is zeros */
  bool is_own;             /* of the context, which ends it */
  size_t most;             /* bytes that may be in use; 0: any number */
  usm_count used;          /* until a free is enqueued */
  usm_count apart;         /* of these, what is not the driver's pool's */
  atomic_size_t kept;      /* what the application would have stay when it is free */
} usm_pool;

/*
 * A new pool with one reference; most and is_zeroed as above. PI_ERROR_OUT_OF_HOST_MEMORY, or what
 * the driver says.
 */
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

/*
 * The same as whole commands of a queue, with the errors of sink_begin. Commands after the
 * allocation and before the free may use memory of the driver's pool; a free without a wait list
 * waits for all commands of the queue. Other memory is there at once, and is freed at once, when
 * everything in the context is complete. A free whose event is lost may have been carried out.
 */
pi_result usm_pool_enqueue_allocation(usm_pool *pool, sink *sink, pi_usm_type type, size_t size,
                                      void **ret);
pi_result usm_pool_enqueue_free(sink *sink, void *pointer);

/* The pool that an allocation is of, by its first byte; NULL: of none. */
usm_pool *usm_pool_find(pi_context context, uintptr_t base);

/*
 * The bytes that the pool has of the device or the host, in use or kept: now, or the most since
 * .._restart_highest. That of several kinds is their sum, at whatever times each was.
 */
pi_result usm_pool_reserved(usm_pool *pool, bool is_highest, size_t *ret);
pi_result usm_pool_restart_highest(usm_pool *pool);

/* Has so many bytes stay when they are free, and has all but so many go back now. */
pi_result usm_pool_keep(usm_pool *pool, size_t size);
pi_result usm_pool_trim(usm_pool *pool, size_t size);

/* The most that was in use, from now on. */
void usm_count_restart(usm_count *count);

/*
 * The pool that a device of a context has for those who name none: its own unless another one was
 * set, and lives. own: the first one, whatever was set. The caller gets a reference; setting one
 * takes none. PI_ERROR_OUT_OF_HOST_MEMORY, or what the driver says.
 */
pi_result usm_pool_of_device(pi_context context, pi_device device, bool own, usm_pool **ret);
pi_result usm_pool_set_device(pi_context context, pi_device device, usm_pool *pool);

#endif
