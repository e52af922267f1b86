/* PI's advice about memory, and the driver's. */
#ifndef PI_CUDA_USM_ADVICE_H
#define PI_CUDA_USM_ADVICE_H

#include "cuda.h"

/* X(bit of pi_mem_advice, CUmem_advise, whether it is about the host, the bit that it contradicts)
 */
#define USM_ADVICES(X)                                                                             \
  X(CUDA_SET_READ_MOSTLY, SET_READ_MOSTLY, false, CUDA_UNSET_READ_MOSTLY)                          \
  X(CUDA_UNSET_READ_MOSTLY, UNSET_READ_MOSTLY, false, CUDA_SET_READ_MOSTLY)                        \
  X(CUDA_SET_PREFERRED_LOCATION, SET_PREFERRED_LOCATION, false, CUDA_UNSET_PREFERRED_LOCATION)     \
  X(CUDA_UNSET_PREFERRED_LOCATION, UNSET_PREFERRED_LOCATION, false, CUDA_SET_PREFERRED_LOCATION)   \
  X(CUDA_SET_ACCESSED_BY, SET_ACCESSED_BY, false, CUDA_UNSET_ACCESSED_BY)                          \
  X(CUDA_UNSET_ACCESSED_BY, UNSET_ACCESSED_BY, false, CUDA_SET_ACCESSED_BY)                        \
  X(CUDA_SET_PREFERRED_LOCATION_HOST, SET_PREFERRED_LOCATION, true,                                \
    CUDA_UNSET_PREFERRED_LOCATION_HOST)                                                            \
  X(CUDA_UNSET_PREFERRED_LOCATION_HOST, UNSET_PREFERRED_LOCATION, true,                            \
    CUDA_SET_PREFERRED_LOCATION_HOST)                                                              \
  X(CUDA_SET_ACCESSED_BY_HOST, SET_ACCESSED_BY, true, CUDA_UNSET_ACCESSED_BY_HOST)                 \
  X(CUDA_UNSET_ACCESSED_BY_HOST, UNSET_ACCESSED_BY, true, CUDA_SET_ACCESSED_BY_HOST)

enum {
#define USM_ADVICE_ONE(bit, advice, is_host, contrary) +1
  USM_ADVICE_MAX = 0 USM_ADVICES(USM_ADVICE_ONE),
#undef USM_ADVICE_ONE
};

/* One call of cuMemAdvise. */
typedef struct usm_advice {
  CUmem_advise advice;
  bool is_host; /* for CU_DEVICE_CPU, not for the queue's device */
} usm_advice;

/*
 * The calls for PI's advice, any combination of its bits: *count of them, at most USM_ADVICE_MAX.
 * PI_MEM_ADVICE_RESET undoes all. Bits that mean nothing to CUDA, and PI_MEM_ADVICE_UNKNOWN, give
 * no call. PI_ERROR_INVALID_VALUE: a bit and its contrary, or both places at once as the preferred
 * one.
 */
pi_result usm_advice_read(pi_mem_advice advice, usm_advice *list, size_t *count);

#endif
