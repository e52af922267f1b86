/*
 * Entries that append commands to command lists. The commands of a list are executed in its order,
 * which Level Zero allows; those of an immediate list around a SYCL runtime's queue in that of the
 * queue.
 */
#include "../plugins/objects/context.h"
#include "../plugins/objects/usm_command.h"
#include "command.h"

/* ---- Copies and fills ---- */

static pi_result run_copy(const ze_command *command, sink *sink) {
  return usm_copy(sink, command->copy.to, command->copy.from, command->copy.size);
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t hCommandList, void *dstptr,
                                          const void *srcptr, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(dstptr);
  ZE_REQUIRE_POINTER(srcptr);
  ze_command command = ZE_COMMAND(run_copy, USM_MEMCPY);
  command.copy.to = dstptr;
  command.copy.from = srcptr;
  command.copy.size = size;
  return list_append(hCommandList, &command);
}

/* Copies as within one context, because contexts of one device share its memory. */
ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t hCommandList,
                                                     void *dstptr, ze_context_handle_t hContextSrc,
                                                     const void *srcptr, size_t size,
                                                     ze_event_handle_t hSignalEvent,
                                                     uint32_t numWaitEvents,
                                                     ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_HANDLE(hContextSrc, CONTEXT);
  return zeCommandListAppendMemoryCopy(hCommandList, dstptr, srcptr, size, hSignalEvent,
                                       numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t hCommandList, void *ptr,
                                          const void *pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(ptr);
  ZE_REQUIRE_POINTER(pattern);
  ZE_REQUIRE(pattern_size, INVALID_SIZE, "pattern_size is 0");
  ze_command command = ZE_COMMAND(command_fill, USM_FILL);
  command.fill.pointer = ptr;
  command.fill.pattern = pattern;
  command.fill.pattern_size = pattern_size;
  command.fill.size = size;
  return list_append(hCommandList, &command);
}

/* ---- Barriers and events ---- */

static pi_result run_barrier(const ze_command *command, sink *sink) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, driver_barrier(sink, command->wait_count == 0));
}

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t hCommandList,
                                       ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                       ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  const ze_command command = ZE_COMMAND(run_barrier, EVENTS_WAIT_WITH_BARRIER);
  return list_append(hCommandList, &command);
}

/* A barrier for all memory. */
ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t hCommandList,
                                                   uint32_t numRanges, const size_t *pRangeSizes,
                                                   const void **pRanges,
                                                   ze_event_handle_t hSignalEvent,
                                                   uint32_t numWaitEvents,
                                                   ze_event_handle_t *phWaitEvents) {
  (void)numRanges;
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(pRangeSizes);
  ZE_REQUIRE_POINTER(pRanges);
  return zeCommandListAppendBarrier(hCommandList, hSignalEvent, numWaitEvents, phWaitEvents);
}

/* Enqueues a marker that ends when all earlier commands have ended. */
static pi_result run_marker(const ze_command *command, sink *sink) {
  (void)command;
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, driver_marker(sink, true));
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t hCommandList,
                                           ze_event_handle_t hEvent) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(hEvent, INVALID_NULL_HANDLE, "%s: hEvent is NULL", __func__);
  const ze_command command = {.run = run_marker, .type = UR_COMMAND_EVENTS_WAIT, .signal = hEvent};
  return list_append(hCommandList, &command);
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t hCommandList,
                                          ze_event_handle_t hEvent) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(hEvent, INVALID_NULL_HANDLE, "%s: hEvent is NULL", __func__);
  const ze_command command = {.run = run_marker, .type = UR_COMMAND_EVENTS_WAIT, .reset = hEvent};
  return list_append(hCommandList, &command);
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t hCommandList,
                                            uint32_t numEvents, ze_event_handle_t *phEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(phEvents);
  const ze_command command = {.run = run_barrier,
                              .type = UR_COMMAND_EVENTS_WAIT_WITH_BARRIER,
                              .wait_count = numEvents,
                              .waits = phEvents};
  return numEvents ? list_append(hCommandList, &command) : ZE_RESULT_SUCCESS;
}
