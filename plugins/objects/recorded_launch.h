/*
 * Launches of a command buffer that can be changed once it is finalized: UR's commands. The command
 * buffer owns them. Each has its own kernel, with the arguments from which an update starts.
 */
#ifndef OBJECTS_RECORDED_LAUNCH_H
#define OBJECTS_RECORDED_LAUNCH_H

#include "launch_kernel.h"

typedef struct recorded_launch {
  object_head handle;
  pi_ext_command_buffer buffer; /* NULL: it has ended */
  pi_kernel kernel;             /* with the arguments of the next run */
  pi_uint32 number;             /* of the command in the buffer */
  launch_range range;
  pi_uint32 alternative_count; /* other kernels that it may become, a reference to each */
  pi_kernel alternatives[];
} recorded_launch;

/* A range as callers pass it; local may be NULL. */
typedef struct range_arrays {
  pi_uint32 dimensions;
  const size_t *offset, *global, *local;
} range_arrays;

/*
 * Records a launch, into a command buffer's sink, that can become one of count other kernels. *ret
 * has a reference for the caller, beside the command buffer's. PI_ERROR_INVALID_OPERATION: the
 * buffer's launches cannot be changed. Else the errors of launch_kernel;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result launch_record(sink *sink, pi_kernel kernel, const range_arrays *range, pi_uint32 count,
                        const pi_kernel *alternatives, recorded_launch **ret);

static inline void recorded_launch_retain(recorded_launch *launch) {
  object_retain(&launch->handle);
}
void recorded_launch_release(recorded_launch *launch);

/*
 * Begins a change. *ret is a kernel like that of the launch, or like replacement unless that is
 * NULL; the caller sets its arguments. PI_ERROR_INVALID_OPERATION: the command buffer is not
 * finalized; PI_ERROR_INVALID_VALUE: the launch cannot become this kernel.
 */
pi_result launch_change_begin(recorded_launch *launch, pi_kernel replacement, pi_kernel *ret);

/*
 * Makes the next runs launch kernel, whose reference it takes over. NULL members of range stay as
 * they were; with a global size and no local one, one is chosen. After a failure all is as it was.
 */
pi_result launch_change_end(recorded_launch *launch, pi_kernel kernel, const range_arrays *range);

#endif
