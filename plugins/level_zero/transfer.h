/* Copies of memory, put into a list of commands. */
#ifndef PI_LEVEL_ZERO_TRANSFER_H
#define PI_LEVEL_ZERO_TRANSFER_H

#include "queue.h"

#include "../objects/rect.h"

/*
 * Appends a copy between any two places of memory: of devices, of the host, of the application,
 * which Level Zero takes as it is. One call of the driver, but for distances that Level Zero cannot
 * express. The whole command: it waits for command->waits and signals command->signal. It is ended
 * by queue_conclude_started with the result.
 */
pi_result transfer_append(queue_command *command, const transfer *transfer);

/* The same as a step of a command, between queue_first_step and queue_last_step. */
pi_result transfer_append_step(queue_command *command, const transfer *transfer);

/* A transfer's address. */
static inline uintptr_t transfer_address(const void *pointer) {
  return (uintptr_t)pointer;
}

#endif
