/* Unified shared memory: what a pointer is, and whether a range lies in its allocation. */
#ifndef PI_CUDA_USM_H
#define PI_CUDA_USM_H

#include "context.h"

/* What the driver knows about a pointer. */
typedef struct usm_range {
  pi_usm_type type;  /* PI_MEM_TYPE_UNKNOWN: not the driver's; all else is 0 then */
  CUdeviceptr base;  /* where the allocation begins */
  size_t size;       /* of the allocation, in bytes; 0 when the driver does not tell */
  CUcontext context; /* which it was made in; NULL when the driver does not tell */
} usm_range;

/*
 * Describes any pointer; memory that nobody told the driver of is of type PI_MEM_TYPE_UNKNOWN. A
 * context of CUDA is current.
 */
pi_result usm_describe(const void *pointer, usm_range *ret);

/*
 * The same in a context, which becomes current, and whether size bytes from pointer on lie in the
 * allocation: PI_ERROR_INVALID_VALUE with a sentence that begins with name when they do not. Memory
 * of type PI_MEM_TYPE_UNKNOWN cannot be checked, but for an end beyond the last address.
 */
pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret);

/*
 * The same for memory that the context's device has to reach by itself: also refuses
 * PI_MEM_TYPE_UNKNOWN, where the device cannot reach the pages of the process.
 */
pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret);

#endif
