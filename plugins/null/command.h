/*
 * Commands. A command runs at once, on the caller's thread, unless its queue's order or an event
 * holds it back. Such an event waits for a user event of the application. Then the command is
 * pending, and runs on the thread that sets that event.
 */
#ifndef NULL_COMMAND_H
#define NULL_COMMAND_H

#include "../objects/sink.h"

#include <stddef.h>

/* The function of a command, with a copy of its data. It may not call PI. */
typedef void null_deed(void *data);

/* Adds a function to a command that has begun. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result null_do(sink *sink, null_deed *deed, const void *data, size_t size);

/* The host's clock, which is the devices', in nanoseconds. */
pi_uint64 null_now(void);

#endif
