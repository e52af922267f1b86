/* Hints about unified shared memory: advice, and the direction in which it moves. */
#ifndef UR_USM_HINT_H
#define UR_USM_HINT_H

#include "result.h"

/*
 * Advice of UR's as PI has it. What PI has no bit for (which kind of access, which caches) changes
 * no result, and is none here. UR_RESULT_ERROR_INVALID_ENUMERATION: bits without a meaning.
 */
ur_result_t usm_advice_read(ur_usm_advice_flags_t advice, pi_mem_advice *ret);

/*
 * Flags of a prefetch: whether it is to the host. UR_RESULT_ERROR_INVALID_ENUMERATION: bits without
 * a meaning; UR_RESULT_ERROR_INVALID_VALUE: both directions at once.
 */
ur_result_t usm_migration_read(ur_usm_migration_flags_t flags, bool *to_host);

#endif
