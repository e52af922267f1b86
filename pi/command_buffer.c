/* PI's entries for command buffers, except those that record commands. */
#include "../plugins/objects/command_buffer.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/context.h"
#include "sinks.h"

pi_result piextCommandBufferCreate(pi_context context, pi_device device,
                                   const pi_ext_command_buffer_desc *desc,
                                   pi_ext_command_buffer *ret_command_buffer) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_command_buffer);
  TRY(check_command_buffer_desc(desc));
  const command_buffer_form form = {.is_updatable = false};
  return command_buffer_create(context, device, &form, ret_command_buffer);
}

pi_result piextCommandBufferRetain(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  object_retain(&command_buffer->handle);
  return PI_SUCCESS;
}

pi_result piextCommandBufferRelease(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  command_buffer_release(command_buffer);
  return PI_SUCCESS;
}

pi_result piextCommandBufferFinalize(pi_ext_command_buffer command_buffer) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  return command_buffer_finalize(command_buffer);
}

pi_result piextEnqueueCommandBuffer(pi_ext_command_buffer command_buffer, pi_queue queue,
                                    pi_uint32 num_events_in_wait_list,
                                    const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_COMMAND_BUFFER(command_buffer);
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(EXT_COMMAND_BUFFER, false);
  return command_buffer_run(command_buffer, &sink);
}
