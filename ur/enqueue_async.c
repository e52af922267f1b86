/* UR's entries that enqueue allocations and frees as commands. */
#include "../plugins/objects/usm_pool.h"
#include "checks.h"
#include "sinks.h"

/* Allocates from a pool; NULL: from the device's own pool. */
static pi_result allocate_for(sink *sink, pi_usm_type type, usm_pool *pool, size_t size,
                              void **ret) {
  usm_pool *current = pool;
  if (!pool)
    TRY(usm_pool_of_device(sink->context, sink->device, false, &current));
  const pi_result result = usm_pool_enqueue_allocation(current, sink, type, size, ret);
  if (!pool)
    usm_pool_release(current);
  return result;
}

static ur_result_t enqueue_allocation(sink *sink, pi_usm_type type, ur_usm_pool_handle_t pool,
                                      size_t size,
                                      const ur_exp_async_usm_alloc_properties_t *properties,
                                      void **ret) {
  if (pool)
    UR_REQUIRE_USM_POOL(pool);
  UR_REQUIRE_POINTER(ret);
  if (properties)
    UR_REQUIRE_FLAGS(properties->flags, UR_EXP_ASYNC_USM_ALLOC_FLAG_TBD);
  const pi_result result = allocate_for(sink, type, usm_pool_of(pool), size, ret);
  return result == PI_ERROR_INVALID_BUFFER_SIZE ? UR_RESULT_ERROR_INVALID_USM_SIZE
                                                : face_result(result);
}

#define ALLOCATION_ENTRY(Kind, KIND)                                                               \
  ur_result_t urEnqueueUSM##Kind##AllocExp(                                                        \
      ur_queue_handle_t hQueue, ur_usm_pool_handle_t pPool, const size_t size,                     \
      const ur_exp_async_usm_alloc_properties_t *pProperties, uint32_t numEventsInWaitList,        \
      const ur_event_handle_t *phEventWaitList, void **ppMem, ur_event_handle_t *phEvent) {        \
    UR_REQUIRE_QUEUE(hQueue);                                                                      \
    UR_REQUIRE_WAIT_LIST();                                                                        \
    sink sink = SINK_OF_QUEUE(ENQUEUE_USM_##KIND##_ALLOC_EXP, false);                              \
    return enqueue_allocation(&sink, PI_MEM_TYPE_##KIND, pPool, size, pProperties, ppMem);         \
  }
ALLOCATION_ENTRY(Device, DEVICE)
ALLOCATION_ENTRY(Shared, SHARED)
ALLOCATION_ENTRY(Host, HOST)
#undef ALLOCATION_ENTRY

/* Frees the memory to the pool that it came from, whatever pPool is. */
ur_result_t urEnqueueUSMFreeExp(ur_queue_handle_t hQueue, ur_usm_pool_handle_t pPool, void *pMem,
                                uint32_t numEventsInWaitList,
                                const ur_event_handle_t *phEventWaitList,
                                ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  if (pPool)
    UR_REQUIRE_USM_POOL(pPool);
  UR_REQUIRE_POINTER(pMem);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(ENQUEUE_USM_FREE_EXP, false);
  return face_result(usm_pool_enqueue_free(&sink, pMem));
}
