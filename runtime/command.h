/*
 * The common parts of every command: a queue, events to wait for, an event to return.
 *
 *   command command;
 *   ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
 *   const pi_result code = queue->pi->piEnqueueX(queue->handle, ..., COMMAND_EVENTS(&command));
 *   return command_end(&command, code, event, "piEnqueueX of %zu bytes", size);
 *
 * Nothing is allocated, except an event when the queue has no free one.
 */
#ifndef SPECPI_COMMAND_H
#define SPECPI_COMMAND_H

#include "driver_error.h"
#include "queue.h"

/* The maximum number of events to wait for. In longer lists a marker replaces this many events. */
enum { COMMAND_WAITS = 32 };

typedef struct command {
  specpi_queue queue;
  pi_uint32 wait_count;
  pi_event waits[COMMAND_WAITS];
  pi_event marker;    /* owned; replaces events that did not fit into the list; or NULL */
  specpi_event event; /* the event to return; NULL if the caller does not want one */
  pi_event made;
} command;

/* The last three arguments of PI's enqueue functions. */
#define COMMAND_EVENTS(command)                                                                    \
  (command)->wait_count, (command)->wait_count ? (command)->waits : NULL,                          \
      (command)->event ? &(command)->made : NULL

/*
 * Checks queue and wait list, and takes an event unless wanted is NULL, which is the command
 * function's parameter event. queue must not be NULL. After success, command_end must be called.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: the wait list, or an event in it, is NULL or of another context.
 * SPECPI_ERROR_OUT_OF_MEMORY, SPECPI_ERROR_DRIVER.
 */
specpi_result command_begin(command *command, specpi_queue queue, size_t wait_count,
                            const specpi_event *waits, specpi_event *wanted);

/* Ends a command with the driver's result, and stores the event. The text describes the call. */
specpi_result command_end(command *command, pi_result code, specpi_event *event, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

#endif
