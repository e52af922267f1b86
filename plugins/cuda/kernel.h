/* Kernels: a function of a build, and its arguments. */
#ifndef PI_CUDA_KERNEL_H
#define PI_CUDA_KERNEL_H

#include "program.h"

struct pi_kernel_object; /* owned by kernel.c */

/* What the driver needs to launch a kernel, now (cuLaunchKernel) or in a graph. */
typedef struct kernel_launch {
  CUfunction function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;   /* bytes of dynamic shared memory */
  void **parameters; /* the kernel's own; valid until its next argument is set */
} kernel_launch;

/*
 * Checks a launch as piEnqueueKernelLaunch does and fills *launch; the arrays are PI's, local may
 * be NULL: then the plugin chooses. Nothing is launched. Errors as piEnqueueKernelLaunch documents.
 */
pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch);

void kernel_retain(pi_kernel kernel);
void kernel_release(pi_kernel kernel);

#endif
