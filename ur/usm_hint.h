/* Hints about unified shared memory: advice, and the direction of a prefetch. */
#ifndef UR_USM_HINT_H
#define UR_USM_HINT_H

#include "result.h"

/*
 * Converts UR's advice to PI's. Advice without a bit in PI (kinds of access, caches) is ignored,
 * because it changes no result. UR_RESULT_ERROR_INVALID_ENUMERATION: bits without a meaning.
 */
ur_result_t usm_advice_read(ur_usm_advice_flags_t advice, pi_mem_advice *ret);

/*
 * Reads the flags of a prefetch: *to_host receives whether it is to the host.
 * UR_RESULT_ERROR_INVALID_ENUMERATION: bits without a meaning; UR_RESULT_ERROR_INVALID_VALUE: both
 * directions at once.
 */
ur_result_t usm_migration_read(ur_usm_migration_flags_t flags, bool *to_host);

#endif
