#include "usm_hint.h"

/* X(PI's bit, UR's) */
#define ADVICE(X)                                                                                  \
  X(CUDA_SET_READ_MOSTLY, SET_READ_MOSTLY)                                                         \
  X(CUDA_UNSET_READ_MOSTLY, CLEAR_READ_MOSTLY)                                                     \
  X(CUDA_SET_PREFERRED_LOCATION, SET_PREFERRED_LOCATION)                                           \
  X(CUDA_UNSET_PREFERRED_LOCATION, CLEAR_PREFERRED_LOCATION)                                       \
  X(CUDA_SET_ACCESSED_BY, SET_ACCESSED_BY_DEVICE)                                                  \
  X(CUDA_UNSET_ACCESSED_BY, CLEAR_ACCESSED_BY_DEVICE)                                              \
  X(CUDA_SET_ACCESSED_BY_HOST, SET_ACCESSED_BY_HOST)                                               \
  X(CUDA_UNSET_ACCESSED_BY_HOST, CLEAR_ACCESSED_BY_HOST)                                           \
  X(CUDA_SET_PREFERRED_LOCATION_HOST, SET_PREFERRED_LOCATION_HOST)                                 \
  X(CUDA_UNSET_PREFERRED_LOCATION_HOST, CLEAR_PREFERRED_LOCATION_HOST)                             \
  X(HIP_SET_COARSE_GRAINED, SET_NON_COHERENT_MEMORY)                                               \
  X(HIP_UNSET_COARSE_GRAINED, CLEAR_NON_COHERENT_MEMORY)

ur_result_t usm_advice_read(ur_usm_advice_flags_t advice, pi_mem_advice *ret) {
  UR_REQUIRE_FLAGS(advice, FLAGS_UP_TO(UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY));
  unsigned bits = 0;
#define ADVICE_BIT(pi, ur) bits |= advice & UR_USM_ADVICE_FLAG_##ur ? PI_MEM_ADVICE_##pi : 0u;
  ADVICE(ADVICE_BIT)
#undef ADVICE_BIT
  /* PI's advice 0 resets all advice, as UR's default does. */
  const bool is_default = advice & UR_USM_ADVICE_FLAG_DEFAULT;
  *ret = bits || is_default ? (pi_mem_advice)bits : PI_MEM_ADVICE_UNKNOWN;
  return UR_RESULT_SUCCESS;
}

ur_result_t usm_migration_read(ur_usm_migration_flags_t flags, bool *to_host) {
  UR_REQUIRE_FLAGS(flags, FLAGS_UP_TO(UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST));
  UR_REQUIRE(flags != (UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE | UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST),
             UR_RESULT_ERROR_INVALID_VALUE, "flags ask for a move to the device and to the host");
  *to_host = flags & UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST;
  return UR_RESULT_SUCCESS;
}
