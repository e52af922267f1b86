/* Kernels: a function of a build, and its arguments. */
#ifndef LEVEL_ZERO_KERNEL_H
#define LEVEL_ZERO_KERNEL_H

#include "../objects/launch_kernel.h"

#include "program.h"
#include "queue.h"

/*
 * Gives an instance what arguments were set since it last got them. With the lock. Errors of the
 * driver, with the argument's number.
 */
pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance);

#endif
