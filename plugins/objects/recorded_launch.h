/*
 * Recorded launches that can be changed once their command buffer is finalized; UR calls them
 * commands. The command buffer has a reference to each. Each has its own kernel with the current
 * arguments.
 */
#ifndef OBJECTS_RECORDED_LAUNCH_H
#define OBJECTS_RECORDED_LAUNCH_H

#include "launch_kernel.h"

typedef struct recorded_launch {
  object_head handle;
  pi_ext_command_buffer buffer; /* NULL once the command buffer has ended */
  pi_kernel kernel;             /* with the arguments of the next run */
  pi_uint32 number;             /* of the command in the command buffer */
  launch_range range;
  pi_uint32 alternative_count; /* of kernels that an update may choose, with a reference to each */
  pi_kernel alternatives[];
} recorded_launch;

/* A range as callers pass it; local may be NULL. */
typedef struct range_arrays {
  pi_uint32 dimensions;
  const size_t *offset, *global, *local;
} range_arrays;

/*
 * Records a launch into a command buffer's sink; updates may replace its kernel by one of count
 * alternatives. *ret has a reference for the caller. PI_ERROR_INVALID_OPERATION: the command buffer
 * was created without is_updatable. Also the errors of launch_kernel; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result launch_record(sink *sink, pi_kernel kernel, const range_arrays *range, pi_uint32 count,
                        const pi_kernel *alternatives, recorded_launch **ret);

static inline void recorded_launch_retain(recorded_launch *launch) {
  object_retain(&launch->handle);
}
void recorded_launch_release(recorded_launch *launch);

/*
 * Begins an update. *ret is a copy of the launch's kernel, or of replacement if that is not NULL;
 * the caller sets arguments of the copy. PI_ERROR_INVALID_OPERATION: the command buffer is not
 * finalized, or the launch is empty; PI_ERROR_INVALID_VALUE: replacement is not an alternative.
 */
pi_result launch_change_begin(recorded_launch *launch, pi_kernel replacement, pi_kernel *ret);

/*
 * Ends an update: the next runs launch kernel, whose reference it takes. Members of range that are
 * NULL keep the launch's values, but a new global size without a local size gets a new local size.
 * A failure changes nothing.
 */
pi_result launch_change_end(recorded_launch *launch, pi_kernel kernel, const range_arrays *range);

#endif
