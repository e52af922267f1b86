/*
 * UR's entries that record all commands but launches. Since 2025.1 these entries have parameters to
 * wait for events, to return an event and to return the command. None of that is supported here.
 */
#include "../plugins/objects/buffer_command.h"
#include "../plugins/objects/usm_command.h"

#include "recording.h"
#include "rects.h"
#include "usm_hint.h"

/*
 * Defines the two forms of an entry. Their parameters begin with a command buffer and
 * LIST(parameters); both call record_<name>(sink, arguments).
 */
#define LIST(...) __VA_ARGS__
#define RECORDED(name, parameters, arguments)                                                      \
  ur_result_t urCommandBufferAppend##name##Exp_2025_0(                                             \
      ur_exp_command_buffer_handle_t hCommandBuffer, parameters, uint32_t numSyncPointsInWaitList, \
      const ur_exp_command_buffer_sync_point_t *pSyncPointWaitList,                                \
      ur_exp_command_buffer_sync_point_t *pSyncPoint) {                                            \
    UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);                                                     \
    sink sink = SINK_OF_COMMAND_BUFFER();                                                          \
    return record_##name(&sink, arguments);                                                        \
  }                                                                                                \
  ur_result_t urCommandBufferAppend##name##Exp(                                                    \
      ur_exp_command_buffer_handle_t hCommandBuffer, parameters, uint32_t numSyncPointsInWaitList, \
      const ur_exp_command_buffer_sync_point_t *pSyncPointWaitList, uint32_t numEventsInWaitList,  \
      const ur_event_handle_t *phEventWaitList, ur_exp_command_buffer_sync_point_t *pSyncPoint,    \
      ur_event_handle_t *phEvent, ur_exp_command_buffer_command_handle_t *phCommand) {             \
    UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);                                                     \
    UR_REQUIRE_WAIT_LIST();                                                                        \
    UR_PASS(recording_check_events(numEventsInWaitList, phEvent));                                 \
    UR_REQUIRE(!phCommand, UR_RESULT_ERROR_UNSUPPORTED_FEATURE,                                    \
               "phCommand is given, and only launches can be updated");                            \
    sink sink = SINK_OF_COMMAND_BUFFER();                                                          \
    return record_##name(&sink, arguments);                                                        \
  }

/* ---- Shared memory ---- */

static ur_result_t record_USMMemcpy(sink *sink, void *pDst, const void *pSrc, size_t size) {
  UR_REQUIRE_POINTER(pDst);
  UR_REQUIRE_POINTER(pSrc);
  return range_result(usm_copy(sink, pDst, pSrc, size));
}
RECORDED(USMMemcpy, LIST(void *pDst, const void *pSrc, size_t size), LIST(pDst, pSrc, size))

static ur_result_t record_USMFill(sink *sink, void *pMemory, const void *pPattern,
                                  size_t patternSize, size_t size) {
  UR_REQUIRE_POINTER(pMemory);
  UR_REQUIRE_POINTER(pPattern);
  return range_result(usm_fill(sink, pMemory, pPattern, patternSize, size));
}
RECORDED(USMFill, LIST(void *pMemory, const void *pPattern, size_t patternSize, size_t size),
         LIST(pMemory, pPattern, patternSize, size))

static ur_result_t record_USMPrefetch(sink *sink, const void *pMemory, size_t size,
                                      ur_usm_migration_flags_t flags) {
  UR_REQUIRE_POINTER(pMemory);
  bool to_host;
  UR_PASS(usm_migration_read(flags, &to_host));
  return range_result(usm_prefetch(sink, pMemory, size, to_host));
}
RECORDED(USMPrefetch, LIST(const void *pMemory, size_t size, ur_usm_migration_flags_t flags),
         LIST(pMemory, size, flags))

static ur_result_t record_USMAdvise(sink *sink, const void *pMemory, size_t size,
                                    ur_usm_advice_flags_t advice) {
  pi_mem_advice read;
  UR_REQUIRE_POINTER(pMemory);
  UR_PASS(usm_advice_read(advice, &read));
  return range_result(usm_advise(sink, pMemory, size, read));
}
RECORDED(USMAdvise, LIST(const void *pMemory, size_t size, ur_usm_advice_flags_t advice),
         LIST(pMemory, size, advice))

/* ---- Buffers ---- */

static ur_result_t record_MemBufferCopy(sink *sink, ur_mem_handle_t hSrcMem,
                                        ur_mem_handle_t hDstMem, size_t srcOffset, size_t dstOffset,
                                        size_t size) {
  UR_REQUIRE_MEM(hSrcMem);
  UR_REQUIRE_MEM(hDstMem);
  return range_result(
      buffer_copy(sink, mem_of(hSrcMem), mem_of(hDstMem), srcOffset, dstOffset, size));
}
RECORDED(MemBufferCopy,
         LIST(ur_mem_handle_t hSrcMem, ur_mem_handle_t hDstMem, size_t srcOffset, size_t dstOffset,
              size_t size),
         LIST(hSrcMem, hDstMem, srcOffset, dstOffset, size))

static ur_result_t record_MemBufferWrite(sink *sink, ur_mem_handle_t hBuffer, size_t offset,
                                         size_t size, const void *pSrc) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pSrc);
  return range_result(buffer_write(sink, mem_of(hBuffer), offset, size, pSrc));
}
RECORDED(MemBufferWrite,
         LIST(ur_mem_handle_t hBuffer, size_t offset, size_t size, const void *pSrc),
         LIST(hBuffer, offset, size, pSrc))

static ur_result_t record_MemBufferRead(sink *sink, ur_mem_handle_t hBuffer, size_t offset,
                                        size_t size, void *pDst) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pDst);
  return range_result(buffer_read(sink, mem_of(hBuffer), offset, size, pDst));
}
RECORDED(MemBufferRead, LIST(ur_mem_handle_t hBuffer, size_t offset, size_t size, void *pDst),
         LIST(hBuffer, offset, size, pDst))

static ur_result_t record_MemBufferFill(sink *sink, ur_mem_handle_t hBuffer, const void *pPattern,
                                        size_t patternSize, size_t offset, size_t size) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pPattern);
  return range_result(buffer_fill(sink, mem_of(hBuffer), pPattern, patternSize, offset, size));
}
RECORDED(MemBufferFill,
         LIST(ur_mem_handle_t hBuffer, const void *pPattern, size_t patternSize, size_t offset,
              size_t size),
         LIST(hBuffer, pPattern, patternSize, offset, size))

/* ---- Rectangles of buffers ---- */

#define OFFSET_OF(place) (&(pi_buff_rect_offset_struct){(place).x, (place).y, (place).z})
#define REGION_OF(size) (&(pi_buff_rect_region_struct){(size).width, (size).height, (size).depth})

/* Both sides of a copy of a rectangle. */
typedef struct rect_pair {
  rect_side from, to;
} rect_pair;

static ur_result_t record_MemBufferCopyRect(sink *sink, ur_mem_handle_t hSrcMem,
                                            ur_mem_handle_t hDstMem, const rect_pair *sides,
                                            pi_buff_rect_region region) {
  UR_REQUIRE_MEM(hSrcMem);
  UR_REQUIRE_MEM(hDstMem);
  return range_result(
      buffer_copy_rect(sink, &sides->from, mem_of(hSrcMem), &sides->to, mem_of(hDstMem), region));
}
RECORDED(MemBufferCopyRect,
         LIST(ur_mem_handle_t hSrcMem, ur_mem_handle_t hDstMem, ur_rect_offset_t srcOrigin,
              ur_rect_offset_t dstOrigin, ur_rect_region_t region, size_t srcRowPitch,
              size_t srcSlicePitch, size_t dstRowPitch, size_t dstSlicePitch),
         LIST(hSrcMem, hDstMem,
              (&(rect_pair){{"hSrcMem", OFFSET_OF(srcOrigin), srcRowPitch, srcSlicePitch},
                            {"hDstMem", OFFSET_OF(dstOrigin), dstRowPitch, dstSlicePitch}}),
              RECT_REGION))

static ur_result_t record_MemBufferWriteRect(sink *sink, ur_mem_handle_t hBuffer,
                                             const rect_pair *sides, const void *pSrc,
                                             pi_buff_rect_region region) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pSrc);
  return range_result(
      buffer_write_rect(sink, &sides->from, pSrc, &sides->to, mem_of(hBuffer), region));
}
RECORDED(MemBufferWriteRect,
         LIST(ur_mem_handle_t hBuffer, ur_rect_offset_t bufferOffset, ur_rect_offset_t hostOffset,
              ur_rect_region_t region, size_t bufferRowPitch, size_t bufferSlicePitch,
              size_t hostRowPitch, size_t hostSlicePitch, void *pSrc),
         LIST(hBuffer,
              (&(rect_pair){
                  {"pSrc", OFFSET_OF(hostOffset), hostRowPitch, hostSlicePitch},
                  {"hBuffer", OFFSET_OF(bufferOffset), bufferRowPitch, bufferSlicePitch}}),
              pSrc, RECT_REGION))

static ur_result_t record_MemBufferReadRect(sink *sink, ur_mem_handle_t hBuffer,
                                            const rect_pair *sides, void *pDst,
                                            pi_buff_rect_region region) {
  UR_REQUIRE_MEM(hBuffer);
  UR_REQUIRE_POINTER(pDst);
  return range_result(
      buffer_read_rect(sink, &sides->from, mem_of(hBuffer), &sides->to, pDst, region));
}
RECORDED(MemBufferReadRect,
         LIST(ur_mem_handle_t hBuffer, ur_rect_offset_t bufferOffset, ur_rect_offset_t hostOffset,
              ur_rect_region_t region, size_t bufferRowPitch, size_t bufferSlicePitch,
              size_t hostRowPitch, size_t hostSlicePitch, void *pDst),
         LIST(hBuffer,
              (&(rect_pair){{"hBuffer", OFFSET_OF(bufferOffset), bufferRowPitch, bufferSlicePitch},
                            {"pDst", OFFSET_OF(hostOffset), hostRowPitch, hostSlicePitch}}),
              pDst, RECT_REGION))
