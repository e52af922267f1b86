/* Kernels: a function of a build, and its arguments. */
#ifndef PI_CUDA_KERNEL_H
#define PI_CUDA_KERNEL_H

#include "../objects/kernel.h"

#include "program.h"

/*
 * What the driver needs to launch a kernel, now (cuLaunchKernel) or in a graph. parameters stays
 * valid until this thread prepares another launch, or sets an argument of the kernel.
 */
typedef struct kernel_launch {
  CUfunction function;
  launch_groups groups;
  unsigned shared; /* bytes of dynamic shared memory */
  bool is_empty;   /* a range of no work-items: there is nothing to run */
  void **parameters;
} kernel_launch;

/*
 * Checks a launch as piEnqueueKernelLaunch does and fills *launch; the arrays are PI's, local may
 * be NULL: then the plugin chooses. Nothing is launched. Takes no lock and allocates nothing; calls
 * the driver, with the context current afterwards, only when a range or its local memory is new.
 *
 * Errors as piEnqueueKernelLaunch documents; PI_ERROR_INVALID_CONTEXT when the kernel is of
 * another one, PI_ERROR_INVALID_GLOBAL_OFFSET, PI_ERROR_INVALID_GLOBAL_WORK_SIZE: the device has no
 * such grid, PI_ERROR_OUT_OF_RESOURCES: too much shared memory.
 */
pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch);

/*
 * Makes dynamic bytes of shared memory, beside those of the code, fit into a launch: asks the
 * driver once for all that the device has, when that is more than blocks have by default.
 * PI_ERROR_OUT_OF_RESOURCES when the device has not so much.
 */
pi_result kernel_allow_shared(pi_kernel kernel, kernel_function *function, size_t dynamic);

/*
 * Has with_offset built, which is apart and not there yet. Any thread may, at any time. Errors of
 * the driver.
 */
pi_result kernel_load_offset(pi_kernel kernel);

#endif
