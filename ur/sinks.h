/*
 * Makes sinks (plugins/objects/sink.h) from the parameters of UR's entries. The type of a command's
 * event is UR's number, which objects and drivers only store.
 */
#ifndef UR_SINKS_H
#define UR_SINKS_H

#include "../plugins/objects/sink.h"
#include "handles.h"

#define SINK_OF_QUEUE(COMMAND, is_blocking)                                                        \
  sink_of_queue(queue_of(hQueue), (pi_command_type)UR_COMMAND_##COMMAND, numEventsInWaitList,      \
                events_of(phEventWaitList), is_blocking, events_of(phEvent))

#endif
