/* UR's entries for commands on buffers. */
#include "../plugins/objects/buffer_command.h"

#include "../plugins/objects/memory_map.h"
#include "rects.h"
#include "sinks.h"

ur_result_t urEnqueueMemBufferRead(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                   bool blockingRead, size_t offset, size_t size, void *pDst,
                                   uint32_t numEventsInWaitList,
                                   const ur_event_handle_t *phEventWaitList,
                                   ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_READ, blockingRead);
  return range_result(buffer_read(&sink, mem_of(hBuffer), offset, size, pDst));
}

ur_result_t urEnqueueMemBufferWrite(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                    bool blockingWrite, size_t offset, size_t size,
                                    const void *pSrc, uint32_t numEventsInWaitList,
                                    const ur_event_handle_t *phEventWaitList,
                                    ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_WRITE, blockingWrite);
  return range_result(buffer_write(&sink, mem_of(hBuffer), offset, size, pSrc));
}

ur_result_t urEnqueueMemBufferCopy(ur_queue_handle_t hQueue, ur_mem_handle_t hBufferSrc,
                                   ur_mem_handle_t hBufferDst, size_t srcOffset, size_t dstOffset,
                                   size_t size, uint32_t numEventsInWaitList,
                                   const ur_event_handle_t *phEventWaitList,
                                   ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBufferSrc);
  UR_REQUIRE_MEM(hBufferDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_COPY, false);
  return range_result(
      buffer_copy(&sink, mem_of(hBufferSrc), mem_of(hBufferDst), srcOffset, dstOffset, size));
}

ur_result_t urEnqueueMemBufferFill(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                   const void *pPattern, size_t patternSize, size_t offset,
                                   size_t size, uint32_t numEventsInWaitList,
                                   const ur_event_handle_t *phEventWaitList,
                                   ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pPattern);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_FILL, false);
  return range_result(buffer_fill(&sink, mem_of(hBuffer), pPattern, patternSize, offset, size));
}

/* UR's flags for mapping are the same bits as PI's. */
ur_result_t urEnqueueMemBufferMap(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                  bool blockingMap, ur_map_flags_t mapFlags, size_t offset,
                                  size_t size, uint32_t numEventsInWaitList,
                                  const ur_event_handle_t *phEventWaitList,
                                  ur_event_handle_t *phEvent, void **ppRetMap) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(ppRetMap);
  UR_REQUIRE_FLAGS(mapFlags, FLAGS_UP_TO(UR_MAP_FLAG_WRITE_INVALIDATE_REGION));
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_MAP, blockingMap);
  return range_result(memory_map_buffer(&sink, mem_of(hBuffer), mapFlags, offset, size, ppRetMap));
}

ur_result_t urEnqueueMemUnmap(ur_queue_handle_t hQueue, ur_mem_handle_t hMem, void *pMappedPtr,
                              uint32_t numEventsInWaitList,
                              const ur_event_handle_t *phEventWaitList,
                              ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hMem);
  UR_REQUIRE_POINTER(pMappedPtr);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_UNMAP, false);
  return face_result(memory_unmap(&sink, mem_of(hMem), pMappedPtr));
}

/* ---- Rectangles ---- */

ur_result_t urEnqueueMemBufferReadRect(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                       bool blockingRead, ur_rect_offset_t bufferOrigin,
                                       ur_rect_offset_t hostOrigin, ur_rect_region_t region,
                                       size_t bufferRowPitch, size_t bufferSlicePitch,
                                       size_t hostRowPitch, size_t hostSlicePitch, void *pDst,
                                       uint32_t numEventsInWaitList,
                                       const ur_event_handle_t *phEventWaitList,
                                       ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_READ_RECT, blockingRead);
  return range_result(buffer_read_rect(&sink, RECT_SIDE(buffer), mem_of(hBuffer), RECT_SIDE(host),
                                       pDst, RECT_REGION));
}

ur_result_t urEnqueueMemBufferWriteRect(ur_queue_handle_t hQueue, ur_mem_handle_t hBuffer,
                                        bool blockingWrite, ur_rect_offset_t bufferOrigin,
                                        ur_rect_offset_t hostOrigin, ur_rect_region_t region,
                                        size_t bufferRowPitch, size_t bufferSlicePitch,
                                        size_t hostRowPitch, size_t hostSlicePitch, void *pSrc,
                                        uint32_t numEventsInWaitList,
                                        const ur_event_handle_t *phEventWaitList,
                                        ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pSrc);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_WRITE_RECT, blockingWrite);
  return range_result(buffer_write_rect(&sink, RECT_SIDE(host), pSrc, RECT_SIDE(buffer),
                                        mem_of(hBuffer), RECT_REGION));
}

ur_result_t urEnqueueMemBufferCopyRect(ur_queue_handle_t hQueue, ur_mem_handle_t hBufferSrc,
                                       ur_mem_handle_t hBufferDst, ur_rect_offset_t srcOrigin,
                                       ur_rect_offset_t dstOrigin, ur_rect_region_t region,
                                       size_t srcRowPitch, size_t srcSlicePitch, size_t dstRowPitch,
                                       size_t dstSlicePitch, uint32_t numEventsInWaitList,
                                       const ur_event_handle_t *phEventWaitList,
                                       ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_MEM(hBufferSrc);
  UR_REQUIRE_MEM(hBufferDst);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MEM_BUFFER_COPY_RECT, false);
  return range_result(buffer_copy_rect(&sink, RECT_SIDE(src), mem_of(hBufferSrc), RECT_SIDE(dst),
                                       mem_of(hBufferDst), RECT_REGION));
}
