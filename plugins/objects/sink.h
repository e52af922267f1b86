/*
 * Sinks: destinations of one command, either a queue or a command buffer being recorded. The code
 * of each command is written once, for a sink: piEnqueueMemBufferCopy and
 * piextCommandBufferMemBufferCopy call the same function with different sinks.
 *
 * A sink lives on its caller's stack; making one has no side effect. sink_begin begins the command.
 * If it returns PI_SUCCESS the caller calls verbs of driver.h and sink_hold, and then sink_end on
 * the same thread with their result.
 */
#ifndef OBJECTS_SINK_H
#define OBJECTS_SINK_H

#include "command_buffer.h"
#include "handle_checks.h"
#include "queue.h"
#include "queue_command.h"

#include "driver.h"

struct sink {
  pi_context context;
  pi_device device;
  pi_queue queue;               /* NULL if the command is recorded */
  pi_ext_command_buffer buffer; /* NULL if the command is enqueued */
  pi_command_type type;         /* of an enqueued command */
  pi_uint32 wait_count;
  bool is_blocking; /* sink_end waits until the command has ended */
  bool has_times;   /* the event has times, for the queue's profiling or at the caller's request */
  const pi_event *waits; /* of an enqueued command: live handles, checked by the caller */
  pi_event *event;       /* of an enqueued command: output, or NULL */
  const pi_ext_sync_point *sync_points; /* of a recorded command: its waits, not checked yet */
  pi_ext_sync_point *sync_point;        /* of a recorded command: output, or NULL */
  pi_mem memory[2];               /* of a recorded command: memory that sink_begin holds, or NULL */
  size_t object_count;            /* of a recorded command: number of buffer->objects before it */
  struct recorded_launch *launch; /* of a recorded launch that can be changed later, or NULL */
  pi_ext_sync_point latest;       /* replaces sync_points if the command buffer is in order */
  struct driver_command command;
};

static inline sink sink_of_queue(pi_queue queue, pi_command_type type, pi_uint32 wait_count,
                                 const pi_event *waits, bool is_blocking, pi_event *event) {
  sink made;
  made.context = queue->context;
  made.device = queue->device;
  made.queue = queue;
  made.buffer = NULL;
  made.type = type;
  made.wait_count = wait_count;
  made.is_blocking = is_blocking;
  made.has_times = queue->has_profiling;
  made.waits = waits;
  made.event = event;
  made.memory[0] = made.memory[1] = NULL;
  return made;
}

static inline sink sink_of_command_buffer(pi_ext_command_buffer buffer, pi_uint32 sync_point_count,
                                          const pi_ext_sync_point *sync_points,
                                          pi_ext_sync_point *sync_point) {
  return (sink){.context = buffer->context,
                .device = buffer->device,
                .buffer = buffer,
                .wait_count = sync_point_count,
                .sync_points = sync_points,
                .sync_point = sync_point};
}

/* The parts of the next two functions for recorded commands. */
pi_result sink_begin_recorded(sink *sink);
pi_result sink_end_recorded(sink *sink, pi_result result);

/*
 * Begins the command. For a queue it allocates nothing once the pools are warm. For a command
 * buffer it takes the buffer's lock, which sink_end releases.
 *
 * Errors for a queue: those of driver_command_begin. Errors for a command buffer:
 * PI_ERROR_INVALID_OPERATION: it is finalized, or broken;
 * PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
static inline pi_result sink_begin(sink *sink, sink_engine engine) {
  if (__builtin_expect(sink->buffer != NULL, 0))
    return sink_begin_recorded(sink);
  return driver_command_begin(sink, engine);
}

/*
 * Ends the command and returns its event or sync point; waits until a blocking command has ended.
 * If result is a failure it gives up the command and returns result.
 */
static inline pi_result sink_end(sink *sink, pi_result result) {
  if (__builtin_expect(sink->buffer != NULL, 0))
    return sink_end_recorded(sink, result);
  if (__builtin_expect(result != PI_SUCCESS, 0))
    return driver_command_cancel(sink, result);
  return driver_command_end(sink);
}

/*
 * For a recorded command: has release(object) called at the end of the command buffer. The caller
 * adds the reference that release gives up. An object may be passed several times.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result sink_hold(sink *sink, void *object, void (*release)(void *object));

/* sink_hold for a memory object and for a launch. They add the reference themselves. */
pi_result sink_hold_memory(sink *sink, pi_mem mem);
pi_result sink_hold_launch(sink *sink, struct recorded_launch *launch);

#endif
