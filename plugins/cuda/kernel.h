/* Kernels: functions of builds, and their arguments. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H

#include "../objects/launch_kernel.h"

#include "program.h"

/* Returns the function that a launch runs. */
static inline kernel_function *launch_function(const kernel_launch *launch) {
  return (kernel_function *)(void *)launch->limits;
}

/* Slow part of launch_parameters: launches with an offset, or with values that differ by device. */
void **launch_own_parameters(const kernel_launch *launch) __attribute__((cold));

/*
 * Returns the driver's parameter list of a launch. It is valid until this thread calls the function
 * again, or sets an argument of the kernel.
 */
static inline void **launch_parameters(const kernel_launch *launch) {
  if (__builtin_expect(launch_function(launch)->has_own_parameters, 0))
    return launch_own_parameters(launch);
  return launch->kernel->driver.pointers;
}

/*
 * launch_shared returns a launch's bytes of local memory, rounded up to this unit if possible.
 * Intel's devices allocate local memory in such units, so kernels that read a little past their
 * memory work there. Without the rounding they would fail here, and end the context.
 */
enum { LOCAL_MEMORY_UNIT = 1024 };
static inline size_t launch_shared(const kernel_launch *launch) {
  const size_t exact = launch->kernel->local_memory;
  const size_t whole = (exact + LOCAL_MEMORY_UNIT - 1) / LOCAL_MEMORY_UNIT * LOCAL_MEMORY_UNIT;
  const size_t most =
      atomic_load_explicit(&launch_function(launch)->dynamic_shared, memory_order_relaxed);
  return whole <= most ? whole : exact;
}

/* Returns a kernel's instance for a device of its context. */
static inline kernel_instance *kernel_instance_of(pi_kernel kernel, pi_device device) {
  return &kernel->driver.instances[context_root(kernel->context, device)];
}

/* Applies driver.cache to all functions that the kernel has so far. */
pi_result kernel_apply_cache(pi_kernel kernel);

/*
 * Builds with_offset of an instance with offset_is_apart, unless that is done already. Any thread
 * may call it at any time. Errors of the driver.
 */
pi_result kernel_load_offset(pi_kernel kernel, kernel_instance *instance);

/* Returns the instance for larger work-groups than this one's, or NULL if there is none yet. */
static inline kernel_instance *kernel_larger(kernel_instance *instance) {
  return atomic_load_explicit(&instance->larger, memory_order_acquire);
}

/* Returns the instance for work-groups of one warp, or NULL if there is none yet. */
static inline kernel_instance *kernel_one_warp(kernel_instance *instance) {
  return atomic_load_explicit(&instance->one_warp, memory_order_acquire);
}

/*
 * Returns kernel_larger(instance). If that does not exist yet, builds it with fewer registers for
 * each work-item, so that a work-group may have so many items. function is the instance's function
 * that does not allow so many. *ret is NULL if something else than registers limits function, or if
 * the code cannot be built again. An instance that existed may still allow too few items; then the
 * caller repeats the call for that instance. Any thread may call it at any time.
 *
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the driver's compiler refuses; errors of the driver.
 */
pi_result kernel_load_larger(pi_kernel kernel, kernel_instance *instance,
                             const kernel_function *function, size_t items, kernel_instance **ret);

/*
 * Builds the kernel again for work-groups of at most one warp, with more registers for each
 * work-item, for kernel_one_warp. Returns NULL if that would not help, or fails: the
 * instance itself runs such groups, too. Call it once for an instance.
 */
kernel_instance *kernel_load_one_warp(pi_kernel kernel, kernel_instance *instance);

#endif
