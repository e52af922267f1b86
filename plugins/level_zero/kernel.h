/* Kernels: a function of a build, and its arguments. */
#ifndef PI_LEVEL_ZERO_KERNEL_H
#define PI_LEVEL_ZERO_KERNEL_H

#include "../objects/kernel.h"

#include "program.h"
#include "queue.h"

/* What the driver needs to append a launch to a list. */
typedef struct kernel_launch {
  ze_kernel_handle_t kernel;
  ze_group_count_t groups;
  bool is_empty; /* a range of no work-items: there is nothing to run */
} kernel_launch;

/*
 * Checks a launch on a device as piEnqueueKernelLaunch does, locks the kernel, sets its group size,
 * offset and arguments for that device and fills *launch; the arrays are PI's, local may be NULL:
 * then the plugin chooses. With PI_SUCCESS kernel_finish must follow on this thread, after the
 * launch was appended. Allocates nothing; calls the driver only for what is new since the latest
 * launch.
 *
 * Errors as piEnqueueKernelLaunch documents; PI_ERROR_INVALID_CONTEXT when the kernel is of
 * another one, PI_ERROR_INVALID_GLOBAL_OFFSET: the driver has no offsets, or none of 64 bits,
 * PI_ERROR_INVALID_GLOBAL_WORK_SIZE: too many groups for the device,
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: not built for the device.
 */
pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_device device, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch);
void kernel_finish(pi_kernel kernel);

/*
 * Gives an instance what arguments were set since it last got them. With the lock. Errors of the
 * driver, with the argument's number.
 */
pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance);

/* Has an instance work in groups of that size; with the lock. Errors of the driver. */
pi_result kernel_set_group(kernel_instance *instance, const uint32_t group[3]);

/* The instance of a device, one of the context's. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: none. */
pi_result kernel_instance_of(pi_kernel kernel, pi_device device, kernel_instance **ret);

#endif
