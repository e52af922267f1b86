/* The common part of all entries that record a command. */
#ifndef UR_RECORDING_H
#define UR_RECORDING_H

#include "sinks.h"

#define SINK_OF_COMMAND_BUFFER()                                                                   \
  sink_of_command_buffer(command_buffer_of(hCommandBuffer), numSyncPointsInWaitList,               \
                         pSyncPointWaitList, pSyncPoint)

/* Refuses a wait list and an event for a recorded command: UNSUPPORTED_FEATURE. */
static inline ur_result_t recording_check_events(uint32_t count, const ur_event_handle_t *event) {
  UR_REQUIRE(count == 0 && !event, UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
             "commands of a command buffer neither wait for events nor have one: what keeps their "
             "order is sync points");
  return UR_RESULT_SUCCESS;
}

#endif
