/*
 * Sinks: destinations of one command's calls, a queue now or a command buffer that is recorded. All
 * code about a command is written once, over a sink; piEnqueueMemBufferCopy and
 * piextCommandBufferMemBufferCopy are two ways to open one.
 *
 * A sink lives on its caller's stack. Making one has no side effect. sink_begin begins the command;
 * after PI_SUCCESS sink_end must follow on the same thread, with the result of the calls between:
 * verbs of driver.h, and sink_hold.
 */
#ifndef OBJECTS_SINK_H
#define OBJECTS_SINK_H

#include "../base/error.h"
#include "command_buffer.h"
#include "queue.h"

#include "driver.h"

struct sink {
  pi_context context;
  pi_device device;
  pi_queue queue;               /* NULL: the command is recorded */
  pi_ext_command_buffer buffer; /* NULL: it is enqueued */
  pi_command_type type;         /* of a queue's */
  pi_uint32 wait_count;
  bool is_blocking; /* sink_end waits until the command has finished */
  bool has_times;   /* its event has times: the queue has profiling, or the command asks for it */
  const pi_event *waits; /* of a queue's: the caller has checked that they are live handles */
  pi_event *event;       /* of a queue's: NULL: the caller wants none */
  const pi_ext_sync_point *sync_points; /* of a recorded one, as the caller passed them */
  pi_ext_sync_point *sync_point;        /* of a recorded one; may be NULL */
  pi_mem memory[2];    /* memory of a recorded command, which sink_begin holds; or NULL */
  size_t object_count; /* of a recorded one: objects that the buffer held before */
  struct recorded_launch *launch; /* of a recorded one that can be changed later; or NULL */
  pi_ext_sync_point latest;       /* the only sync point in a command buffer with an order */
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

/* The slow parts of the two functions below, for a recorded command. */
pi_result sink_begin_recorded(sink *sink);
pi_result sink_end_recorded(sink *sink, pi_result result);

/*
 * Begins the command for an engine. In a queue it allocates nothing once the pools are warm. A
 * recorded one has its command buffer's lock until sink_end.
 *
 * In a queue: errors of driver_command_begin. PI_ERROR_INVALID_OPERATION: the command buffer is
 * finalized, or broken; PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
static inline pi_result sink_begin(sink *sink, sink_engine engine) {
  if (__builtin_expect(sink->buffer != NULL, 0))
    return sink_begin_recorded(sink);
  return driver_command_begin(sink, engine);
}

/*
 * Ends the command and returns its event or sync point, after waiting for it if it is blocking; or
 * gives it up when result is a failure, which it returns.
 */
static inline pi_result sink_end(sink *sink, pi_result result) {
  if (__builtin_expect(sink->buffer != NULL, 0))
    return sink_end_recorded(sink, result);
  if (__builtin_expect(result != PI_SUCCESS, 0))
    return driver_command_cancel(sink, result);
  return driver_command_end(sink);
}

/*
 * For a recorded command: keeps an object until the command buffer ends, when release(object) is
 * called; by itself this takes no reference. The same object may be given several times.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result sink_hold(sink *sink, void *object, void (*release)(void *object));

/* sink_hold for a memory object, and for a launch, with a reference. */
pi_result sink_hold_memory(sink *sink, pi_mem mem);
pi_result sink_hold_launch(sink *sink, struct recorded_launch *launch);

#endif
