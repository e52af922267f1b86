#include "sink.h"

#include "memory.h"

/* With the lock. */
static pi_result begin_recorded(sink *sink) {
  const pi_ext_command_buffer buffer = sink->buffer;
  PI_REQUIRE(!buffer->is_finalized, PI_ERROR_INVALID_OPERATION,
             "the command buffer is finalized, nothing can be added");
  PI_TRY(command_buffer_check_whole(buffer));
  PI_REQUIRE(buffer->command_count < UINT32_MAX, PI_ERROR_OUT_OF_RESOURCES,
             "a command buffer has at most %u commands", UINT32_MAX);
  for (pi_uint32 i = 0; i < sink->wait_count; i++)
    PI_REQUIRE(sink->sync_points[i] < buffer->command_count,
               PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
               "sync point %u is %u, the command buffer has %u commands", i, sink->sync_points[i],
               buffer->command_count);
  return driver_record_begin(sink);
}

pi_result sink_begin_recorded(sink *sink) {
  const pi_ext_command_buffer buffer = sink->buffer;
  PI_REQUIRE((sink->wait_count == 0) == (sink->sync_points == NULL),
             PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
             "num_sync_points_in_wait_list is %u and sync_point_wait_list is %sNULL",
             sink->wait_count, sink->sync_points ? "not " : "");
  pthread_mutex_lock(&buffer->lock);
  sink->object_count = buffer->objects.count;
  pi_result result = begin_recorded(sink);
  if (result != PI_SUCCESS) {
    pthread_mutex_unlock(&buffer->lock);
    return result;
  }
  for (int i = 0; i < 2 && result == PI_SUCCESS; i++)
    if (sink->memory[i])
      result = sink_hold_memory(sink, sink->memory[i]);
  return result == PI_SUCCESS ? PI_SUCCESS : sink_end_recorded(sink, result);
}

pi_result sink_end_recorded(sink *sink, pi_result result) {
  const pi_ext_command_buffer buffer = sink->buffer;
  result = driver_record_end(sink, result);
  if (result == PI_SUCCESS) {
    if (sink->sync_point)
      *sink->sync_point = buffer->command_count;
    buffer->command_count++;
  } else if (!buffer->is_broken) {
    command_buffer_release_objects(buffer, sink->object_count);
  }
  pthread_mutex_unlock(&buffer->lock);
  return result;
}

pi_result sink_hold(sink *sink, void *object, void (*release)(void *object)) {
  const command_object held = {object, release};
  return command_list_add(&sink->buffer->objects, &held, sizeof held);
}

static void release_memory(void *object) {
  memory_release(object);
}

pi_result sink_hold_memory(sink *sink, pi_mem mem) {
  PI_TRY(sink_hold(sink, mem, release_memory));
  memory_retain(mem);
  return PI_SUCCESS;
}
