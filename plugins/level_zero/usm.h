/* Unified shared memory: what a pointer is, and whether a range lies in its allocation. */
#ifndef PI_LEVEL_ZERO_USM_H
#define PI_LEVEL_ZERO_USM_H

#include "context.h"

/* What the driver knows about a pointer. */
typedef struct usm_range {
  pi_usm_type type; /* PI_MEM_TYPE_UNKNOWN: not the context's; all else is 0 then */
  uintptr_t base;   /* where the allocation begins */
  size_t size;      /* of the allocation, in bytes */
  pi_device device; /* which it was made for; NULL: none in particular, and the host's */
} usm_range;

/*
 * Describes any pointer; memory that is not the context's is of type PI_MEM_TYPE_UNKNOWN. Fails as
 * the driver does.
 */
pi_result usm_describe(pi_context context, const void *pointer, usm_range *ret);

/*
 * The same, and whether size bytes from pointer on lie in the allocation: PI_ERROR_INVALID_VALUE
 * with a sentence that begins with name when they do not. Memory of type PI_MEM_TYPE_UNKNOWN cannot
 * be checked, but for an end beyond the last address.
 */
pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret);

/*
 * The same for memory that a device has to reach by itself: also refuses PI_MEM_TYPE_UNKNOWN, where
 * the device cannot reach the pages of the process.
 */
pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret);

/*
 * Memory of the host that the devices of a context reach, of size bytes, for the plugin's own use;
 * given back with usm_free_host, when no command uses it any more. Fails as the driver does.
 */
pi_result usm_alloc_host(pi_context context, size_t size, void **ret);
void usm_free_host(pi_context context, void *memory);

/*
 * Device memory as piextUSMDeviceAlloc makes it, after the checks; flags are those of
 * PI_MEM_ALLOC_FLAGS.
 */
pi_result usm_alloc_device(pi_context context, pi_device device, unsigned flags, size_t size,
                           pi_uint32 alignment, void **ret);

#endif
