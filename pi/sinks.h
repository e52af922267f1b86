/*
 * Macros that make sinks from the parameters of PI's entries. The parameters have the same names in
 * all entries that enqueue or record a command. sink.h is plugins/objects/sink.h, or the one of a
 * plugin whose handles are the driver's own (plugins/opencl/sink.h).
 */
#ifndef PI_SINKS_H
#define PI_SINKS_H

#include "sink.h"

#define SINK_OF_QUEUE(TYPE, is_blocking)                                                           \
  sink_of_queue(queue, PI_COMMAND_TYPE_##TYPE, num_events_in_wait_list, event_wait_list,           \
                is_blocking, event)

#define SINK_OF_COMMAND_BUFFER()                                                                   \
  sink_of_command_buffer(command_buffer, num_sync_points_in_wait_list, sync_point_wait_list,       \
                         sync_point)

#endif
