/* Copies of memory, appended to command lists. */
#ifndef LEVEL_ZERO_TRANSFER_H
#define LEVEL_ZERO_TRANSFER_H

#include "queue.h"

#include "../checks/rect.h"

/*
 * Appends a copy between any two places: memory of devices, of the host, or of the application. The
 * copy is the whole command of the sink: it waits for sink->command.waits and signals
 * sink->command.signal. It is one driver call if that can express the pitches, else several.
 */
pi_result transfer_append(sink *sink, const transfer *transfer);

/* Appends a copy as a step, between command_first_step and command_last_step. */
pi_result transfer_append_step(sink *sink, const transfer *transfer);

#endif
