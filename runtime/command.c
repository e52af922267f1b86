#include "command.h"

#include <stdarg.h>
#include <stdio.h>

static specpi_result check_waits(specpi_queue queue, size_t wait_count, const specpi_event *waits) {
  ERROR_REQUIRE(waits || wait_count == 0, "waits is NULL and wait_count is %zu", wait_count);
  for (size_t i = 0; i < wait_count; i++) {
    ERROR_REQUIRE(waits[i], "waits[%zu] is NULL", i);
    ERROR_REQUIRE(waits[i]->queue->context == queue->context,
                  "waits[%zu] is of %s, the queue of %s, and they have no context in common", i,
                  specpiDeviceGetSelector(waits[i]->queue->device),
                  specpiDeviceGetSelector(queue->device));
  }
  return SPECPI_SUCCESS;
}

/* Replaces the events of the list by one marker that waits for them. */
static specpi_result fold(command *command) {
  const pi_function_table *pi = command->queue->pi;
  pi_event marker = NULL;
  DRIVER_TRY(
      pi,
      pi->piEnqueueEventsWait(command->queue->handle, command->wait_count, command->waits, &marker),
      "piEnqueueEventsWait for %u events", command->wait_count);
  if (command->marker)
    pi->piEventRelease(command->marker);
  command->marker = marker;
  command->waits[0] = marker;
  command->wait_count = 1;
  return SPECPI_SUCCESS;
}

static specpi_result add_waits(command *command, size_t wait_count, const specpi_event *waits) {
  for (size_t i = 0; i < wait_count; i++) {
    specpi_queue other = waits[i]->queue;
    /* Flush the event's queue: its driver may hold commands back until then. */
    if (other != command->queue && (i == 0 || other != waits[i - 1]->queue))
      DRIVER_TRY(other->pi, other->pi->piQueueFlush(other->handle), "piQueueFlush on %s",
                 specpiDeviceGetSelector(other->device));
    if (command->wait_count == COMMAND_WAITS)
      ERROR_TRY(fold(command));
    command->waits[command->wait_count++] = waits[i]->handle;
  }
  return SPECPI_SUCCESS;
}

/* Releases the parts that the caller does not get. */
static void clear_command(command *command) {
  if (command->marker)
    command->queue->pi->piEventRelease(command->marker);
  if (command->event)
    queue_give_event(command->queue, command->event);
}

specpi_result command_begin(command *command, specpi_queue queue, size_t wait_count,
                            const specpi_event *waits, specpi_event *wanted) {
  ERROR_TRY(check_waits(queue, wait_count, waits));
  command->queue = queue;
  command->wait_count = 0;
  command->marker = NULL;
  command->event = NULL;
  command->made = NULL;
  if (wanted)
    ERROR_TRY(queue_take_event(queue, &command->event));
  const specpi_result result = add_waits(command, wait_count, waits);
  if (result != SPECPI_SUCCESS)
    clear_command(command);
  return result;
}

specpi_result command_end(command *command, pi_result code, specpi_event *event, const char *format,
                          ...) {
  specpi_result result = SPECPI_SUCCESS;
  if (code != PI_SUCCESS) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    result = driver_error(command->queue->pi, code, "%s", what);
  } else if (command->event) {
    specpiQueueRetain(command->queue);
    command->event->handle = command->made;
    *event = command->event;
    command->event = NULL;
  }
  clear_command(command);
  return result;
}
