/*
 * UR's entries for command buffers. The entries that record commands are in command_record.c; those
 * for launches and their changes are in command_launch.c.
 */
#include "../plugins/objects/command_buffer.h"

#include "checks.h"
#include "reply.h"
#include "sinks.h"

/* pCommandBufferDesc may be NULL, for the defaults. */
ur_result_t urCommandBufferCreateExp(ur_context_handle_t hContext, ur_device_handle_t hDevice,
                                     const ur_exp_command_buffer_desc_t *pCommandBufferDesc,
                                     ur_exp_command_buffer_handle_t *phCommandBuffer) {
  command_buffer_form form = {.is_updatable = false};
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE_OF(context_of(hContext), hDevice);
  UR_REQUIRE_POINTER(phCommandBuffer);
  if (pCommandBufferDesc)
    form = (command_buffer_form){.is_updatable = pCommandBufferDesc->isUpdatable != 0,
                                 .is_in_order = pCommandBufferDesc->isInOrder != 0,
                                 .has_profiling = pCommandBufferDesc->enableProfiling != 0};
  return face_result(command_buffer_create(context_of(hContext), device_of(hDevice), &form,
                                           command_buffers_of(phCommandBuffer)));
}

ur_result_t urCommandBufferRetainExp(ur_exp_command_buffer_handle_t hCommandBuffer) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  object_retain(&command_buffer_of(hCommandBuffer)->handle);
  return UR_RESULT_SUCCESS;
}

ur_result_t urCommandBufferReleaseExp(ur_exp_command_buffer_handle_t hCommandBuffer) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  command_buffer_release(command_buffer_of(hCommandBuffer));
  return UR_RESULT_SUCCESS;
}

ur_result_t urCommandBufferFinalizeExp(ur_exp_command_buffer_handle_t hCommandBuffer) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  return face_result(command_buffer_finalize(command_buffer_of(hCommandBuffer)));
}

ur_result_t urEnqueueCommandBufferExp(ur_queue_handle_t hQueue,
                                      ur_exp_command_buffer_handle_t hCommandBuffer,
                                      uint32_t numEventsInWaitList,
                                      const ur_event_handle_t *phEventWaitList,
                                      ur_event_handle_t *phEvent) {
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  UR_REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(ENQUEUE_COMMAND_BUFFER_EXP, false);
  return face_result(command_buffer_run(command_buffer_of(hCommandBuffer), &sink));
}

ur_result_t urCommandBufferEnqueueExp(ur_exp_command_buffer_handle_t hCommandBuffer,
                                      ur_queue_handle_t hQueue, uint32_t numEventsInWaitList,
                                      const ur_event_handle_t *phEventWaitList,
                                      ur_event_handle_t *phEvent) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  return urEnqueueCommandBufferExp(hQueue, hCommandBuffer, numEventsInWaitList, phEventWaitList,
                                   phEvent);
}

ur_result_t urCommandBufferGetInfoExp(ur_exp_command_buffer_handle_t hCommandBuffer,
                                      ur_exp_command_buffer_info_t propName, size_t propSize,
                                      void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  UR_PASS(reply_check(&reply));
  const pi_ext_command_buffer buffer = command_buffer_of(hCommandBuffer);
  switch ((int)propName) {
  case UR_EXP_COMMAND_BUFFER_INFO_REFERENCE_COUNT:
    return reply_uint32(&reply, object_references(&buffer->handle));
  case UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR: {
    const ur_exp_command_buffer_desc_t desc = {.stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
                                               .isUpdatable = buffer->is_updatable,
                                               .isInOrder = buffer->is_in_order,
                                               .enableProfiling = buffer->has_profiling};
    return reply_bytes(&reply, &desc, sizeof desc);
  }
  }
  return reply_unknown("ur_exp_command_buffer_info_t", propName);
}
