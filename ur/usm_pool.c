/* UR's entries for pools of unified shared memory. */
#include "../plugins/objects/usm_pool.h"

#include "chain.h"
#include "checks.h"
#include "handles.h"
#include "reply.h"

/*
 * Creates a pool. The limit of a description counts only for pools for asynchronous allocations
 * (is_limited); in others the driver decides which sizes to keep.
 */
static ur_result_t create_pool(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                               const ur_usm_pool_desc_t *desc, bool is_limited,
                               ur_usm_pool_handle_t *ret) {
  UR_REQUIRE_POINTER(desc);
  UR_REQUIRE_POINTER(ret);
  UR_REQUIRE_FLAGS(desc->flags, FLAGS_UP_TO(UR_USM_POOL_FLAG_READ_ONLY_EXP));
  UR_REQUIRE(!chain_find(desc->pNext, UR_STRUCTURE_TYPE_USM_POOL_BUFFER_DESC),
             UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "a pool does not take the application's memory");
  const ur_usm_pool_limits_desc_t *limits =
      chain_find(desc->pNext, UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC);
  usm_pool *made;
  UR_TRY(usm_pool_create(context_of(hContext), device_of(hDevice),
                         desc->flags & UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK,
                         is_limited && limits ? limits->maxPoolableSize : 0, &made));
  *ret = usm_pool_handle(made);
  return UR_RESULT_SUCCESS;
}

ur_result_t urUSMPoolCreate(ur_context_handle_t hContext, ur_usm_pool_desc_t *pPoolDesc,
                            ur_usm_pool_handle_t *ppPool) {
  UR_REQUIRE_CONTEXT(hContext);
  return create_pool(hContext, NULL, pPoolDesc, false, ppPool);
}

ur_result_t urUSMPoolRetain(ur_usm_pool_handle_t pPool) {
  UR_REQUIRE_USM_POOL(pPool);
  usm_pool_retain(usm_pool_of(pPool));
  return UR_RESULT_SUCCESS;
}

ur_result_t urUSMPoolRelease(ur_usm_pool_handle_t pPool) {
  UR_REQUIRE_USM_POOL(pPool);
  UR_REQUIRE(!usm_pool_of(pPool)->is_own, UR_RESULT_ERROR_INVALID_ARGUMENT,
             "the pool is the device's own, which its context ends");
  usm_pool_release(usm_pool_of(pPool));
  return UR_RESULT_SUCCESS;
}

/* Answers with the bytes reserved from the driver. Those in use, in contrast, are counted by the
 * requested sizes, until a free is enqueued. */
static ur_result_t reply_reserved(const info_answer *answer, usm_pool *pool, bool is_highest) {
  size_t size;
  UR_TRY(usm_pool_reserved(pool, is_highest, &size));
  return reply_size(answer, size);
}

ur_result_t urUSMPoolGetInfo(ur_usm_pool_handle_t hPool, ur_usm_pool_info_t propName,
                             size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_USM_POOL(hPool);
  UR_PASS(reply_check(&answer));
  usm_pool *const pool = usm_pool_of(hPool);
  switch ((int)propName) {
  case UR_USM_POOL_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&pool->handle));
  case UR_USM_POOL_INFO_CONTEXT:
    return reply_handle(&answer, pool->context);
  case UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP:
    return reply_size(&answer, atomic_load(&pool->kept));
  case UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP:
    return reply_size(&answer, pool->most);
  case UR_USM_POOL_INFO_RESERVED_CURRENT_EXP:
    return reply_reserved(&answer, pool, false);
  case UR_USM_POOL_INFO_RESERVED_HIGH_EXP:
    return reply_reserved(&answer, pool, true);
  case UR_USM_POOL_INFO_USED_CURRENT_EXP:
    return reply_size(&answer, atomic_load(&pool->used.now));
  case UR_USM_POOL_INFO_USED_HIGH_EXP:
    return reply_size(&answer, atomic_load(&pool->used.highest));
  }
  return reply_unknown("ur_usm_pool_info_t", propName);
}

/* ---- Pools of devices, for asynchronous allocations ---- */

ur_result_t urUSMPoolCreateExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                               ur_usm_pool_desc_t *pPoolDesc, ur_usm_pool_handle_t *pPool) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  return create_pool(hContext, hDevice, pPoolDesc, true, pPool);
}

ur_result_t urUSMPoolDestroyExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                ur_usm_pool_handle_t hPool) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  return urUSMPoolRelease(hPool);
}

static ur_result_t get_device_pool(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                   bool own, ur_usm_pool_handle_t *ret) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(ret);
  usm_pool *found = NULL;
  UR_TRY(usm_pool_of_device(context_of(hContext), device_of(hDevice), own, &found));
  *ret = usm_pool_handle(found);
  usm_pool_release(found);
  return UR_RESULT_SUCCESS;
}

ur_result_t urUSMPoolGetDefaultDevicePoolExp(ur_context_handle_t hContext,
                                             ur_device_handle_t hDevice,
                                             ur_usm_pool_handle_t *pPool) {
  return get_device_pool(hContext, hDevice, true, pPool);
}

ur_result_t urUSMPoolGetDevicePoolExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                      ur_usm_pool_handle_t *pPool) {
  return get_device_pool(hContext, hDevice, false, pPool);
}

ur_result_t urUSMPoolSetDevicePoolExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                      ur_usm_pool_handle_t hPool) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_USM_POOL(hPool);
  return face_result(
      usm_pool_set_device(context_of(hContext), device_of(hDevice), usm_pool_of(hPool)));
}

/*
 * The entry has no parameter for the capacity, so the caller must have space for the query's type.
 */
ur_result_t urUSMPoolGetInfoExp(ur_usm_pool_handle_t hPool, ur_usm_pool_info_t propName,
                                void *pPropValue, size_t *pPropSizeRet) {
  const size_t room =
      propName == UR_USM_POOL_INFO_REFERENCE_COUNT ? sizeof(uint32_t) : sizeof(size_t);
  return urUSMPoolGetInfo(hPool, propName, pPropValue ? room : 0, pPropValue, pPropSizeRet);
}

/* Restarts one of the highest numbers. UR allows only 0 as the new value. */
static ur_result_t restart_highest(usm_pool *pool, ur_usm_pool_info_t number, size_t value) {
  UR_REQUIRE(value == 0, UR_RESULT_ERROR_INVALID_VALUE,
             "the highest number is set to %zu, and begins anew from 0 only", value);
  if (number == UR_USM_POOL_INFO_RESERVED_HIGH_EXP)
    return face_result(usm_pool_restart_highest(pool));
  usm_count_restart(&pool->used);
  return UR_RESULT_SUCCESS;
}

ur_result_t urUSMPoolSetInfoExp(ur_usm_pool_handle_t hPool, ur_usm_pool_info_t propName,
                                void *pPropValue, size_t propSize) {
  UR_REQUIRE_USM_POOL(hPool);
  UR_REQUIRE_POINTER(pPropValue);
  UR_REQUIRE(propSize == sizeof(size_t), UR_RESULT_ERROR_INVALID_SIZE,
             "propSize is %zu, the value has %zu bytes", propSize, sizeof(size_t));
  usm_pool *const pool = usm_pool_of(hPool);
  const size_t value = *(const size_t *)pPropValue;
  switch ((int)propName) {
  case UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP:
    return face_result(usm_pool_keep(pool, value));
  case UR_USM_POOL_INFO_RESERVED_HIGH_EXP:
  case UR_USM_POOL_INFO_USED_HIGH_EXP:
    return restart_highest(pool, propName, value);
  }
  return reply_unknown("ur_usm_pool_info_t that can be set", propName);
}

/* Only release 2025.2 has this entry. */
ur_result_t urUSMPoolSetThresholdExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                     ur_usm_pool_handle_t hPool, size_t newThreshold) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  return urUSMPoolSetInfoExp(hPool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, &newThreshold,
                             sizeof newThreshold);
}

ur_result_t urUSMPoolTrimToExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                               ur_usm_pool_handle_t hPool, size_t minBytesToKeep) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_USM_POOL(hPool);
  return face_result(usm_pool_trim(usm_pool_of(hPool), minBytesToKeep));
}
