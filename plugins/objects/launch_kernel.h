/*
 * Kernel launches, enqueued or recorded. A valid launch costs the checks and the driver's calls; it
 * allocates nothing and takes only the driver's lock. The search for the reason of a failure comes
 * after a check has failed.
 */
#ifndef OBJECTS_LAUNCH_KERNEL_H
#define OBJECTS_LAUNCH_KERNEL_H

#include "kernel.h"
#include "sink.h"

/* A checked launch. */
typedef struct kernel_launch {
  pi_kernel kernel;
  pi_device device;
  kernel_limits *limits; /* from driver_kernel_limits */
  launch_range range;
  launch_groups groups; /* not set for an empty range */
  bool is_cooperative;
} kernel_launch;

/*
 * Checks a launch as piEnqueueKernelLaunch does and fills in *launch except is_cooperative. The
 * arrays are those of the entry; if local is NULL the function chooses a local size. Asks the
 * driver only for facts that the plugin does not know yet.
 *
 * Errors of piEnqueueKernelLaunch and driver_kernel_limits; PI_ERROR_INVALID_CONTEXT: the kernel is
 * of another context; PI_ERROR_INVALID_GLOBAL_WORK_SIZE: the device cannot run such a grid.
 */
pi_result launch_prepare(const sink *sink, pi_kernel kernel, pi_uint32 dimensions,
                         const size_t *offset, const size_t *global, const size_t *local,
                         kernel_launch *launch);

/*
 * Launches as a whole command, from sink_begin to sink_end. A cooperative launch needs a local
 * size. PI_ERROR_OUT_OF_RESOURCES: its work-groups cannot all run at the same time.
 */
pi_result launch_kernel(sink *sink, pi_kernel kernel, pi_uint32 dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, bool is_cooperative);

/*
 * As piextKernelSuggestMaxCooperativeGroupCount, for work-groups of one to three dimensions on a
 * device of the kernel's context; device NULL: the first one that the kernel is built for.
 */
pi_result launch_count_cooperative(pi_kernel kernel, pi_device device, pi_uint32 dimensions,
                                   const size_t *local, size_t local_memory, pi_uint32 *ret);

/*
 * The local size that a launch without one would get with the arguments' current local memory. The
 * arguments need not be set. Errors of launch_prepare.
 */
pi_result launch_suggest_local(pi_context context, pi_device device, pi_kernel kernel,
                               pi_uint32 dimensions, const size_t *offset, const size_t *global,
                               size_t *ret);

#endif
