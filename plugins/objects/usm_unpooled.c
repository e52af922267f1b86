/*
 * The verbs of pools for drivers without pools: specpi_object_plugin(name ..) without WITH_POOLS.
 */
#include "../base/error.h"
#include "usm_pool.h"

#define UNUSED __attribute__((unused))
/* Verbs that are never called, because pool->native is 0. */
#define NEVER(verb, ...)                                                                           \
  pi_result verb(__VA_ARGS__) {                                                                    \
    return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "the driver has no pools of memory");        \
  }

pi_result driver_usm_pool_open(usm_pool *pool) {
  pool->native = 0;
  return PI_SUCCESS;
}
NEVER(driver_usm_pool_reserved, UNUSED usm_pool *pool, UNUSED bool is_highest, UNUSED size_t *ret)
NEVER(driver_usm_pool_restart_highest, UNUSED usm_pool *pool)
NEVER(driver_usm_pool_keep, UNUSED usm_pool *pool, UNUSED size_t size)
NEVER(driver_usm_pool_trim, UNUSED usm_pool *pool, UNUSED size_t size)
NEVER(driver_usm_pool_allocate, UNUSED sink *sink, UNUSED usm_pool *pool, UNUSED size_t size,
      UNUSED void **ret)
NEVER(driver_usm_pool_free, UNUSED sink *sink, UNUSED void *pointer)
void driver_usm_pool_close(UNUSED usm_pool *pool) {}
