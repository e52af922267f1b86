/* Kernels: a function of a build, and its arguments. */
#ifndef PI_LEVEL_ZERO_KERNEL_H
#define PI_LEVEL_ZERO_KERNEL_H

#include "program.h"
#include "queue.h"

/* An argument that depends on the device of a launch, or has to be known then. */
typedef struct kernel_argument {
  bool is_set;
  pi_mem memory; /* the object that it is, without a reference; NULL for other arguments */
} kernel_argument;

/*
 * PI leaves the order of setting arguments and launching to the caller (pi.h); the lock is there
 * because Level Zero keeps arguments, group size and offset in the ze_kernel_handle_t, so that a
 * launch is several driver calls which belong together.
 */
struct pi_kernel_object {
  pi_handle handle;
  pi_program program;      /* a reference */
  level_zero_build *build; /* a reference */
  char *name;
  pthread_mutex_t lock;
  pi_uint32 argument_count;
  kernel_argument *arguments;
  pi_uint32 required[3];        /* work-items of a work-group; 0 0 0 when any size will do */
  pi_uint32 count;              /* the context's roots */
  ze_kernel_handle_t kernels[]; /* by context_root; NULL where the build has no module */
};

/* What the driver needs to append a launch to a list. */
typedef struct kernel_launch {
  ze_kernel_handle_t kernel;
  ze_group_count_t groups;
  bool is_empty; /* a range of no work-items: there is nothing to run */
} kernel_launch;

/*
 * Checks a launch on a device as piEnqueueKernelLaunch does, locks the kernel, sets its group size,
 * offset and memory objects for that device and fills *launch; the arrays are PI's, local may be
 * NULL: then the plugin chooses. With PI_SUCCESS kernel_finish must follow on this thread, after
 * the launch was appended. Allocates nothing; calls the driver only for what is new since the
 * latest launch.
 *
 * Errors as piEnqueueKernelLaunch documents; PI_ERROR_INVALID_CONTEXT when the kernel is of
 * another one, PI_ERROR_INVALID_GLOBAL_OFFSET: the driver has no offsets.
 */
pi_result kernel_prepare(pi_kernel kernel, pi_context context, pi_device device, pi_uint32 work_dim,
                         const size_t *global_work_offset, const size_t *global_work_size,
                         const size_t *local_work_size, kernel_launch *launch);
void kernel_finish(pi_kernel kernel);

static inline void kernel_retain(pi_kernel kernel) {
  pi_handle_retain(&kernel->handle);
}
void kernel_release(pi_kernel kernel);

#endif
