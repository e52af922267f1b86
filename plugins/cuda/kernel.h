/* Kernels: a function of a build, and its arguments. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H

#include "../objects/launch_kernel.h"

#include "program.h"

/* The function that a launch runs. */
static inline kernel_function *launch_function(const kernel_launch *launch) {
  return (kernel_function *)(void *)launch->limits;
}

/* The slow part of launch_parameters: with an offset, or values that differ between devices. */
void **launch_own_parameters(const kernel_launch *launch) __attribute__((cold));

/*
 * Arguments for the driver's call; valid until this thread asks for those of another launch, or
 * sets an argument of the kernel.
 */
static inline void **launch_parameters(const kernel_launch *launch) {
  if (__builtin_expect(launch_function(launch)->has_own_parameters, 0))
    return launch_own_parameters(launch);
  return launch->kernel->driver.pointers;
}

/*
 * Bytes of local memory that a launch asks for. The devices that most SPIR-V is written for
 * allocate it in such units, so kernels that read a little past their own run there. Here such a
 * kernel would end everything that the context does.
 */
enum { LOCAL_MEMORY_UNIT = 1024 };
static inline size_t launch_shared(const kernel_launch *launch) {
  const size_t exact = launch->kernel->local_memory;
  const size_t whole = (exact + LOCAL_MEMORY_UNIT - 1) / LOCAL_MEMORY_UNIT * LOCAL_MEMORY_UNIT;
  const size_t most =
      atomic_load_explicit(&launch_function(launch)->dynamic_shared, memory_order_relaxed);
  return whole <= most ? whole : exact;
}

/* A kernel's instance for a device of its context. */
static inline kernel_instance *kernel_instance_of(pi_kernel kernel, pi_device device) {
  return &kernel->driver.instances[context_root(kernel->context, device)];
}

/* Divides a multiprocessor's memory as the kernel's cache says, for all existing functions. */
pi_result kernel_apply_cache(pi_kernel kernel);

/*
 * Builds with_offset, which is apart and missing. Any thread may call it at any time. Errors of the
 * driver.
 */
pi_result kernel_load_offset(pi_kernel kernel, kernel_instance *instance);

/* The instance for larger work-groups than this one's, if there is one yet. */
static inline kernel_instance *kernel_larger(kernel_instance *instance) {
  return atomic_load_explicit(&instance->larger, memory_order_acquire);
}

/*
 * Builds an instance for work-groups of so many work-items, which the registers of a function of
 * this one do not allow, unless it exists. *ret is NULL where that is impossible, because something
 * else limits the function or the code cannot be built again. An existing one may have too many
 * registers, too; then it has a larger one itself. Any thread may call it at any time.
 *
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the driver's compiler refuses; errors of the driver.
 */
pi_result kernel_load_larger(pi_kernel kernel, kernel_instance *instance,
                             const kernel_function *function, size_t items, kernel_instance **ret);

#endif
