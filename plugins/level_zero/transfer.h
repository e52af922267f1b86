/* Copies of memory, put into a list of commands. */
#ifndef LEVEL_ZERO_TRANSFER_H
#define LEVEL_ZERO_TRANSFER_H

#include "queue.h"

#include "../checks/rect.h"

/*
 * Appends a copy between any two places of memory: of devices, of the host, of the application,
 * which Level Zero takes as it is. It is one call of the driver, except for pitches that Level Zero
 * cannot express. It is the whole command: it waits for sink->command.waits and signals
 * sink->command.signal.
 */
pi_result transfer_append(sink *sink, const transfer *transfer);

/* The same as a step of a sink, between command_first_step and command_last_step. */
pi_result transfer_append_step(sink *sink, const transfer *transfer);

#endif
