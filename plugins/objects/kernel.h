/* Kernels: a function of a build, and its arguments. */
#ifndef OBJECTS_KERNEL_H
#define OBJECTS_KERNEL_H

#include "../checks/launch.h"
#include "../code/spirv_code.h"
#include "program.h"
#include "sampler.h"

/* The size of an argument that may have any size, or an unknown one. */
#define KERNEL_ANY_SIZE UINT32_MAX

/* An argument. The driver keeps its value. */
typedef struct kernel_argument {
  spirv_argument_kind kind;
  pi_uint32 size; /* bytes of a value; or KERNEL_ANY_SIZE */
  bool is_set;
  bool is_ours;        /* the driver's own code sets it, until somebody else does */
  size_t local_size;   /* bytes of local memory; 0 for others */
  object_head *object; /* the memory object or sampler, without a reference */
} kernel_argument;

/*
 * The arguments belong to the thread that sets them or launches (pi.h); all else is constant or
 * atomic.
 */
struct pi_kernel_object {
  object_head handle;
  deferred deferred;
  pi_program program;   /* a reference */
  program_build *build; /* a reference */
  pi_context context;   /* the build's; each launch reads it */
  pi_kernel origin;     /* the kernel of ours whose native handle this is made from, a reference; or
                         * NULL */
  registry_link noted;
  const char *name;    /* of text_keep */
  atomic_bool is_used; /* a launch of it may be under way */
  pi_uint32 argument_count;
  pi_uint32 missing;    /* arguments that are not set yet */
  size_t local_start;   /* bytes of the code's variables, which come before the arguments' */
  size_t local_memory;  /* these and the local memory of all arguments, with the gaps */
  pthread_mutex_t lock; /* guards the arguments, for launches that bring theirs along */
  kernel_argument *arguments;
  struct driver_kernel driver;
};

/*
 * A kernel without the driver's part, with one reference; takes over the caller's reference to
 * build in any case. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result kernel_new(pi_program program, program_build *build, const char *name, pi_kernel *ret);

/* Gives a new kernel its arguments, still without kind and size. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result kernel_make_arguments(pi_kernel kernel, pi_uint32 count);

/* Returns a new kernel, or releases it and returns a failure. */
pi_result kernel_finish_new(pi_kernel kernel, pi_result result, pi_kernel *ret);

/*
 * The kernel of that name in a program's latest build. PI_ERROR_INVALID_KERNEL_NAME;
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result kernel_create(pi_program program, const char *name, pi_kernel *ret);

/* A kernel like another one, with the arguments that it has now. */
pi_result kernel_copy(pi_kernel kernel, pi_kernel *ret);

static inline void kernel_retain(pi_kernel kernel) {
  object_retain(&kernel->handle);
}
void kernel_release(pi_kernel kernel);

/* As piextKernelGetNativeHandle, and piextKernelCreateWithNativeHandle; program may be NULL. */
pi_result kernel_native(pi_kernel kernel, pi_native_handle *ret);
pi_result kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                       bool is_owned, pi_kernel *ret);

/* Records that a launch, or a list with one, may be under way: the kernel is destroyed later. */
static inline void kernel_launched(pi_kernel kernel) {
  if (!atomic_load_explicit(&kernel->is_used, memory_order_relaxed)) {
    atomic_store_explicit(&kernel->is_used, true, memory_order_relaxed);
    build_is_used(kernel->build);
  }
}

/* ---- Arguments (kernel_arguments.c) ---- */

/* As piKernelSetArg, piextKernelSetArgPointer, piextKernelSetArgMemObj, piextKernelSetArgSampler.
 */
pi_result kernel_set_argument(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_pointer(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_memory(pi_kernel kernel, pi_uint32 index, pi_mem mem);
pi_result kernel_set_sampler(pi_kernel kernel, pi_uint32 index, pi_sampler sampler);

/* Set an argument to bytes that are nothing but a value, or to so many bytes of local memory. */
pi_result kernel_set_value(pi_kernel kernel, pi_uint32 index, size_t size, const void *value);
pi_result kernel_set_local(pi_kernel kernel, pi_uint32 index, size_t size);

/*
 * Begin and end a launch that brings all arguments along, from any thread. At the start none is
 * set, and until the end no other such launch of the kernel sets any.
 */
void kernel_begin_arguments(pi_kernel kernel);
void kernel_end_arguments(pi_kernel kernel);

/* PI_ERROR_INVALID_ARG_SIZE where the argument is known to have another size. */
pi_result kernel_check_size(pi_kernel kernel, pi_uint32 index, size_t size);

/* The failure for an argument of the wrong kind. */
pi_result kernel_refuse_kind(pi_kernel kernel, pi_uint32 index, const char *given)
    __attribute__((cold));

/* PI_ERROR_INVALID_KERNEL_ARGS with a list of the arguments that are not set. */
pi_result kernel_refuse_missing(pi_kernel kernel) __attribute__((cold));

/*
 * Checks that work-groups of one dimension may have that many work-items: the answers of
 * piextKernelSuggestMaxCooperativeGroupCount are for such. PI_ERROR_INVALID_WORK_GROUP_SIZE.
 */
pi_result kernel_check_items(pi_kernel kernel, const kernel_limits *limits, size_t items);

/* As piKernelSetExecInfo; value is not NULL. */
pi_result kernel_set_info(pi_kernel kernel, pi_kernel_exec_info name, size_t size,
                          const void *value);

/* ---- Queries (kernel_info.c); answer is checked, the device the context's ---- */

pi_result kernel_answer(pi_kernel kernel, pi_kernel_info query, const info_answer *answer);
pi_result kernel_answer_group(pi_kernel kernel, pi_device device, pi_kernel_group_info query,
                              const info_answer *answer);
pi_result kernel_answer_sub_group(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info query, size_t input_size,
                                  const void *input, const info_answer *answer);

#endif
