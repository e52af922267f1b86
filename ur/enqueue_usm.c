/* UR's entries for commands on unified shared memory. */
#include "../plugins/objects/usm_command.h"

#include "rects.h"
#include "sinks.h"
#include "usm_hint.h"

ur_result_t urEnqueueUSMFill(ur_queue_handle_t hQueue, void *pMem, size_t patternSize,
                             const void *pPattern, size_t size, uint32_t numEventsInWaitList,
                             const ur_event_handle_t *phEventWaitList, ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pMem);
  UR_REQUIRE_POINTER(pPattern);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(USM_FILL, false);
  return range_result(usm_fill(&sink, pMem, pPattern, patternSize, size));
}

ur_result_t urEnqueueUSMFill2D(ur_queue_handle_t hQueue, void *pMem, size_t pitch,
                               size_t patternSize, const void *pPattern, size_t width,
                               size_t height, uint32_t numEventsInWaitList,
                               const ur_event_handle_t *phEventWaitList,
                               ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pMem);
  UR_REQUIRE_POINTER(pPattern);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(USM_FILL_2D, false);
  return range_result(usm_fill_rows(&sink, pMem, pitch, pPattern, patternSize, width, height));
}

ur_result_t urEnqueueUSMMemcpy(ur_queue_handle_t hQueue, bool blocking, void *pDst,
                               const void *pSrc, size_t size, uint32_t numEventsInWaitList,
                               const ur_event_handle_t *phEventWaitList,
                               ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(USM_MEMCPY, blocking);
  return range_result(usm_copy(&sink, pDst, pSrc, size));
}

ur_result_t urEnqueueUSMMemcpy2D(ur_queue_handle_t hQueue, bool blocking, void *pDst,
                                 size_t dstPitch, const void *pSrc, size_t srcPitch, size_t width,
                                 size_t height, uint32_t numEventsInWaitList,
                                 const ur_event_handle_t *phEventWaitList,
                                 ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(USM_MEMCPY_2D, blocking);
  return range_result(usm_copy_rows(&sink, pDst, dstPitch, pSrc, srcPitch, width, height));
}

ur_result_t urEnqueueUSMPrefetch(ur_queue_handle_t hQueue, const void *pMem, size_t size,
                                 ur_usm_migration_flags_t flags, uint32_t numEventsInWaitList,
                                 const ur_event_handle_t *phEventWaitList,
                                 ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pMem);
  UR_REQUIRE_WAIT_LIST();
  bool to_host;
  UR_PASS(usm_migration_read(flags, &to_host));
  sink sink = SINK_OF_QUEUE(USM_PREFETCH, false);
  return range_result(usm_prefetch(&sink, pMem, size, to_host));
}

ur_result_t urEnqueueUSMAdvise(ur_queue_handle_t hQueue, const void *pMem, size_t size,
                               ur_usm_advice_flags_t advice, ur_event_handle_t *phEvent) {
  const uint32_t numEventsInWaitList = 0;
  const ur_event_handle_t *const phEventWaitList = NULL;
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pMem);
  pi_mem_advice read;
  UR_PASS(usm_advice_read(advice, &read));
  sink sink = SINK_OF_QUEUE(USM_ADVISE, false);
  return range_result(usm_advise(&sink, pMem, size, read));
}
