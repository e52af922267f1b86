/* Kernels: a function of a build, and its arguments. */
#ifndef PI_LEVEL_ZERO_KERNEL_H
#define PI_LEVEL_ZERO_KERNEL_H

#include "program.h"
#include "queue.h"

#include "../objects/launch.h"

/*
 * An argument as it is set. Level Zero keeps arguments in the ze_kernel_handle_t; they are kept
 * here, too, because a context may have several devices, each with a ze_kernel_handle_t of its own
 * which gets them before its next launch.
 */
typedef struct kernel_argument {
  spirv_argument_kind kind;
  pi_uint32 declared; /* bytes of a value; 0: not known */
  bool is_set;
  bool is_null;         /* the driver gets no value: local memory, or no object */
  pi_handle *object;    /* the memory object or sampler that it is, without a reference */
  bool is_of_devices;   /* value has a handle for each root device */
  pi_uint64 serial;     /* the kernel's when it was set */
  size_t size;          /* bytes of the value, or of local memory */
  unsigned char *value; /* room for capacity bytes */
  size_t capacity;
  size_t local_size; /* bytes of local memory; 0 for others */
} kernel_argument;

/* A kernel on a root device: what the driver's object has now. */
typedef struct kernel_instance {
  ze_kernel_handle_t kernel; /* NULL: the build has no module for that device */
  uint32_t group[3];         /* 0 before the first launch */
  uint32_t offset[3];
  pi_uint64 serial; /* all arguments up to this one are set in it */
  kernel_limits limits;
} kernel_instance;

/*
 * PI leaves the order of setting arguments and launching to the caller (pi.h); the lock is there
 * because Level Zero keeps arguments, group size and offset in the ze_kernel_handle_t, so that a
 * launch is several driver calls which belong together.
 */
struct pi_kernel_object {
  pi_handle handle;
  deferred deferred;
  pi_program program;   /* a reference */
  program_build *build; /* a reference */
  registry_entry noted;
  char *name;
  bool is_owned;        /* the driver's objects are destroyed with it */
  atomic_bool is_used;  /* a launch of it may be under way */
  pthread_mutex_t lock; /* of the arguments and instances */
  pi_uint32 argument_count;
  pi_uint32 missing; /* arguments that are not set yet */
  kernel_argument *arguments;
  unsigned char *values;       /* of the arguments whose sizes are known */
  pi_uint64 serial;            /* grows with each argument that is set */
  kernel_instance *latest;     /* that of the latest launch, or the first one */
  pi_uint32 count;             /* the context's roots */
  kernel_instance instances[]; /* by context_root */
};

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

/* Tells that a launch, or a list with one, may be under way from now on: it is destroyed later. */
static inline void kernel_launched(pi_kernel kernel) {
  if (!atomic_load_explicit(&kernel->is_used, memory_order_relaxed)) {
    atomic_store_explicit(&kernel->is_used, true, memory_order_relaxed);
    build_is_used(kernel->build);
  }
}

/*
 * Gives an instance what arguments were set since it last got them. With the lock. Errors of the
 * driver, with the argument's number.
 */
pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance);

/* Has an instance work in groups of that size; with the lock. Errors of the driver. */
pi_result kernel_set_group(kernel_instance *instance, const uint32_t group[3]);

/* The instance of a device, one of the context's. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: none. */
pi_result kernel_instance_of(pi_kernel kernel, pi_device device, kernel_instance **ret);

static inline void kernel_retain(pi_kernel kernel) {
  pi_handle_retain(&kernel->handle);
}
void kernel_release(pi_kernel kernel);

#endif
