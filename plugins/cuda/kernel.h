/* Kernels: a function of a build, and its arguments. */
#ifndef PI_CUDA_KERNEL_H
#define PI_CUDA_KERNEL_H

#include "program.h"

#include "../objects/launch.h"

/* A function as the driver has it, and what it allows. */
typedef struct kernel_function {
  kernel_limits limits;         /* the first member */
  CUfunction function;          /* NULL: there is none */
  atomic_size_t dynamic_shared; /* bytes that may come on top without another call of the driver */
} kernel_function;

/* An argument. */
typedef struct kernel_argument {
  pi_uint32 size; /* bytes */
  bool is_set;
  size_t local_size; /* bytes of local memory that it points to; 0 for other arguments */
  pi_mem memory;     /* the object that it is, without a reference; NULL for other arguments */
} kernel_argument;

/*
 * The arguments belong to the thread that sets them or launches (pi.h); all else does not change
 * or is atomic.
 */
struct pi_kernel_object {
  pi_handle handle;
  pi_program program;   /* a reference */
  program_build *build; /* a reference */
  pi_kernel origin;     /* of a CUfunction that is of a kernel of ours: that kernel, a reference */
  registry_entry noted;
  char *name;
  CUcontext context; /* the program's: what each launch needs */
  kernel_function plain;
  kernel_function with_offset; /* what a launch with an offset runs */
  bool offset_is_apart;        /* and is there after kernel_load_offset only */
  atomic_bool offset_is_loaded;
  CUfunc_cache cache;      /* how its functions divide a multiprocessor's memory */
  const code_kernel *code; /* what the code says of it, in its build; NULL without that */
  pi_uint32 argument_count;
  pi_uint32 missing;   /* arguments that are not set yet */
  size_t local_memory; /* bytes of local memory of all arguments, with what lies between */
  kernel_argument *arguments;
  void **pointers; /* to the arguments' values, for the driver; behind them one for the offset */
};

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

/* build_is_used, of a kernel that is put into a queue or graph. */
static inline void kernel_launched(pi_kernel kernel) {
  build_is_used(kernel->build);
}

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

static inline void kernel_retain(pi_kernel kernel) {
  pi_handle_retain(&kernel->handle);
}
void kernel_release(pi_kernel kernel);

#endif
