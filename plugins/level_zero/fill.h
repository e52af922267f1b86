/*
 * Fills as Level Zero has them: patterns of a power of 2 of bytes, up to what an engine takes. Any
 * other pattern is written once, by such fills or by a copy, and then copied until all is full.
 */
#ifndef PI_LEVEL_ZERO_FILL_H
#define PI_LEVEL_ZERO_FILL_H

#include "queue.h"

/* height rows of width bytes, each pitch bytes after the one before. */
typedef struct fill_rows {
  void *pointer;
  size_t pitch; /* at least width; not looked at when height is 1 */
  size_t width, height;
} fill_rows;

/*
 * Enqueues a fill of rows with a repeated pattern of pattern_size bytes, which may be any size that
 * divides width; it is not needed any more afterwards. A width or height of 0 fills nothing. The
 * caller has checked range and events. Allocates only for patterns which the engine would need very
 * many fills for: these are copied from memory of the host.
 *
 * Errors: those of queue_begin, PI_ERROR_OUT_OF_HOST_MEMORY, or what the driver says.
 */
pi_result fill_enqueue(pi_queue queue, pi_command_type type, const fill_rows *rows,
                       const void *pattern, size_t pattern_size, pi_uint32 num_events_in_wait_list,
                       const pi_event *event_wait_list, pi_event *event);

/* What a fill in a command buffer needs as long as that lives. */
typedef struct fill_stage fill_stage;

/*
 * Appends the same fill to a command on the compute engine, as queue_marker would be: it waits for
 * command->waits and signals command->signal. *stage receives what fill_stage_free is to free when
 * the list is not executed any more, or NULL. The command is ended as one of several driver calls.
 */
pi_result fill_append(queue_command *command, const fill_rows *rows, const void *pattern,
                      size_t pattern_size, fill_stage **stage);
void fill_stage_free(fill_stage *stage);

#endif
