/* Converts PI's memory advice to CUDA's. */
#ifndef CUDA_USM_ADVICE_H
#define CUDA_USM_ADVICE_H

#include "cuda.h"

/* X(bit of pi_mem_advice, CUmem_advise, whether the advice is about the host) */
#define USM_ADVICES(X)                                                                             \
  X(CUDA_SET_READ_MOSTLY, SET_READ_MOSTLY, false)                                                  \
  X(CUDA_UNSET_READ_MOSTLY, UNSET_READ_MOSTLY, false)                                              \
  X(CUDA_SET_PREFERRED_LOCATION, SET_PREFERRED_LOCATION, false)                                    \
  X(CUDA_UNSET_PREFERRED_LOCATION, UNSET_PREFERRED_LOCATION, false)                                \
  X(CUDA_SET_ACCESSED_BY, SET_ACCESSED_BY, false)                                                  \
  X(CUDA_UNSET_ACCESSED_BY, UNSET_ACCESSED_BY, false)                                              \
  X(CUDA_SET_PREFERRED_LOCATION_HOST, SET_PREFERRED_LOCATION, true)                                \
  X(CUDA_UNSET_PREFERRED_LOCATION_HOST, UNSET_PREFERRED_LOCATION, true)                            \
  X(CUDA_SET_ACCESSED_BY_HOST, SET_ACCESSED_BY, true)                                              \
  X(CUDA_UNSET_ACCESSED_BY_HOST, UNSET_ACCESSED_BY, true)

enum {
#define USM_ADVICE_ONE(bit, advice, is_host) +1
  USM_ADVICE_MAX = 0 USM_ADVICES(USM_ADVICE_ONE),
#undef USM_ADVICE_ONE
};

/* One call of cuMemAdvise. */
typedef struct usm_advice {
  CUmem_advise advice;
  bool is_host; /* the device argument is CU_DEVICE_CPU; else it is the queue's device */
} usm_advice;

/*
 * Lists the calls for bits of PI's advice, and returns their number, at most USM_ADVICE_MAX.
 * Ignores bits that CUDA has no advice for.
 */
size_t usm_advice_list(unsigned bits, usm_advice *list);

#endif
