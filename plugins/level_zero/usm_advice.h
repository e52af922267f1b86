/* PI's advice about memory, and the driver's. */
#ifndef PI_LEVEL_ZERO_USM_ADVICE_H
#define PI_LEVEL_ZERO_USM_ADVICE_H

#include "level_zero.h"

/*
 * X(bit of pi_mem_advice, ze_memory_advice_t, the bit that it contradicts). Level Zero 1.4 has no
 * advice about the host, and every device that can reach memory is told when it is made.
 */
#define USM_ADVICES(X)                                                                             \
  X(CUDA_SET_READ_MOSTLY, SET_READ_MOSTLY, CUDA_UNSET_READ_MOSTLY)                                 \
  X(CUDA_UNSET_READ_MOSTLY, CLEAR_READ_MOSTLY, CUDA_SET_READ_MOSTLY)                               \
  X(CUDA_SET_PREFERRED_LOCATION, SET_PREFERRED_LOCATION, CUDA_UNSET_PREFERRED_LOCATION)            \
  X(CUDA_UNSET_PREFERRED_LOCATION, CLEAR_PREFERRED_LOCATION, CUDA_SET_PREFERRED_LOCATION)          \
  X(HIP_SET_COARSE_GRAINED, SET_NON_ATOMIC_MOSTLY, HIP_UNSET_COARSE_GRAINED)                       \
  X(HIP_UNSET_COARSE_GRAINED, CLEAR_NON_ATOMIC_MOSTLY, HIP_SET_COARSE_GRAINED)

enum {
#define USM_ADVICE_ONE(bit, advice, contrary) +1
  USM_ADVICE_MAX = 0 USM_ADVICES(USM_ADVICE_ONE),
#undef USM_ADVICE_ONE
};

/*
 * The driver's advice for PI's, any combination of its bits: *count of them, at most
 * USM_ADVICE_MAX. PI_MEM_ADVICE_RESET undoes all. Bits that mean nothing to Level Zero, and
 * PI_MEM_ADVICE_UNKNOWN, give none. PI_ERROR_INVALID_VALUE: a bit and its contrary.
 */
pi_result usm_advice_read(pi_mem_advice advice, ze_memory_advice_t *list, size_t *count);

#endif
