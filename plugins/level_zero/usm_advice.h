/* Translation of PI's memory advice to the driver's. */
#ifndef LEVEL_ZERO_USM_ADVICE_H
#define LEVEL_ZERO_USM_ADVICE_H

#include "level_zero.h"

/*
 * X(bit of pi_mem_advice, ze_memory_advice_t). Bits about the host are missing, because Level Zero
 * 1.4 has no such advice. So are bits about access by devices, which an allocation already decides.
 */
#define USM_ADVICES(X)                                                                             \
  X(CUDA_SET_READ_MOSTLY, SET_READ_MOSTLY)                                                         \
  X(CUDA_UNSET_READ_MOSTLY, CLEAR_READ_MOSTLY)                                                     \
  X(CUDA_SET_PREFERRED_LOCATION, SET_PREFERRED_LOCATION)                                           \
  X(CUDA_UNSET_PREFERRED_LOCATION, CLEAR_PREFERRED_LOCATION)                                       \
  X(HIP_SET_COARSE_GRAINED, SET_NON_ATOMIC_MOSTLY)                                                 \
  X(HIP_UNSET_COARSE_GRAINED, CLEAR_NON_ATOMIC_MOSTLY)

enum {
#define USM_ADVICE_ONE(bit, advice) +1
  USM_ADVICE_MAX = 0 USM_ADVICES(USM_ADVICE_ONE),
#undef USM_ADVICE_ONE
};

/* Writes the driver's advice for the PI bits to list; returns how many, at most USM_ADVICE_MAX.
 * Bits that are not in USM_ADVICES give none. */
size_t usm_advice_list(unsigned bits, ze_memory_advice_t *list);

#endif
