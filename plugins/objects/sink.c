#include "sink.h"

#include "../checks/arguments.h"
#include "memory.h"

/* The caller holds the lock. */
static pi_result begin_recorded(sink *sink) {
  const pi_ext_command_buffer buffer = sink->buffer;
  TRY(check_recording(buffer->is_finalized, buffer->command_count, sink->wait_count,
                      sink->sync_points));
  TRY(command_buffer_check_whole(buffer));
  REQUIRE(buffer->command_count < UINT32_MAX, PI_ERROR_OUT_OF_RESOURCES,
          "a command buffer has at most %u commands", UINT32_MAX);
  if (buffer->is_in_order && buffer->command_count > 0) {
    sink->latest = buffer->command_count - 1;
    sink->sync_points = &sink->latest;
    sink->wait_count = 1;
  }
  return driver_record_begin(sink);
}

pi_result sink_begin_recorded(sink *sink) {
  const pi_ext_command_buffer buffer = sink->buffer;
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
  TRY(sink_hold(sink, mem, release_memory));
  memory_retain(mem);
  return PI_SUCCESS;
}

pi_result marker_enqueue(sink *sink, bool joins) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, driver_marker(sink, joins));
}

pi_result barrier_enqueue(sink *sink, bool joins) {
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, driver_barrier(sink, joins));
}
