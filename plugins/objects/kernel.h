/* Kernels: a function of a build, and its arguments. */
#ifndef OBJECTS_KERNEL_H
#define OBJECTS_KERNEL_H

#include "../checks/launch.h"
#include "../code/spirv_code.h"
#include "program.h"
#include "sampler.h"

/* The size of an argument whose size is arbitrary or unknown. */
#define KERNEL_ANY_SIZE UINT32_MAX

/* An argument. The driver's part of the kernel has its value. */
typedef struct kernel_argument {
  spirv_argument_kind kind;
  pi_uint32 size; /* in bytes, or KERNEL_ANY_SIZE */
  bool is_set;
  bool is_ours;        /* the plugin has set it, and the application has not */
  size_t local_size;   /* of local memory, in bytes; 0 for other arguments */
  object_head *object; /* the memory object or sampler, without a reference; or NULL */
} kernel_argument;

/*
 * One thread at a time sets arguments or launches (pi.h), so the arguments need no lock. All other
 * members are constant or atomic.
 */
struct pi_kernel_object {
  object_head handle;
  deferred deferred;
  pi_program program;   /* a reference */
  program_build *build; /* a reference */
  pi_context context;   /* the build's; each launch reads it */
  pi_kernel origin;     /* a reference to the kernel whose native handle this stands for; or NULL */
  registry_link noted;
  const char *name;    /* of text_keep */
  atomic_bool is_used; /* a launch of it may be pending */
  pi_uint32 argument_count;
  pi_uint32 missing;    /* number of arguments that are not set yet */
  size_t local_start;   /* bytes of the code's local variables, before the arguments' memory */
  size_t local_memory;  /* bytes of local memory: variables, arguments and padding */
  size_t group[3];      /* work-group size that Level Zero's entries have set; 0: none */
  size_t offset[3];     /* offset that Level Zero's entries have set */
  pi_uint32 indirect;   /* flags of Level Zero's indirect access, which have no effect */
  pthread_mutex_t lock; /* held from kernel_begin_arguments to kernel_end_arguments */
  kernel_argument *arguments;
  struct driver_kernel driver;
};

/*
 * A kernel without the driver's part, with one reference. Takes the caller's reference to build,
 * even if it fails. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result kernel_new(pi_program program, program_build *build, const char *name, pi_kernel *ret);

/* Allocates the arguments of a new kernel, without kinds and sizes. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result kernel_make_arguments(pi_kernel kernel, pi_uint32 count);

/* Returns a new kernel, or releases it and returns a failure. */
pi_result kernel_finish_new(pi_kernel kernel, pi_result result, pi_kernel *ret);

/*
 * The kernel of that name in a program's latest build. PI_ERROR_INVALID_KERNEL_NAME;
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result kernel_create(pi_program program, const char *name, pi_kernel *ret);

/* A copy of a kernel and of its current arguments. */
pi_result kernel_copy(pi_kernel kernel, pi_kernel *ret);

static inline void kernel_retain(pi_kernel kernel) {
  object_retain(&kernel->handle);
}
void kernel_release(pi_kernel kernel);

/* As piextKernelGetNativeHandle and piextKernelCreateWithNativeHandle; program may be NULL. */
pi_result kernel_native(pi_kernel kernel, pi_native_handle *ret);
pi_result kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                       bool is_owned, pi_kernel *ret);

/* Records that a launch may be pending, so that the kernel's release defers its destruction. */
static inline void kernel_launched(pi_kernel kernel) {
  if (!atomic_load_explicit(&kernel->is_used, memory_order_relaxed)) {
    atomic_store_explicit(&kernel->is_used, true, memory_order_relaxed);
    build_is_used(kernel->build);
  }
}

/* ---- Arguments (kernel_arguments.c) ---- */

/*
 * As piKernelSetArg, piextKernelSetArgPointer, piextKernelSetArgMemObj and
 * piextKernelSetArgSampler.
 */
pi_result kernel_set_argument(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_pointer(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem);
pi_result kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler);

/* Set an argument to a value, never taken as a memory object, or to size bytes of local memory. */
pi_result kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size);

/*
 * Begin and end a launch whose call passes all arguments, from any thread. begin marks the
 * application's arguments as not set, and locks out other such launches of the kernel until end.
 */
void kernel_begin_arguments(pi_kernel kernel);
void kernel_end_arguments(pi_kernel kernel);

/* Returns PI_ERROR_INVALID_ARG_SIZE if the argument is known to have another size. */
pi_result kernel_check_size(pi_kernel kernel, pi_uint32 index, size_t size);

/* Records the failure for an argument of the wrong kind, and returns its code. */
pi_result kernel_refuse_kind(pi_kernel kernel, pi_uint32 index, const char *given)
    __attribute__((cold));

/* Returns PI_ERROR_INVALID_KERNEL_ARGS; the message lists the arguments that are not set. */
pi_result kernel_refuse_missing(pi_kernel kernel) __attribute__((cold));

/*
 * Checks a local size of items work-items in one dimension, as
 * piextKernelSuggestMaxCooperativeGroupCount takes it. PI_ERROR_INVALID_WORK_GROUP_SIZE.
 */
pi_result kernel_check_items(pi_kernel kernel, const kernel_limits *limits, size_t items);

/* As piKernelSetExecInfo; value is not NULL. */
pi_result kernel_set_info(pi_kernel kernel, pi_kernel_exec_info name, size_t size,
                          const void *value);

/* ---- Queries (kernel_info.c): answer is checked, and the device is one of the context's ---- */

pi_result kernel_answer(pi_kernel kernel, pi_kernel_info query, const info_answer *answer);
pi_result kernel_answer_group(pi_kernel kernel, pi_device device, pi_kernel_group_info query,
                              const info_answer *answer);
pi_result kernel_answer_sub_group(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info query, size_t input_size,
                                  const void *input, const info_answer *answer);

#endif
