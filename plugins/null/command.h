/*
 * Commands. A command runs at once, on the caller's thread, unless it has to wait for an unset user
 * event, directly or by other commands. Then it is pending, and runs on the thread that sets the
 * user event.
 */
#ifndef NULL_COMMAND_H
#define NULL_COMMAND_H

#include "../objects/sink.h"

#include <stddef.h>

/* A function that does a command's work. data is a copy. It may not call PI. */
typedef void null_deed(void *data);

/* Adds a function to a command that has begun, and copies data. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result null_do(sink *sink, null_deed *deed, const void *data, size_t size);

/* Returns the time of the host's clock in nanoseconds. The devices have the same clock. */
pi_uint64 null_now(void);

#endif
