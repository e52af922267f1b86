/*
 * Kernel launches, in a queue or recorded. The path of a launch that is right has the checks and
 * the driver's calls, allocates nothing and takes no lock but the driver's; only a refused launch
 * looks for what was wrong.
 */
#ifndef OBJECTS_LAUNCH_KERNEL_H
#define OBJECTS_LAUNCH_KERNEL_H

#include "kernel.h"
#include "sink.h"

/* A checked launch. */
typedef struct kernel_launch {
  pi_kernel kernel;
  pi_device device;
  kernel_limits *limits; /* of the function that runs, from driver_kernel_limits */
  launch_range range;
  launch_groups groups; /* of a range that is not empty */
  bool is_cooperative;
} kernel_launch;

/*
 * Checks a launch as piEnqueueKernelLaunch does and fills *launch, but is_cooperative; the arrays
 * are PI's. If local is NULL one is chosen. Asks the driver only for what is new.
 *
 * Errors as piEnqueueKernelLaunch documents; PI_ERROR_INVALID_CONTEXT: the kernel is of another
 * context; those of driver_kernel_limits; PI_ERROR_INVALID_GLOBAL_WORK_SIZE: the device has no such
 * grid.
 */
pi_result launch_prepare(const sink *sink, pi_kernel kernel, pi_uint32 dimensions,
                         const size_t *offset, const size_t *global, const size_t *local,
                         kernel_launch *launch);

/*
 * The whole command, from sink_begin to sink_end. A cooperative one needs a local size;
 * PI_ERROR_OUT_OF_RESOURCES: not all of its work-groups run at the same time.
 */
pi_result launch_kernel(sink *sink, pi_kernel kernel, pi_uint32 dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, bool is_cooperative);

/*
 * As piextKernelSuggestMaxCooperativeGroupCount, for work-groups of one to three dimensions on a
 * device of the kernel's context; NULL: the first one that the kernel is for.
 */
pi_result launch_count_cooperative(pi_kernel kernel, pi_device device, pi_uint32 dimensions,
                                   const size_t *local, size_t local_memory, pi_uint32 *ret);

/*
 * The local size that a launch without one would get, with the local memory that the arguments have
 * now; any argument may be missing. Errors as launch_prepare.
 */
pi_result launch_suggest_local(pi_queue queue, pi_kernel kernel, pi_uint32 dimensions,
                               const size_t *offset, const size_t *global, size_t *ret);

#endif
