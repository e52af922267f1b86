/*
 * Sinks, as plugins/objects/sink.h has them for plugins with objects of their own: a queue, or a
 * command buffer being recorded. pi/sinks.h makes them.
 */
#ifndef OPENCL_SINK_H
#define OPENCL_SINK_H

#include "checks.h"

typedef struct sink {
  pi_queue queue;               /* NULL if the command is recorded */
  pi_ext_command_buffer buffer; /* NULL if the command is enqueued */
  pi_uint32 wait_count;
  bool is_blocking;
  const pi_event *waits;                /* of an enqueued command */
  pi_event *event;                      /* of an enqueued command: output, or NULL */
  const pi_ext_sync_point *sync_points; /* of a recorded command: its waits, not checked yet */
  pi_ext_sync_point *sync_point;        /* of a recorded command: output, or NULL */
  cl_event made;                        /* the driver's event */
} sink;

static inline sink sink_of_queue(pi_queue queue, pi_command_type type, pi_uint32 wait_count,
                                 const pi_event *waits, bool is_blocking, pi_event *event) {
  (void)type; /* the driver knows it */
  return (sink){.queue = queue,
                .wait_count = wait_count,
                .is_blocking = is_blocking,
                .waits = waits,
                .event = event};
}

static inline sink sink_of_command_buffer(pi_ext_command_buffer buffer, pi_uint32 sync_point_count,
                                          const pi_ext_sync_point *sync_points,
                                          pi_ext_sync_point *sync_point) {
  return (sink){.buffer = buffer,
                .wait_count = sync_point_count,
                .sync_points = sync_points,
                .sync_point = sync_point};
}

/*
 * The last arguments of an enqueue function for OpenCL. Drivers write the event even when they
 * fail, so they write it to sink->made, from which `enqueued` copies it after a success.
 */
#define CL_WAIT_LIST sink->wait_count, cl_from_events(sink->waits)
#define CL_WAIT_LIST_EVENT CL_WAIT_LIST, sink->event ? &sink->made : NULL

/*
 * Makes an event that stands for the wait list. Needed because some drivers report success without
 * making an event when there is nothing to do (0 bytes).
 */
__attribute__((cold, noinline)) pi_result opencl_stand_in_event(sink *sink);

/* Returns the result of an enqueue function, and passes on its event. */
static inline pi_result enqueued(sink *sink, cl_int code, const char *call) {
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return cl_error(code, call);
  if (!sink->event)
    return PI_SUCCESS;
  if (__builtin_expect(!sink->made, 0))
    TRY(opencl_stand_in_event(sink));
  *sink->event = pi_from_cl_event(sink->made);
  return PI_SUCCESS;
}

/*
 * Call an enqueue function of the driver, or of an extension, with the sink's wait list and event
 * as the last arguments.
 */
#define CL_ENQUEUE(function, ...)                                                                  \
  enqueued(sink, cl.function(__VA_ARGS__, CL_WAIT_LIST_EVENT), "cl" #function)
#define CL_EXTENSION_ENQUEUE(extensions, function, ...)                                            \
  enqueued(sink, (extensions)->function(__VA_ARGS__, CL_WAIT_LIST_EVENT), "cl" #function "INTEL")

#endif
